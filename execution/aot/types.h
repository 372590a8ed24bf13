#ifndef MLIR_GS_TYPES
#define MLIR_GS_TYPES

/* What the functions return; `gs_error` has that code, and a message. */
enum {
  GS_OK = 0,
  GS_TYPE_ERROR = $TYPE_ERROR,    /* an array of another element type */
  GS_VALUE_ERROR = $VALUE_ERROR,   /* an array of another shape, or that overlaps another */
  GS_INDEX_ERROR = $INDEX_ERROR,   /* a coordinate out of bounds, under mode = "error" */
  GS_RUNTIME_ERROR = $RUNTIME_ERROR  /* an assertion, or a CPU that is not supported */
};

typedef struct gs_error {
  int32_t code;
  char message[$MESSAGE];
} gs_error;

/* An array in memory: DLPack's DLTensor. Where dlpack.h is included first, it is that. */
#ifdef DLPACK_DLPACK_H_
typedef DLTensor gs_tensor;
typedef DLManagedTensor gs_managed_tensor;
#else
typedef struct gs_tensor {
  void *data;
  struct { int32_t device_type, device_id; } device; /* {1, 0}: the CPU */
  int32_t ndim;
  struct { uint8_t code, bits; uint16_t lanes; } dtype;
  int64_t *shape;
  int64_t *strides;     /* in elements; NULL: C-contiguous */
  uint64_t byte_offset;
} gs_tensor;

/* An array that the function allocated: call `deleter(self)` when it is not used any more. */
typedef struct gs_managed_tensor {
  gs_tensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct gs_managed_tensor *self);
} gs_managed_tensor;
#endif

/* Element types: DLPack's code, and bits. */
#define GS_TYPE(code, bits) ((uint16_t)((code) | (bits) << 8))
#define GS_INT(bits) GS_TYPE($INT, bits)
#define GS_UINT(bits) GS_TYPE($UINT, bits)
#define GS_FLOAT(bits) GS_TYPE($FLOAT, bits)
#define GS_BFLOAT(bits) GS_TYPE($BFLOAT, bits)
#define GS_COMPLEX(bits) GS_TYPE($COMPLEX, bits)
#define GS_BOOL GS_TYPE(6, 8)

/* `data` as a C-contiguous array; `shape` has to stay. */
static inline gs_tensor gs_array(void *data, uint16_t type, int32_t ndim, int64_t *shape) {
  gs_tensor array;
  array.data = data;
  array.device.device_type = (__typeof__(array.device.device_type))1;
  array.device.device_id = 0;
  array.ndim = ndim;
  array.dtype.code = (uint8_t)(type & 255);
  array.dtype.bits = (uint8_t)(type >> 8);
  array.dtype.lanes = 1;
  array.shape = shape;
  array.strides = 0;
  array.byte_offset = 0;
  return array;
}

#endif /* MLIR_GS_TYPES */
