"""`gs-mark-pointers`: what LLVM is told of the functions that `gs-note-memory` describes."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import producer, replace_op, walk_named
from mlir_gs.lowering.kernel.attributes import DISJOINT, KERNEL, RANKS
from mlir_gs.lowering.llvm.llvm_ops import number
from mlir_gs.lowering.llvm.lowered_ops import defined
from mlir_gs.lowering.passes.registry import register_pass

llvm = dialect("llvm")


@register_pass
@dataclass(frozen=True)
class GsMarkPointers:
    """Mark the pointers of `gs.disjoint` arguments, in the LLVM dialect, as `llvm.noalias`.

    Aligned memory is counted from the pointer that malloc gives, which LLVM knows to alias nothing:

    before: `llvm.inttoptr (a - a mod 64)`, with `a = llvm.ptrtoint %memory + 63`
    after:  `llvm.getelementptr %memory[(a - a mod 64) - llvm.ptrtoint %memory]`

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
            for place, rank in enumerate(attributes[RANKS]):
                marks += _pointer_marks(rank, place in disjoint)
            if len(marks) == len(function.regions[0].blocks[0].arguments):
                attributes["arg_attrs"] = ir.ArrayAttr.get(marks)
            if KERNEL not in attributes:
                attributes["no_inline"] = ir.UnitAttr.get()
            del attributes[RANKS], attributes[DISJOINT]
        if self.noalias:
            _count_from_memory(module)
        return False


def _count_from_memory(module: ir.Operation) -> None:
    """Let what allocations are aligned to be counted from their pointers."""
    for op in walk_named(module, "llvm.inttoptr"):
        above = producer(op.operands[0], "llvm.sub")
        above = above and producer(above.operands[0], "llvm.add")
        address = above and producer(above.operands[0], "llvm.ptrtoint")
        if address is None or producer(address.operands[0], "llvm.call") is None:
            continue
        with op.location, ir.InsertionPoint(op):
            ahead = llvm.SubOp(op.operands[0], address.results[0], number(0, 32)).result
            moved = ir.Operation.create(
                "llvm.getelementptr",
                results=[op.results[0].type],
                operands=[address.operands[0], ahead],
                # The index that stands for an operand.
                attributes={
                    "elem_type": ir.TypeAttr.get(ir.IntegerType.get_signless(8)),
                    "rawConstantIndices": ir.DenseI32ArrayAttr.get([-(1 << 31)]),
                },
            )
            replace_op(op, list(moved.results))


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
