"""`gs-mark-pointers`: what LLVM is told of the functions that `gs-note-memory` describes."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.kernel.attributes import DISJOINT, KERNEL, RANKS
from mlir_gs.lowering.llvm.lowered_ops import defined
from mlir_gs.lowering.passes.registry import register_pass


@register_pass
@dataclass(frozen=True)
class GsMarkPointers:
    """Mark the pointers of `gs.disjoint` arguments, in the LLVM dialect, as `llvm.noalias`.

    Functions that run a part of an op become `no_inline` again: each is compiled once, and called
    in sequence or by each thread. `gs.ranks` and `gs.disjoint` go.
    """

    name: ClassVar[str] = "gs-mark-pointers"
    noalias: bool = field(default=True, metadata={"help": "false: mark functions alone"})

    def run(self, module: ir.Operation) -> bool:
        for function in defined(module):
            attributes = function.attributes
            if RANKS not in attributes:
                continue
            disjoint = set(attributes[DISJOINT]) if self.noalias else set()
            marks: list[Any] = []
            for number, rank in enumerate(attributes[RANKS]):
                marks += _pointer_marks(rank, number in disjoint)
            if len(marks) == len(function.regions[0].blocks[0].arguments):
                attributes["arg_attrs"] = ir.ArrayAttr.get(marks)
            if KERNEL not in attributes:
                attributes["no_inline"] = ir.UnitAttr.get()
            del attributes[RANKS], attributes[DISJOINT]
        return False


def _pointer_marks(rank: int, disjoint: bool) -> list[Any]:
    """The attributes of the LLVM arguments that a memref of `rank`, or a scalar, becomes."""
    nothing = ir.DictAttr.get({})
    if rank < 0:
        return [nothing]
    # A memref is its allocation, the pointer that is used, an offset, sizes and strides.
    marks = [nothing] * (3 + 2 * rank)
    if disjoint:
        marks[1] = ir.DictAttr.get({"llvm.noalias": ir.UnitAttr.get()})
    return marks
