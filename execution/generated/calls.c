// Calls of kernels by their plans: what is checked, what is computed, what is handed over.

#include "calls.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A program without tvm-ffi runs code that travels.
#pragma weak TVMFFIErrorSetRaised

static void raise_in_tvm(const char *kind, const char *message) {
  TVMFFIByteArray name = {kind, strlen(kind)}, text = {message, strlen(message)}, none = {kind, 0};
  TVMFFIObjectHandle error;
  if (TVMFFIErrorCreate(&name, &text, &none, &error) == 0) {
    TVMFFIErrorSetRaised(error);
    TVMFFIObjectDecRef(error);
  }
}

// Sets an error of the class `kind`, for tvm-ffi if there is no sink.
void __gs_report(const char *kind, const char *message, Sink *sink) {
  if (sink == NULL) {
    if (TVMFFIErrorSetRaised != NULL)
      raise_in_tvm(kind, message);
    return;
  }
  sink->code = *kind == 'T' ? 1 : *kind == 'V' ? 2 : *kind == 'I' ? 3 : 4;
  snprintf(sink->message, sizeof sink->message, "%s", message);
}

void __gs_set_error(const char *kind, const char *message) { __gs_report(kind, message, NULL); }

static const DLTensor *tensor_of(const TVMFFIAny *value) {
  if (value->type_index == kTVMFFITensor)
    return (const DLTensor *)(value->v_obj + 1);
  return value->type_index == kTVMFFIDLTensorPtr ? value->v_ptr : NULL;
}

static const char *name_of_object(int32_t kind) {
  switch (kind) {
  case kTVMFFINone: return "None";
  case kTVMFFIBool: return "bool";
  case kTVMFFIOpaquePtr: return "pointer";
  case kTVMFFIDataType: return "dtype";
  case kTVMFFIDevice: return "device";
  case kTVMFFIRawStr: case kTVMFFISmallStr: case kTVMFFIStr: return "str";
  case kTVMFFIByteArrayPtr: case kTVMFFISmallBytes: case kTVMFFIBytes: return "bytes";
  case kTVMFFIError: return "error";
  case kTVMFFIFunction: return "function";
  case kTVMFFIShape: return "shape";
  case kTVMFFIArray: case kTVMFFIList: return "list";
  case kTVMFFIMap: case kTVMFFIDict: return "dict";
  case kTVMFFIModule: return "module";
  case kTVMFFIBigInt: return "large int";
  default: return "object";
  }
}

// `snprintf` formats for DLPack's codes, given the width in bits.
static const char FORMATS[][24] = {
    "int%d", "uint%d", "float%d", "handle%d", "bfloat%d", "complex%d", "bool",
    "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz",
    "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
    "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn", "unknown dtype",
};

enum { ROOM = 1024, MOST_DIMS = 20 };

static void describe_tensor(const DLTensor *tensor, char *text) {
  unsigned last = sizeof FORMATS / sizeof *FORMATS - 1, code = tensor->dtype.code;
  text += snprintf(text, ROOM, FORMATS[code < last ? code : last], tensor->dtype.bits);
  text += snprintf(text, 2, "[");
  for (int32_t d = 0; d < tensor->ndim && d < MOST_DIMS; ++d)
    text += snprintf(text, 24, d ? ", %lld" : "%lld", (long long)tensor->shape[d]);
  if (tensor->device.device_type == kDLCPU)
    snprintf(text, 24, "]");
  else
    snprintf(text, 24, "] on device %d", tensor->device.device_type);
}

// Writes what a value is, such as `float64[10, 64]`.
static void describe(const TVMFFIAny *value, char *text) {
  const DLTensor *tensor = tensor_of(value);
  if (tensor != NULL)
    describe_tensor(tensor, text);
  else if (value->type_index == kTVMFFIInt)
    snprintf(text, ROOM, "int %lld", (long long)value->v_int64);
  else if (value->type_index == kTVMFFIFloat)
    snprintf(text, ROOM, "float %g", value->v_float64);
  else
    snprintf(text, ROOM, "%s", name_of_object(value->type_index));
}

static int32_t refuse(const Call *call, const char *kind, const Step *step, const char *note) {
  char found[ROOM], message[ROOM];
  describe(&call->values[step->array.value], found);
  const char *expected = call->block->messages + step->array.expected;
  snprintf(message, sizeof message, "%s, found %s%s", expected, found, note);
  __gs_report(kind, message, call->sink);
  return -1;
}

static int32_t refuse_sizes(const Call *call, const Step *step, const DLTensor *tensor,
                            int64_t *sizes) {
  if (step->array.sizes < 0)
    return refuse(call, "ValueError", step, "");
  DLTensor wanted = {.device = {kDLCPU}, .ndim = tensor->ndim, .dtype = tensor->dtype};
  wanted.shape = sizes;
  char text[ROOM], note[ROOM];
  describe_tensor(&wanted, text);
  snprintf(note, sizeof note, "; with these arguments it is %s", text);
  return refuse(call, "ValueError", step, note);
}

// Fills the record of an array. Returns 1 for one that is not C-contiguous where the code relies on
// it.
static int32_t check_array(const Call *call, const Step *step) {
  TVMFFIAny *value = &call->values[step->array.value];
  const int64_t rank = step->array.rank;
  int64_t *sizes = (int64_t *)step->array.dims;
  if (step->array.sizes >= 0)
    sizes = call->frame + step->array.sizes;
  Record *record = (Record *)(call->frame + step->array.place);
  if (value->type_index == kTVMFFINone && call->maker != NULL &&
      step->array.value >= call->maker->first) {
    int32_t status = call->maker->make(call->maker, rank, sizes, value);
    record->low = record->end = 0;
    if (status != 0)
      return status < 0 ? -1 : 0;
  }
  const DLTensor *tensor = tensor_of(value);
  if (tensor == NULL)
    return refuse(call, "TypeError", step, "");
  DLDataType dtype = tensor->dtype;
  if (dtype.code > 63 || !(step->array.codes >> dtype.code & 1) ||
      dtype.bits != step->array.bits || dtype.lanes != 1)
    return refuse(call, "TypeError", step, "");
  if (tensor->device.device_type != kDLCPU || tensor->ndim != rank)
    return refuse(call, "ValueError", step, "");
  const int64_t *strides = step->array.strides == GIVEN_STRIDES ? step->array.dims + rank : NULL;
  int64_t expected = 1, low = 0, high = 0, bytes = step->array.bytes;
  int contiguous = 1, empty = 0, fits = 1, stepped = 1;
  for (int64_t d = rank - 1; d >= 0; --d) {
    int64_t size = tensor->shape[d];
    int64_t stride = tensor->strides == NULL ? expected : tensor->strides[d];
    fits &= sizes[d] == ANY_SIZE || sizes[d] == size;
    contiguous &= size == 1 || stride == expected;
    if (strides != NULL)
      stepped &= strides[d] == ANY_STRIDE || strides[d] == stride || size == 1;
    record->dims[d] = size;
    record->dims[rank + d] = stride;
    int64_t reach = (size - 1) * stride * bytes;
    *(reach < 0 ? &low : &high) += reach;
    empty |= size == 0;
    expected *= size;
  }
  if (!fits)
    return refuse_sizes(call, step, tensor, sizes);
  if (!stepped && !empty)
    return refuse(call, "ValueError", step, " with other strides");
  if (step->array.strides == CONTIGUOUS && !contiguous && !empty)
    return refuse(call, "ValueError", step, " that is not C-contiguous");
  record->data = (intptr_t)tensor->data + (intptr_t)tensor->byte_offset;
  if (record->data & (step->array.alignment - 1) && !empty)
    return refuse(call, "ValueError", step,
                  " at an address that is not aligned to the element size");
  record->low = record->data + low;
  record->end = empty ? record->low : record->data + high + bytes;
  return strides == NULL && !contiguous && !empty;
}

static int32_t check_integer(const Call *call, const Step *step) {
  const TVMFFIAny *value = &call->values[step->number.value];
  if (value->type_index != kTVMFFIInt && value->type_index != kTVMFFIBool)
    return refuse(call, "TypeError", step, "");
  if (value->v_int64 < step->number.lowest || value->v_int64 > step->number.highest)
    return refuse(call, "ValueError", step, "");
  call->frame[step->number.place] = value->v_int64;
  return 0;
}

static int32_t check_float(const Call *call, const Step *step) {
  const TVMFFIAny *value = &call->values[step->number.value];
  double *place = (double *)(call->frame + step->number.place);
  if (value->type_index == kTVMFFIFloat)
    *place = value->v_float64;
  else if (value->type_index == kTVMFFIInt || value->type_index == kTVMFFIBool)
    *place = (double)value->v_int64;
  else
    return refuse(call, "TypeError", step, "");
  return 0;
}

static int32_t check_disjoint(const Call *call, const Step *step) {
  const Record *a = (Record *)(call->frame + step->disjoint.places[0]);
  const Record *b = (Record *)(call->frame + step->disjoint.places[1]);
  if ((uintptr_t)a->end <= (uintptr_t)b->low || (uintptr_t)b->end <= (uintptr_t)a->low ||
      a->low == a->end || b->low == b->end)
    return 0;
  __gs_report("ValueError", call->block->messages + step->disjoint.message, call->sink);
  return -1;
}

static int64_t floor_divide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

// Computes one operation of a size into a word of the frame. The order is that of
// `sizes.OPERATIONS`; the rounded divisions are for a positive divisor, and none is by 0.
void __gs_size(const Step *step, int64_t *frame) {
  const int64_t *from = step->size.operands, operation = step->size.operation;
  int64_t *to = frame + step->size.place;
  if (operation == 0) {
    *to = *from;
    return;
  }
  int64_t a = frame[from[0]], b = frame[from[1]];
  if (b == 0 && operation >= 6 && operation <= 9) {
    *to = -1;
    return;
  }
  switch (operation) {
  case 1: *to = a; break;
  case 2: *to = a != 0 ? b : frame[from[2]]; break;
  case 3: *to = a + b; break;
  case 4: *to = a - b; break;
  case 5: *to = a * b; break;
  case 6: *to = b == -1 ? -a : a / b; break;
  case 7: *to = floor_divide(a, b); break;
  case 8: *to = -floor_divide(-a, b); break;
  case 9: *to = a - floor_divide(a, b) * b; break;
  case 10: *to = a > b ? a : b; break;
  case 11: *to = a < b ? a : b; break;
  case 12: *to = a == b; break;
  case 13: *to = a != b; break;
  case 14: *to = a < b; break;
  case 15: *to = a <= b; break;
  case 16: *to = a > b; break;
  case 17: *to = a >= b; break;
  }
}

// Checks the values of a call, in the order of its plan, into its frame. Returns 0, -1 with an error
// reported, or 1: an array is not C-contiguous where the code relies on it.
int32_t __gs_check(Call *call) {
  const Plan *plan = call->block->plan;
  if (call->count != plan->values) {
    char message[ROOM];
    const char *title = call->block->messages + plan->title;
    snprintf(message, sizeof message, "%s, found %d", title, call->count);
    __gs_report("TypeError", message, call->sink);
    return -1;
  }
  const Step *step = (const Step *)plan->words;
  for (int64_t k = 0; k < plan->steps; ++k) {
    int32_t status = 0;
    switch (step->kind) {
    case ARRAY: status = check_array(call, step); break;
    case INTEGER: status = check_integer(call, step); break;
    case FLOAT: status = check_float(call, step); break;
    case DISJOINT: status = check_disjoint(call, step); break;
    default: __gs_size(step, call->frame);
    }
    if (status != 0)
      return status;
    step = (const Step *)((const int64_t *)step + step->words);
  }
  return 0;
}

static void free_result(DLManagedTensor *self) {
  free(self->manager_ctx);
  free(self);
}

// Makes a tensor of what a kernel has allocated: its shape and strides stand behind it. Without
// tvm-ffi the caller gets the DLManagedTensor. Its deleter is code that stays for the life of the
// process.
static int32_t own(const Call *call, const Results *results, int64_t k, TVMFFIAny *value) {
  const int64_t *descriptor = call->frame + results->each[k].descriptor;
  const int64_t rank = results->each[k].rank, bytes = results->each[k].bytes;
  DLManagedTensor *made = malloc(sizeof *made + 2 * rank * sizeof(int64_t));
  if (made == NULL) {
    __gs_report("MemoryError", "there is no memory for a result", call->sink);
    return -1;
  }
  int64_t *dims = (int64_t *)(made + 1);
  memcpy(dims, descriptor + 3, 2 * rank * sizeof *dims);
  uint32_t dtype = results->each[k].dtype;
  made->dl_tensor = (DLTensor){(void *)(descriptor[1] + descriptor[2] * bytes)};
  made->dl_tensor.device.device_type = kDLCPU;
  made->dl_tensor.ndim = rank;
  memcpy(&made->dl_tensor.dtype, &dtype, sizeof dtype);
  made->dl_tensor.shape = dims;
  made->dl_tensor.strides = dims + rank;
  made->manager_ctx = (void *)(descriptor[0] - results->each[k].head);
  made->deleter = free_result;
  value->type_index = kTVMFFITensor;
  value->zero_padding = 0;
  value->v_ptr = made;
  return call->sink != NULL ? 0 : TVMFFITensorFromDLPack(made, 0, 0, &value->v_ptr);
}

// Gives several values at once: an `ffi.Array` of them, or one after the other.
static int32_t list(const Call *call, TVMFFIAny *values, int64_t count, TVMFFIAny *result) {
  if (call->sink != NULL) {
    memcpy(result, values, count * sizeof *values);
    return 0;
  }
  TVMFFIByteArray name = {"ffi.Array", 9};
  TVMFFIObjectHandle function;
  TVMFFIFunctionGetGlobal(&name, &function);
  int32_t status = TVMFFIFunctionCall(function, values, count, result);
  TVMFFIObjectDecRef(function);
  for (int64_t k = 0; k < count; ++k)
    TVMFFIObjectDecRef(values[k].v_obj);
  return status;
}

// Runs the kernel of a call that is checked. Returns 0, or -1 with an error reported.
int32_t __gs_run(const Call *call, TVMFFIAny *result) {
  const Plan *plan = call->block->plan;
  int64_t *frame = call->frame;
#define P(k) (void *)frame[plan->pointers[k]]
  if (call->block->kernel(call->sink, frame, P(0), P(1), P(2), P(3), P(4), P(5), P(6), P(7)) != 0)
    return -1;
  const Results *results = (const Results *)((const int64_t *)plan + plan->results);
  if (results->count == 0)
    return 0;
  TVMFFIAny *values = (TVMFFIAny *)(frame + results->values);
  for (int64_t k = 0; k < results->count; ++k)
    if (own(call, results, k, &values[k]) != 0)
      return -1;
  if (results->count > 1)
    return list(call, values, results->count, result);
  *result = *values;
  return 0;
}

// A call of a block's kernel. A result of the integer 1 instead of None says that an array is not
// C-contiguous where the code relies on it.
int32_t __gs_enter(const Block *block, TVMFFIAny *values, int32_t count, TVMFFIAny *result,
                   void *sink) {
  int64_t frame[block->plan->frame];
  Call call = {block, values, count, frame, sink, NULL};
  int32_t status = __gs_check(&call);
  if (status == 0)
    return __gs_run(&call, result);
  if (status < 0)
    return -1;
  result->type_index = kTVMFFIInt;
  result->v_int64 = 1;
  return 0;
}

typedef struct {
  Maker base;
  int64_t **sizes;
} SizeTaker;

static int32_t take_sizes(Maker *base, int64_t rank, const int64_t *sizes, TVMFFIAny *made) {
  int64_t *to = *((SizeTaker *)base)->sizes++;
  for (int64_t d = 0; d < rank; ++d)
    to[d] = sizes[d];
  return 1;
}

// Checks the first `given` values of a call, and stores the sizes of the others, of each behind one
// of the pointers `sizes`.
int32_t __gs_sizes(const Block *block, TVMFFIAny *values, int32_t given, int64_t **sizes,
                   void *sink) {
  int64_t frame[block->plan->frame];
  SizeTaker taker = {{given, take_sizes}, sizes};
  Call call = {block, values, block->plan->values, frame, sink, &taker.base};
  return __gs_check(&call) < 0 ? -1 : 0;
}
