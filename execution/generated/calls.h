// What a kernel's call agrees on with plan.py, which writes the words of a plan.

#ifndef GS_CALLS_H
#define GS_CALLS_H

#include <dlpack/dlpack.h>
#include <stdint.h>
#include <tvm/ffi/c_api.h>

// A kernel takes where its errors go, its frame and the addresses of its first arrays; it returns
// 0, or -1 with an error reported.
typedef int32_t (*Kernel)(void *sink, int64_t *frame, void *, void *, void *, void *, void *,
                          void *, void *, void *);
enum { POINTERS = 8 };

typedef struct {
  int64_t frame;     // words of the frame
  int64_t values;    // arguments and destinations
  int64_t title;     // the message for another number of them
  int64_t results;   // where in the plan the results are
  int64_t pointers[POINTERS];  // words of the frame with the addresses of the first arrays
  int64_t steps;
  int64_t words[];   // of the steps, then of the results
} Plan;

typedef struct {
  Kernel kernel;
  const Plan *plan;
  const char *messages;  // the plan has the offsets of texts in here
  void (*release)(void *block);  // called when tvm-ffi's function of the block is freed; or null
} Block;

enum { ARRAY, INTEGER, FLOAT, DISJOINT, SIZE };

// Which strides an array may have: C-contiguous ones, for others there is other code; those of the
// step; C-contiguous ones alone.
enum { COMPACT, GIVEN_STRIDES, CONTIGUOUS };

typedef struct {
  int64_t words, kind;  // of all steps
  union {
    struct {
      int64_t value, expected, place;
      int64_t sizes;    // word of the frame with computed sizes, or -1: those below
      int64_t strides;  // of COMPACT, GIVEN_STRIDES and CONTIGUOUS
      int64_t codes;    // a bit for each code of DLPack
      int64_t bits, rank, bytes, alignment;
      int64_t dims[];   // sizes, then strides
    } array;
    struct {
      int64_t value, expected, place, lowest, highest;
    } number;
    struct {
      int64_t message, places[2];
    } disjoint;
    struct {
      int64_t operation, place, operands[3];
    } size;
  };
} Step;

static const int64_t ANY_SIZE = -1, ANY_STRIDE = INT64_MIN;

// In the frame, what is known of an array: first and end address of its elements, then its sizes
// and strides.
typedef struct {
  intptr_t data, low, end;
  int64_t dims[];
} Record;

typedef struct {
  int64_t count, values;  // how many, and the word of the frame where tvm-ffi's values of them go
  struct {
    int64_t descriptor, dtype, rank, bytes;
    int64_t head;  // bytes between the allocation and the memory
  } each[];
} Results;

// What makes arrays for values from the `first` on that are not given; `make` returns 0, -1 with an
// error or none, or 1: it made none, and has taken the sizes.
typedef struct Maker {
  int64_t first;
  int32_t (*make)(struct Maker *self, int64_t rank, const int64_t *sizes, TVMFFIAny *made);
} Maker;

typedef struct {
  const Block *block;
  TVMFFIAny *values;
  int32_t count;
  int64_t *frame;
  void *sink;    // of errors, or null: tvm-ffi's raised error
  Maker *maker;  // or null
} Call;

// An error of code that travels, as its header declares it.
typedef struct {
  int32_t code;
  char message[1020];
} Sink;

#endif
