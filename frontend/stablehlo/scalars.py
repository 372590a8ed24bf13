"""`linalg-scalars-of-0d`: computations on 0-d tensors as computations on scalars."""

from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.frontend.stablehlo.common import tensor
from mlir_gs.lowering import register_pass
from mlir_gs.lowering.ir.builders import remap, walk_named


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
    known = {
        argument: tensor.extract(operand, [])
        for argument, operand in zip(block.arguments, op.operands, strict=True)
        if list(argument.uses)
    }
    *operations, last = list(block.operations)
    for view in operations:
        clone = view.operation.clone()
        remap(clone, known)
        known.update(zip(view.operation.results, clone.results, strict=True))
    for result, value in zip(op.results, last.operands, strict=True):
        result.replace_all_uses_with(tensor.from_elements(result.type, [known.get(value, value)]))
