"""NumPy arrays and Python scalars as tvm-ffi takes them, without copies.

tvm-ffi takes plain writeable arrays by itself. Here are the others: read-only arrays, and element
types that NumPy does not hand to DLPack.
"""

import ctypes
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from mlir_gs.execution.generated import tvm
from mlir_gs.execution.later import loaded
from mlir_gs.execution.signature.dtypes import Element
from mlir_gs.execution.signature.signature import Parameter

_CARRIERS = {size: np.dtype(f"uint{8 * size}") for size in (1, 2, 4)}
"""By element size, what NumPy exports in the place of an element type that it does not."""

_DTYPE_OFFSET = 32 + 20
"""Where a DLManagedTensorVersioned has its DLDataType."""

_NUMBERS = (np.generic, bool, int, float, complex)

# Not the attribute of ctypes.pythonapi, to which other packages give other types.
_pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def describe(value: Any) -> str:
    """What messages call a value: `float64[10, 64]`, `int`, `list`."""
    if isinstance(value, np.ndarray):
        name = value.dtype.name if value.dtype.isnative else value.dtype.str
        return f"{name}[{', '.join(str(size) for size in value.shape)}]"
    if isinstance(value, np.generic):
        return f"{value.dtype.name} scalar"
    return type(value).__name__


def passable(value: Any, parameter: Parameter) -> Any:
    """`value` as tvm-ffi takes it for `parameter`; it shares the memory.

    Raises TypeError or ValueError for what cannot be passed. What can be is checked by the
    compiled code.
    """
    if isinstance(value, np.ndarray):
        return _array(value, parameter)
    if isinstance(value, _NUMBERS):
        return _scalar(value, parameter)
    tensor, array = loaded("torch", "Tensor"), loaded("jax", "Array")
    if tensor is not None and isinstance(value, tensor):
        return _tensor(value, parameter, sys.modules["torch"])
    if parameter.written and array is not None and isinstance(value, array):
        raise ValueError(f"{parameter.expected} that can be written, found an array of JAX")
    return value


def _tensor(value: Any, parameter: Parameter, torch: Any) -> Any:
    if value.layout != torch.strided:
        raise TypeError(f"{parameter.expected}, found a tensor of layout {value.layout}")
    if value.requires_grad and torch.is_grad_enabled():
        raise TypeError(
            f"{parameter.label}: no gradient flows through a kernel; pass tensor.detach(), or call"
            " it under torch.no_grad()"
        )
    if value.is_conj() or value.is_neg():
        # A view that says how to read the memory, which DLPack has no word for.
        if parameter.written:
            raise ValueError(f"{parameter.expected} that can be written, found a conjugate view")
        return value.resolve_conj().resolve_neg()
    return value


def refuse_mask(value: Any, label: str = "") -> None:
    """Raise TypeError for a masked array, whose mask would be lost."""
    masked = loaded("numpy.ma", "MaskedArray")
    if masked is not None and isinstance(value, masked):
        hint = "a masked array would lose its mask: pass x.filled(value) or x.data"
        raise TypeError(f"{label}: {hint}" if label else hint)


def _array(value: np.ndarray[Any, Any], parameter: Parameter) -> Any:
    refuse_mask(value, parameter.label)
    element = parameter.element
    if not parameter.is_array or not element.accepts(value.dtype):
        raise TypeError(f"{parameter.expected}, found {describe(value)}")
    if parameter.written and not value.flags.writeable:
        raise ValueError(f"{parameter.expected} that can be written, found a read-only array")
    if value.flags.writeable and element.exported:
        return value
    try:
        return export(value, element)
    except BufferError as error:
        raise ValueError(f"{parameter.expected}, found {describe(value)}: {error}") from None


def refused(values: Sequence[Any], parameters: Sequence[Parameter]) -> ValueError | None:
    """The error for the first array that DLPack cannot describe, if there is one."""
    for value, parameter in zip(values, parameters, strict=False):
        if isinstance(value, np.ndarray):
            try:
                value.__dlpack__(max_version=(1, 0))
            except BufferError as error:
                return ValueError(f"{parameter.expected}, found {describe(value)}: {error}")
    return None


def export(value: np.ndarray[Any, Any], element: Element) -> Any:
    """An array as a tensor of tvm-ffi; raises BufferError for what DLPack cannot describe."""
    if element.exported:
        return tvm.ffi().from_dlpack(value.__dlpack__(max_version=(1, 0)))
    # A view of a matrix may have another rank.
    view = np.asarray(value).view(_CARRIERS[element.bytes])
    capsule = view.__dlpack__(max_version=(1, 0))
    address = _pointer_in(capsule, b"dltensor_versioned") + _DTYPE_OFFSET
    code = element.codes[-1] if value.dtype != element.dtype else element.code
    ctypes.c_uint32.from_address(address).value = code | element.bits << 8 | 1 << 16
    return tvm.ffi().from_dlpack(capsule)


def _scalar(value: Any, parameter: Parameter) -> Any:
    if parameter.shape == () and not parameter.written:
        if isinstance(value, np.generic):
            return _array(np.array(value), parameter)
        try:
            made = np.array(value, np.result_type(value, parameter.element.dtype))
        except (OverflowError, TypeError) as error:
            raise ValueError(f"{parameter.expected}, found {value!r}: {error}") from None
        return _array(made, parameter)
    if parameter.shape is None and parameter.is_array:
        # tvm-ffi's numbers are i64 and f64.
        if np.iscomplexobj(value) and not parameter.element.is_complex:
            raise TypeError(f"{parameter.expected}, found {describe(value)}")
        return _array(np.array(value, parameter.element.dtype), parameter)
    if isinstance(value, complex | np.complexfloating):
        raise TypeError(f"{parameter.expected}, found {describe(value)}")
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, np.generic) and parameter.element.mlir in ("f32", "f64"):
        return float(value)
    return value


class _Memory:
    """Keeps a tensor alive under the NumPy array that shows it."""

    def __init__(self, tensor: Any, element: Element) -> None:
        carrier = element.dtype if element.exported else _CARRIERS[element.bytes]
        strides = tuple(stride * element.bytes for stride in tensor.strides)
        self.tensor = tensor
        self.__array_interface__ = {
            "data": (tensor.data_ptr(), False),
            "shape": tensor.shape,
            "strides": strides,
            "typestr": carrier.str,
            "version": 3,
        }


def adopt(tensor: Any, element: Element) -> np.ndarray[Any, Any]:
    """A tensor that the compiled code allocated, as an array; its memory goes with the array."""
    array = np.asarray(_Memory(tensor, element))
    return array if element.exported else array.view(element.dtype)
