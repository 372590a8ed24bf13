"""Torch's value tensors, in which Torch and ONNX models arrive, as builtin tensors and back."""

import re
from dataclasses import dataclass
from typing import Any

from mlir_gs.dialect._bindings import PassManager, ir, module
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.frontend.common.common import Refusal
from mlir_gs.frontend.common.shapes import as_type
from mlir_gs.lowering.passes.registry import register_more

_TEXT = re.compile(r"!torch\.vtensor<\[([^\]]*)\],(.+)>")

UNKNOWN_TYPE = Refusal(
    "tensors whose rank or element type is not known",
    "needs tensors of known rank and element type, found {found}",
)
ELEMENT = Refusal(
    "quantized, string and other elements that are not integer, float or complex",
    "elements must be integer, float or complex, found {found}",
)
VALUE_TENSORS = (UNKNOWN_TYPE, ELEMENT)


@dataclass(frozen=True)
class TensorType:
    """A value tensor's sizes and its element type with its sign: `si64`, `ui8`, `f32`."""

    shape: tuple[int, ...]
    element: ir.Type

    @classmethod
    def of(cls, type_: ir.Type) -> "TensorType":
        """Raises a refusal for a type that is no value tensor, or one of unknown rank."""
        found = _TEXT.fullmatch(str(type_))
        if found is None:
            raise UNKNOWN_TYPE(found=type_)
        sizes = [size for size in found[1].split(",") if size]
        if found[2].startswith("!"):
            raise ELEMENT(found=found[2])
        shape = tuple(DYNAMIC if size == "?" else int(size) for size in sizes)
        return cls(shape, ir.Type.parse(found[2]))

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def is_unsigned(self) -> bool:
        return isinstance(self.element, ir.IntegerType) and self.element.is_unsigned

    @property
    def builtin(self) -> ir.Type:
        """The ranked tensor that stands for it; its integers are signless."""
        element = self.element
        if isinstance(element, ir.IntegerType):
            element = ir.IntegerType.get_signless(element.width)
        return ir.RankedTensorType.get(self.shape, element)


def name_of(op: ir.Operation) -> str:
    """`onnx.Gather` for a node, which is a `torch.operator`; else the operation's name."""
    if op.name == "torch.operator":
        return op.attributes["name"].value
    return op.name


def bindings() -> Any:
    """The provider's torch extension, which registers torch-mlir's passes when it is imported."""
    return module("_mlir_libs._torchMlir")


register_more(bindings)


def register_torch(context: ir.Context) -> None:
    """Make `context` know the dialects of torch-mlir: torch, torch_c and tm_tensor."""
    bindings().register_dialect(context)
    with context, ir.Location.unknown():
        load_conversions()


def load_conversions() -> None:
    """Load torch_c and tm_tensor into the current context.

    The bindings cannot name them, but passes that build their ops bring them.
    """
    bindings()
    passes = "torch-func-backend-type-conversion,func.func(convert-torch-to-tmtensor)"
    PassManager.parse(f"builtin.module({passes})").run(ir.Module.create().operation)


def to_builtin(value: ir.Value) -> ir.Value:
    """A value tensor as a builtin tensor; integers become signless. Raises a refusal."""
    type_ = TensorType.of(value.type).builtin
    owner = value.owner
    if isinstance(owner, ir.OpView | ir.Operation) and owner.name == "torch_c.from_builtin_tensor":
        return as_type(owner.operands[0], type_)
    return ir.Operation.create(
        "torch_c.to_builtin_tensor", results=[type_], operands=[value]
    ).result


def from_builtin(value: ir.Value, type_: ir.Type) -> ir.Value:
    """A builtin tensor as the value tensor `type_`."""
    known = as_type(value, TensorType.of(type_).builtin)
    return ir.Operation.create(
        "torch_c.from_builtin_tensor", results=[type_], operands=[known]
    ).result


def with_element(type_: ir.Type, element: ir.Type) -> ir.Type:
    """A value tensor's type with other elements."""
    sizes, _, _ = str(type_).rpartition(",")
    return ir.Type.parse(f"{sizes},{element}>")
