// The level of the CPU among those of the x86-64 psABI. No loader and no compiler's runtime library
// has to know it.

#include <cpuid.h>
#include <stdint.h>

enum { HAS_XGETBV = 1 << 27, AVX_STATE = 0x6, AVX512_STATE = 0xe6 };

// Bits of leaf 1 ecx, leaf 7 ebx and leaf 0x80000001 ecx that levels 2, 3 and 4 add.
static const uint32_t LEVELS[3][3] = {
    {1u << 0 | 1u << 9 | 1u << 13 | 1u << 19 | 1u << 20 | 1u << 23, 0, 1u << 0},
    {1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29, 1u << 3 | 1u << 5 | 1u << 8, 1u << 5},
    {0, 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31, 0},
};

static int32_t known;

// From 1 to 4.
__attribute__((noinline)) int32_t __gs_cpu_level(void) {
  if (known != 0)
    return known;
  uint32_t most, other, words[3] = {0}, state = 0;
  __cpuid(0, most, other, other, other);
  __cpuid(1, other, other, words[0], other);
  if (most >= 7)
    __cpuid_count(7, 0, other, words[1], other, other);
  __cpuid(0x80000001, other, other, words[2], other);
  if (words[0] & HAS_XGETBV)
    __asm__ volatile("xgetbv" : "=a"(state), "=d"(other) : "c"(0));
  static const uint32_t states[3] = {0, AVX_STATE, AVX512_STATE};
  int32_t level = 1;
  for (int k = 0; k < 3; ++k) {
    int has = (state & states[k]) == states[k];
    for (int word = 0; word < 3; ++word)
      has &= (words[word] & LEVELS[k][word]) == LEVELS[k][word];
    if (!has)
      break;
    level = k + 2;
  }
  known = level;
  return level;
}
