// What all kernels of a process share: their calls, and what LLVM calls where a CPU has no
// instruction.

#include "calls.c"
#include "function.c"
#include "rounding.c"
