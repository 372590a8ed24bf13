// Calls from CPython without Python between: a kernel is a vectorcall over arrays and numbers.
//
// Of objects this reads what `native.py` has compared in this process: the type, and the fields of
// an ndarray. Where it meets another kind of value, it leaves the call to `Kernel._call`: nothing
// has been written then.

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include "calls.h"
#include <numpy/ndarraytypes.h>
#include <string.h>

enum { MOST_VALUES = 16, MOST_RANK = 8 };

// A dtype of NumPy, DLPack's word for it, and log2 of its bytes.
typedef struct {
  PyObject *dtype;
  DLDataType type;
  int32_t shift;
} Dtype;

// What all native calls of a process go by; `native.py` fills it in.
typedef struct {
  PyObject *array, *integer, *floating, *none, *out, *item, *falsity;
  PyObject *(*empty)(int, const npy_intp *, PyObject *, int);  // PyArray_Empty; takes the dtype
  PyObject *large;     // the function of a shape and a dtype for results of more than `most` bytes
  int64_t most;
  PyObject *raise;     // raises tvm-ffi's error that is set
  int32_t (*check)(Call *);
  int32_t (*run)(const Call *, TVMFFIAny *);
  void (*take_error)(TVMFFIObjectHandle *);
  int (*drop)(TVMFFIObjectHandle);
  // torch's type, null until one of its tensors has been seen, and DLPack's functions for it.
  PyObject *tensor;
  DLPackDLTensorFromPyObjectNoSync export;
  DLPackManagedTensorAllocator allocate;
  DLPackManagedTensorToPyObjectNoSync import;
  PyObject *requires_grad, *is_neg;
  int64_t dtypes;
  Dtype dtype[];
} Process;

// What the calls of one kernel go by.
typedef struct {
  const Process *process;
  const Block *compact;
  const Block *strided;  // for arrays that are not C-contiguous; or null
  PyObject *general;     // what takes all other calls
  int64_t arguments;
  int64_t makes;         // whether there is a result to make, or given as out=
  int64_t returned;      // the argument that is the result, or -1
  int64_t takes_out;     // whether out= may be any array
  int64_t item;          // whether the result is the element of what was made
  int64_t written;       // a bit for each value that the kernel writes
  Dtype result;
} Native;

typedef struct {
  PyObject_HEAD
  vectorcallfunc call;
  const Native *native;
} Object;

enum { OTHER, NUMPY, TORCH };

// Takes a reference to an attribute or an answer; null is an error, which is cleared.
static int is_false(const Process *process, PyObject *answer) {
  if (answer == NULL) {
    PyErr_Clear();
    return 0;
  }
  Py_DecRef(answer);
  return answer == process->falsity;
}

// DLPack does not tell the whole of a tensor that wants a gradient or is a conjugate or negative
// view.
static int is_plain(const Process *process, PyObject *tensor, DLDataType type) {
  if (type.code == kDLInt || type.code == kDLUInt || type.code == kDLBool)
    return 1;
  return type.code != kDLComplex &&
         is_false(process, PyObject_GetAttr(tensor, process->requires_grad)) &&
         is_false(process, PyObject_VectorcallMethod(process->is_neg, &tensor, 1, NULL));
}

// Describes an array of NumPy or torch as it lies in memory.
static int array(const Process *process, PyObject *object, int written, TVMFFIAny *value,
                 DLTensor *tensor, int64_t *strides) {
  value->type_index = kTVMFFIDLTensorPtr;
  value->v_ptr = tensor;
  if ((PyObject *)Py_TYPE(object) == process->tensor) {
    if (process->export(object, tensor) == 0)
      return is_plain(process, object, tensor->dtype) ? TORCH : OTHER;
    PyErr_Clear();
    return OTHER;
  }
  const PyArrayObject_fields *found = (const PyArrayObject_fields *)object;
  const Dtype *dtype = process->dtype, *end = dtype + process->dtypes;
  while (dtype < end && dtype->dtype != (PyObject *)found->descr)
    ++dtype;
  if (dtype == end || found->nd > MOST_RANK || (written && !(found->flags & NPY_ARRAY_WRITEABLE)))
    return OTHER;
  *tensor = (DLTensor){found->data, {kDLCPU}, found->nd, dtype->type, found->dimensions};
  if (found->flags & NPY_ARRAY_C_CONTIGUOUS)
    return NUMPY;
  for (int d = 0; d < found->nd; ++d) {
    strides[d] = found->strides[d] >> dtype->shift;
    if (strides[d] << dtype->shift != found->strides[d])
      return OTHER;
  }
  tensor->strides = strides;
  return NUMPY;
}

static int take(const Process *process, PyObject *object, int written, TVMFFIAny *value,
                DLTensor *tensor, int64_t *strides) {
  PyObject *type = (PyObject *)Py_TYPE(object);
  value->zero_padding = 0;
  if (type == process->array || type == process->tensor)
    return array(process, object, written, value, tensor, strides);
  if (type == process->floating) {
    value->type_index = kTVMFFIFloat;
    value->v_float64 = PyFloat_AsDouble(object);
    return NUMPY;
  }
  if (type != process->integer)
    return OTHER;
  value->type_index = kTVMFFIInt;
  value->v_int64 = PyLong_AsLongLong(object);
  if (value->v_int64 != -1 || PyErr_Occurred() == NULL)
    return NUMPY;
  PyErr_Clear();
  return OTHER;
}

static void ignore(void *context, const char *kind, const char *message) {}

static PyObject *torch_empty(const Process *process, DLDataType type, int64_t rank,
                             const int64_t *sizes) {
  DLTensor like = {.device = {kDLCPU}, .ndim = rank, .dtype = type, .shape = (int64_t *)sizes};
  DLManagedTensorVersioned *managed;
  void *made;
  if (process->allocate(&like, &managed, NULL, ignore) == 0 &&
      process->import(managed, &made) == 0)
    return made;
  return NULL;
}

static PyObject *large_empty(const Process *process, PyObject *dtype, int64_t rank,
                             const int64_t *sizes) {
  PyObject *shape = PyTuple_New(rank);
  for (int64_t d = 0; d < rank && shape != NULL; ++d)
    PyTuple_SetItem(shape, d, PyLong_FromLongLong(sizes[d]));
  if (shape == NULL)
    return NULL;
  PyObject *arguments[] = {shape, dtype};
  PyObject *made = PyObject_Vectorcall(process->large, arguments, 2, NULL);
  Py_DecRef(shape);
  return made;
}

// Makes the array of a result that is not given.
typedef struct {
  Maker base;
  const Native *native;
  DLTensor *tensor;
  PyObject *made;
  int64_t torch;
} ResultMaker;

static int32_t make(Maker *base, int64_t rank, const int64_t *sizes, TVMFFIAny *value) {
  ResultMaker *self = (ResultMaker *)base;
  const Process *process = self->native->process;
  const Dtype *result = &self->native->result;
  uint64_t bytes = 1ull << result->shift, most = process->most, small = 1;
  for (int64_t d = 0; d < rank; ++d) {
    bytes *= sizes[d];
    small &= (uint64_t)sizes[d] <= most && bytes <= most;
  }
  if (!small)
    self->made = self->torch ? NULL : large_empty(process, result->dtype, rank, sizes);
  else if (self->torch)
    self->made = torch_empty(process, result->type, rank, sizes);
  else {
    Py_IncRef(result->dtype);
    self->made = process->empty(rank, sizes, result->dtype, 0);
  }
  if (self->made == NULL) {
    PyErr_Clear();
    return -1;
  }
  return array(process, self->made, 1, value, self->tensor, NULL) == OTHER ? -1 : 0;
}

enum { DONE, FAILED, UNFIT, STRIDED };

// Checks and runs; the interpreter's lock is released meanwhile.
static int attempt(Call *call, const Process *process, const Block *block) {
  int64_t frame[block->plan->frame];
  call->block = block;
  call->frame = frame;
  int32_t status = process->check(call);
  if (status != 0)
    return status == 1 ? STRIDED : UNFIT;
  TVMFFIAny result;
  PyThreadState *state = PyEval_SaveThread();
  status = process->run(call, &result);
  PyEval_RestoreThread(state);
  return status == 0 ? DONE : FAILED;
}

static PyObject *answer(const Native *native, PyObject *const *arguments, PyObject *out,
                        PyObject *made) {
  if (made == NULL) {
    made = out != NULL ? out : native->process->none;
    if (native->returned >= 0)
      made = arguments[native->returned];
    Py_IncRef(made);
  } else if (native->item) {
    PyObject *element = PyObject_VectorcallMethod(native->process->item, &made, 1, NULL);
    Py_DecRef(made);
    return element;
  }
  return made;
}

// Takes a call to `Kernel._call`.
static PyObject *forward(const Native *native, PyObject *self, PyObject *const *arguments,
                         int64_t count, PyObject *names) {
  int64_t total = count + (names == NULL ? 0 : PyTuple_Size(names));
  PyObject *copy[total + 1];
  copy[0] = self;
  memcpy(copy + 1, arguments, total * sizeof *copy);
  return PyObject_Vectorcall(native->general, copy, count + 1, names);
}

// Finds the array that is given as out=; returns whether the call is one for here.
static int find_out(const Native *native, PyObject *const *arguments, PyObject *names,
                    PyObject **out) {
  const Process *process = native->process;
  if (names == NULL)
    return 1;
  if (PyTuple_Size(names) != 1 || PyTuple_GetItem(names, 0) != process->out)
    return 0;
  PyObject *given = arguments[native->arguments];
  if (native->takes_out && given != process->none)
    *out = given;
  return native->takes_out || (native->returned >= 0 && (given == arguments[native->returned] ||
                                                         given == process->none));
}

PyObject *__gs_call(PyObject *self, PyObject *const *arguments, size_t flagged, PyObject *names) {
  const Native *native = ((Object *)self)->native;
  const Process *process = native->process;
  const int64_t count = flagged & ~PY_VECTORCALL_ARGUMENTS_OFFSET;
  PyObject *out = NULL;
  if (count != native->arguments || !find_out(native, arguments, names, &out))
    return forward(native, self, arguments, count, names);
  TVMFFIAny values[MOST_VALUES];
  DLTensor tensors[MOST_VALUES];
  int64_t strides[MOST_VALUES][MOST_RANK];
  int seen = 0;
  for (int64_t k = 0; k < count + native->makes; ++k) {
    PyObject *object = k < count ? arguments[k] : out;
    if (object == NULL) {
      values[k] = (TVMFFIAny){kTVMFFINone};
      continue;
    }
    int found = take(process, object, native->written >> k & 1, &values[k], &tensors[k], strides[k]);
    if (found == OTHER)
      return forward(native, self, arguments, count, names);
    seen |= k < count ? found : 0;
  }
  ResultMaker maker = {{count, make}, native, &tensors[count], NULL, seen & TORCH};
  Call call = {NULL, values, count + native->makes, NULL, NULL, &maker.base};
  int status = attempt(&call, process, native->compact);
  if (status == STRIDED && native->strided != NULL)
    status = attempt(&call, process, native->strided);
  if (status == DONE)
    return answer(native, arguments, out, maker.made);
  if (maker.made != NULL)
    Py_DecRef(maker.made);
  if (status == FAILED)
    return PyObject_Vectorcall(process->raise, NULL, 0, NULL);
  TVMFFIObjectHandle error = NULL;
  process->take_error(&error);
  if (error != NULL)
    process->drop(error);
  return forward(native, self, arguments, count, names);
}
