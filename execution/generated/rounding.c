// Float conversions that LLVM calls by name and that not every C runtime carries.
//
// A double goes to 16 bits by way of a float rounded to odd, so that it is rounded once.

#include <stdint.h>
#include <string.h>

#define BITS(to, from) __builtin_memcpy(&(to), &(from), sizeof(to))

__bf16 __truncsfbf2(float x) {
  uint32_t bits;
  BITS(bits, x);
  uint32_t high = bits >> 16;
  uint16_t half = x != x ? high | 64 : (bits + 0x7fff + (high & 1)) >> 16;
  __bf16 result;
  BITS(result, half);
  return result;
}

static float to_odd(double x) {
  float nearest = (float)x;
  double back = nearest;
  if (back != x && x == x) {
    uint32_t bits;
    BITS(bits, nearest);
    bits = (bits - (__builtin_fabs(back) > __builtin_fabs(x))) | 1;
    BITS(nearest, bits);
  }
  return nearest;
}

__bf16 __truncdfbf2(double x) { return __truncsfbf2(to_odd(x)); }

_Float16 __truncdfhf2(double x) { return (_Float16)to_odd(x); }
