"""What a compiled function takes: one `Parameter` for each value that crosses the call."""

from dataclasses import dataclass, replace
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.execution.dtypes import Element, element_of

_DYNAMIC = -(2**63)
"""MLIR's word for a dynamic stride or offset."""


class CompileError(Exception):
    """The module cannot be compiled or called; `str()` is one line, or diagnostics by line."""


@dataclass(frozen=True)
class Parameter:
    """One array or scalar of a call.

    `label` names it in messages. `shape` has None for a dynamic size and is None for a scalar.
    `strides` is None where the array must be C-contiguous, else per dimension a stride or None for
    any; `offset` is a static offset of its memref type, in elements. `written`: the compiled code
    may write it. `donated`: it is an argument whose memory the caller gives up.
    """

    label: str
    element: Element
    shape: tuple[int | None, ...] | None
    strides: tuple[int | None, ...] | None = None
    offset: int = 0
    written: bool = False
    donated: bool = False

    @property
    def is_array(self) -> bool:
        """Whether it is passed as an array: scalars that tvm-ffi has no value for are, too."""
        return self.shape is not None or not self.is_plain_scalar

    @property
    def is_plain_scalar(self) -> bool:
        return self.element.mlir in ("f64", "f32") or _is_integer(self.element)

    @property
    def rank(self) -> int:
        return len(self.shape or ())

    @property
    def expected(self) -> str:
        """`argument 0: expected float32[?, 64]`."""
        if self.shape is None:
            article = "an" if self.element.name.startswith("i") else "a"
            return f"{self.label}: expected {article} {self.element.name} scalar"
        sizes = ", ".join("?" if size is None else str(size) for size in self.shape)
        return f"{self.label}: expected {self.element.name}[{sizes}]"

    def as_written(self) -> "Parameter":
        """The same parameter, written by the compiled code."""
        return replace(self, written=True)

    def as_unsigned(self) -> "Parameter":
        """The same parameter, of the unsigned integers of that width."""
        width = int(self.element.mlir.removeprefix("i"))
        element = element_of(ir.IntegerType.get_unsigned(width))
        return self if element is None else replace(self, element=element)


def _is_integer(element: Element) -> bool:
    return element.mlir == "index" or element.mlir.lstrip("su").startswith("i")


def parameter(label: str, value_type: Any, donated: bool = False) -> Parameter:
    """The parameter for a value of `value_type`, a ranked tensor, a memref or a scalar."""
    if isinstance(value_type, ir.MemRefType | ir.RankedTensorType):
        element = element_of(value_type.element_type)
        if element is None:
            raise CompileError(f"{label}: no array has elements of {value_type.element_type}")
        shape = tuple(None if value_type.is_dynamic_dim(d) else n for d, n in _sizes(value_type))
        strides, offset = _layout(label, value_type)
        return Parameter(label, element, shape, strides, offset, donated=donated)
    element = element_of(value_type)
    if element is None:
        raise CompileError(f"{label}: a {value_type} cannot be passed from or to a caller")
    return Parameter(label, element, None)


def _sizes(value_type: Any) -> list[tuple[int, int]]:
    return list(enumerate(value_type.shape))


def _layout(label: str, value_type: Any) -> tuple[tuple[int | None, ...] | None, int]:
    if isinstance(value_type, ir.RankedTensorType):
        if value_type.encoding is not None:
            raise CompileError(f"{label}: tensors with an encoding cannot be passed")
        return None, 0
    if str(value_type.memory_space) not in ("None", "0 : i64"):
        raise CompileError(f"{label}: memory space {value_type.memory_space} is not the CPU's")
    if str(value_type.layout) == _identity(value_type.rank):
        return None, 0
    try:
        strides, offset = value_type.get_strides_and_offset()
    except (RuntimeError, ValueError) as error:
        raise CompileError(f"{label}: the layout of {value_type} is not strided") from error
    return (
        tuple(None if stride == _DYNAMIC else stride for stride in strides),
        0 if offset == _DYNAMIC else offset,
    )


def _identity(rank: int) -> str:
    return str(ir.AffineMapAttr.get(ir.AffineMap.get_identity(rank)))
