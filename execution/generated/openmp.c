// LLVM's entry points of OpenMP, as far as kernels use them, over the GNU runtime that the process
// has: one pool of threads for kernels and for the library that brought it.
//
// Kernels pass a region one argument, which arrives in a register although LLVM's function is
// variadic: so it is on Linux, where GNU's runtime is.

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// What runs a region, and the share of a thread in it. `team` has a barrier; of it `count` threads
// share the loops.
typedef void (*Region)(int32_t *, int32_t *, void *);
typedef struct {
  int32_t number, count, team;
} Share;
typedef struct {
  Region region;
  void *argument;
  int32_t count;
} Work;

static struct {
  void (*parallel)(void (*)(void *), void *, unsigned, unsigned);
  void (*barrier)(void);
  int (*thread_num)(void), (*num_threads)(void), (*max_threads)(void);
} gnu;

// Of a thread: its share of the region that it runs, and the threads of its next one.
static pthread_key_t share_key, count_key;

int32_t __gs_openmp_begin(void **functions) {
  gnu.parallel = functions[0];
  gnu.barrier = functions[1];
  gnu.thread_num = functions[2];
  gnu.num_threads = functions[3];
  gnu.max_threads = functions[4];
  return pthread_key_create(&share_key, NULL) | pthread_key_create(&count_key, NULL);
}

static void run(const Work *work, Share share) {
  void *outer = pthread_getspecific(share_key);
  pthread_setspecific(share_key, &share);
  work->region(&share.number, &share.number, work->argument);
  pthread_setspecific(share_key, outer);
}

static void run_part(void *given) {
  const Work *work = given;
  int32_t team = gnu.num_threads(), count = work->count < team ? work->count : team;
  run(work, (Share){gnu.thread_num(), count, team});
}

int32_t __kmpc_global_thread_num(void *place) {
  const Share *share = pthread_getspecific(share_key);
  return share == NULL ? 0 : share->number;
}

void __kmpc_push_num_threads(void *place, int32_t number, int32_t count) {
  pthread_setspecific(count_key, (void *)(intptr_t)count);
}

// GNU's runtime ends threads that a smaller team does not need, so a team of several has always as
// many as the library that brought the runtime uses.
void __kmpc_fork_call(void *place, int32_t arguments, Region region, void *argument) {
  int32_t count = (intptr_t)pthread_getspecific(count_key), most = gnu.max_threads();
  pthread_setspecific(count_key, NULL);
  Work work = {region, argument, count > 0 ? count : most};
  if (work.count == 1 || pthread_getspecific(share_key) != NULL)
    run(&work, (Share){0, 1, 1});
  else
    gnu.parallel(run_part, &work, most > 1 ? most : work.count, 0);
}

void __kmpc_barrier(void *place, int32_t number) {
  const Share *share = pthread_getspecific(share_key);
  if (share != NULL && share->team > 1)
    gnu.barrier();
}

// The static schedule without chunks: parts that differ by an iteration at most, one for a thread.
// Bounds include the last iteration; empty ones have the upper before the lower.
void __kmpc_for_static_init_8u(void *place, int32_t number, int32_t schedule, int32_t *last,
                               uint64_t *lower, uint64_t *upper, int64_t *stride,
                               int64_t step, int64_t chunk) {
  const Share *share = pthread_getspecific(share_key);
  uint64_t me = share == NULL ? 0 : share->number, count = share == NULL ? 1 : share->count;
  uint64_t turns = *upper < *lower ? 0 : (*upper - *lower) / step + 1;
  uint64_t each = turns / count, more = turns % count;
  uint64_t mine = me < count ? each + (me < more) : 0;
  *stride = turns;
  *last = mine != 0 && (me == count - 1 || (each == 0 && me == more - 1));
  if (mine == 0) {
    *upper = 0;
    *lower = 1;
    return;
  }
  *lower += (me * each + (me < more ? me : more)) * step;
  *upper = *lower + (mine - 1) * step;
}

void __kmpc_for_static_fini(void *place, int32_t number) {}
