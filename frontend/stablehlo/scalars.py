"""`linalg-scalars-of-0d`: computations on 0-d tensors as computations on scalars."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo.common import tensor
from mlir_gs.lowering import register_pass
from mlir_gs.lowering.ir.builders import clone_block, walk_named


@register_pass
@dataclass(frozen=True)
class LinalgScalarsOf0d:
    """Rewrite each linalg.generic on 0-d tensors to its body on scalars.

    The counters and conditions of a loop then need no memory.
    """

    name: ClassVar[str] = "linalg-scalars-of-0d"

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, "linalg.generic"):
            if len(op.results) > 0 and all(is_0d(value.type) for value in op.operands):
                with op.location, ir.InsertionPoint(op):
                    _scalars(op)
                op.erase()


def is_0d(type_: ir.Type) -> bool:
    return isinstance(type_, ir.RankedTensorType) and type_.rank == 0


def _scalars(op: ir.Operation) -> None:
    """`linalg.generic` on tensor<T> --> `tensor.extract`, the body, `tensor.from_elements`."""
    block = op.regions[0].blocks[0]
    elements = [
        tensor.extract(operand, []) if list(argument.uses) else operand
        for argument, operand in zip(block.arguments, op.operands, strict=True)
    ]
    for result, value in zip(op.results, clone_block(block, elements), strict=True):
        result.replace_all_uses_with(tensor.from_elements(result.type, [value]))
