// tvm-ffi's functions of blocks, in this process.

#include "calls.h"

int32_t __gs_enter(const Block *, TVMFFIAny *, int32_t, TVMFFIAny *, void *);

static int enter(void *block, const TVMFFIAny *values, int32_t count, TVMFFIAny *result) {
  return __gs_enter(block, (TVMFFIAny *)values, count, result, NULL);
}

static void release(void *block) {
  if (((Block *)block)->release != NULL)
    ((Block *)block)->release(block);
}

// tvm-ffi's function of the address of a block gives tvm-ffi's function of that block.
int32_t __gs_function(void *self, const TVMFFIAny *values, int32_t count, TVMFFIAny *result) {
  result->type_index = kTVMFFIFunction;
  return TVMFFIFunctionCreate(values[0].v_ptr, enter, release, (void **)&result->v_obj);
}
