"""The C header of a kernel that travels."""

import re
from collections.abc import Sequence

from mlir_gs import __version__
from mlir_gs.execution.aot.aot import Kernel
from mlir_gs.execution.aot.text import (
    ERROR_BYTES,
    INDEX_ERROR,
    RUNTIME_ERROR,
    TYPE_ERROR,
    VALUE_ERROR,
    c_type,
    is_by_value,
    sized,
)
from mlir_gs.execution.signature.dtypes import BFLOAT, COMPLEX, FLOAT, INT, UINT
from mlir_gs.execution.signature.signature import Parameter

_TYPES = f"""
#ifndef MLIR_GS_TYPES
#define MLIR_GS_TYPES

/* What the functions return; `gs_error` has that code, and a message. */
enum {{
  GS_OK = 0,
  GS_TYPE_ERROR = {TYPE_ERROR},    /* an array of another element type */
  GS_VALUE_ERROR = {VALUE_ERROR},   /* an array of another shape, or that overlaps another */
  GS_INDEX_ERROR = {INDEX_ERROR},   /* a coordinate out of bounds, under mode = "error" */
  GS_RUNTIME_ERROR = {RUNTIME_ERROR}  /* an assertion, or a CPU that is not supported */
}};

typedef struct gs_error {{
  int32_t code;
  char message[{ERROR_BYTES - 4}];
}} gs_error;

/* An array in memory: DLPack's DLTensor. Where dlpack.h is included first, it is that. */
#ifdef DLPACK_DLPACK_H_
typedef DLTensor gs_tensor;
typedef DLManagedTensor gs_managed_tensor;
#else
typedef struct gs_tensor {{
  void *data;
  struct {{ int32_t device_type, device_id; }} device; /* {{1, 0}}: the CPU */
  int32_t ndim;
  struct {{ uint8_t code, bits; uint16_t lanes; }} dtype;
  int64_t *shape;
  int64_t *strides;     /* in elements; NULL: C-contiguous */
  uint64_t byte_offset;
}} gs_tensor;

/* An array that the function allocated: call `deleter(self)` when it is not used any more. */
typedef struct gs_managed_tensor {{
  gs_tensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct gs_managed_tensor *self);
}} gs_managed_tensor;
#endif

/* Element types: DLPack's code, and bits. */
#define GS_TYPE(code, bits) ((uint16_t)((code) | (bits) << 8))
#define GS_INT(bits) GS_TYPE({INT}, bits)
#define GS_UINT(bits) GS_TYPE({UINT}, bits)
#define GS_FLOAT(bits) GS_TYPE({FLOAT}, bits)
#define GS_BFLOAT(bits) GS_TYPE({BFLOAT}, bits)
#define GS_COMPLEX(bits) GS_TYPE({COMPLEX}, bits)
#define GS_BOOL GS_TYPE(6, 8)

/* `data` as a C-contiguous array; `shape` has to stay. */
static inline gs_tensor gs_array(void *data, uint16_t type, int32_t ndim, int64_t *shape) {{
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
}}

#endif /* MLIR_GS_TYPES */
"""

_NAME = re.compile(r"\((\w+)\)", re.ASCII)
_KEYWORDS = """
auto break case catch char class const continue default delete do double else enum error explicit
export extern false float for friend goto if inline int long mutable namespace new operator private
protected public register restrict return short signed sizeof static struct switch template this
throw true try typedef typename union unsigned using virtual void volatile while bool and or not
xor
"""


def header(kernels: Sequence[Kernel], source: str, cpus: Sequence[str], guard: str) -> str:
    """The text of a header for functions of one object."""
    macro = re.sub(r"\W", "_", f"MLIR_GS_{guard}".upper(), flags=re.ASCII)
    functions = "\n".join(_declarations(kernel) for kernel in kernels)
    return f"""/* {source}, for {", ".join(cpus)}: made by gs-compile of mlir-gs {__version__}. */
#ifndef {macro}
#define {macro}

#include <stdint.h>
{_TYPES}
#ifdef __cplusplus
extern "C" {{
#endif

{functions}
#ifdef __cplusplus
}}
#endif

#endif /* {macro} */
"""


def _declarations(kernel: Kernel) -> str:
    entry = kernel.entry
    arguments = [_argument(k, parameter) for k, parameter in enumerate(entry.arguments)]
    results = [_result(r.parameter) for r in entry.destinations]
    owned = [f"gs_managed_tensor **{_plain(r.parameter)}" for r in entry.owned]
    listed = [f" *   {p.expected.replace('expected ', '')}{_note(p)}" for p in entry.arguments]
    for result in entry.results:
        found = result.parameter.expected.replace("expected ", "")
        if result.argument is not None:
            found += f", which is argument {result.argument}"
        elif not result.is_destination:
            found += ", allocated by the function"
        listed.append(f" *   {found}")
    about = "\n".join(["/*", *listed, " */"])
    text = f"{about}\n{_declaration(kernel.name, [*arguments, *results, *owned])}"
    if sized(entry):
        sizes = [f"int64_t *{_plain(entry.destinations[k].parameter)}_sizes" for k in sized(entry)]
        text += f"""
/* The sizes of the results of `{kernel.name}` for these arguments. */
{_declaration(f"{kernel.name}_sizes", [*arguments, *sizes])}"""
    return text


def _note(parameter: Parameter) -> str:
    return ", written" if parameter.written else ""


def _declaration(name: str, parameters: Sequence[str]) -> str:
    listed = ", ".join([*parameters, "gs_error *error"])
    return f"int32_t {name}({listed});\n"


def _argument(number: int, parameter: Parameter) -> str:
    found = _NAME.search(parameter.label)
    name = found[1] if found and found[1] not in _KEYWORDS.split() else f"argument{number}"
    if name[0].isdigit():
        name = f"argument{number}"
    if is_by_value(parameter):
        return f"{c_type(parameter)} {name}"
    return f"const gs_tensor *{name}"


def _result(parameter: Parameter) -> str:
    return f"const gs_tensor *{_plain(parameter)}"


def _plain(parameter: Parameter) -> str:
    return parameter.label.replace(" ", "")
