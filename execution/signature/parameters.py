"""What crosses a call, read off MLIR's types."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.signature.dtypes import element_of
from mlir_gs.execution.signature.signature import CompileError, Parameter

_DYNAMIC = -(2**63)
"""MLIR's word for a dynamic stride or offset."""


_FARTHEST = 1 << 59
"""Elements, of 16 bytes, that 64 bits address."""


def parameter(label: str, value_type: Any) -> Parameter:
    """The parameter for a value of `value_type`, a ranked tensor, a memref or a scalar."""
    if isinstance(value_type, ir.MemRefType | ir.RankedTensorType):
        element = element_of(value_type.element_type)
        if element is None:
            raise CompileError(f"{label}: no array has elements of {value_type.element_type}")
        sizes = enumerate(value_type.shape)
        shape = tuple(None if value_type.is_dynamic_dim(d) else n for d, n in sizes)
        return Parameter(label, element, shape, *_layout(label, value_type))
    element = element_of(value_type)
    if element is None:
        raise CompileError(f"{label}: a {value_type} cannot be passed from or to a caller")
    return Parameter(label, element, None)


def _layout(label: str, value_type: Any) -> tuple[tuple[int | None, ...] | None, int]:
    if isinstance(value_type, ir.RankedTensorType):
        if value_type.encoding is not None:
            raise CompileError(f"{label}: tensors with an encoding cannot be passed")
        return None, 0
    if str(value_type.memory_space) not in ("None", "0 : i64"):
        raise CompileError(f"{label}: memory space {value_type.memory_space} is not the CPU's")
    if value_type.layout == ir.AffineMapAttr.get(ir.AffineMap.get_identity(value_type.rank)):
        return None, 0
    try:
        strides, offset = value_type.get_strides_and_offset()
    except (RuntimeError, ValueError) as error:
        raise CompileError(f"{label}: the layout of {value_type} is not strided") from error
    if any(abs(n) > _FARTHEST for n in (*strides, offset) if n != _DYNAMIC):
        raise CompileError(f"{label}: no memory has the strides or the offset of {value_type}")
    return (
        tuple(None if stride == _DYNAMIC else stride for stride in strides),
        0 if offset == _DYNAMIC else offset,
    )
