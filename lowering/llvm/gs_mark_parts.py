"""Functions that hold a part of an op, called in sequence or by each thread.

They stay functions in machine code too, so that each is compiled once; what is known at their
calls about memory that is not shared is said at their arguments.
"""

from dataclasses import dataclass
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import memory_of, walk_named
from mlir_gs.lowering.kernel.written import is_written
from mlir_gs.lowering.llvm.lowered_ops import symbol


@dataclass(frozen=True)
class Part:
    """The name of such a function, the ranks of its arguments (None: not a memref), and which of
    them it writes and shares with no other."""

    name: str
    ranks: tuple[int | None, ...]
    disjoint: frozenset[int]


def parts(module: Any, entry: Any, disjoint: set[int]) -> list[Part]:
    """The functions of `module`, loops on memrefs, that are marked `no_inline`.

    `disjoint` are the arguments of the function `entry` that share memory with no other.
    """
    found = []
    block = entry.regions[0].blocks[0]
    calls: dict[str, list[Any]] = {}
    for call in walk_named(module.operation, "func.call"):
        calls.setdefault(call.attributes["callee"].value, []).append(call)
    for op in module.body.operations:
        attributes = op.operation.attributes
        if op.operation.name != "func.func" or "no_inline" not in attributes or op.is_external:
            continue
        arguments = list(op.regions[0].blocks[0].arguments)
        ranks = tuple(_rank(argument) for argument in arguments)
        written = {
            number
            for number, argument in enumerate(arguments)
            if ranks[number] is not None and is_written(argument)
        }
        for call in calls.get(symbol(op), ()):
            roots = [memory_of(operand) for operand in call.operands]
            written = {n for n in written if _is_disjoint(n, roots, block, disjoint)}
        found.append(Part(symbol(op), ranks, frozenset(written)))
    return found


def _rank(value: Any) -> int | None:
    return value.type.rank if isinstance(value.type, ir.MemRefType) else None


def _is_disjoint(number: int, roots: list[Any], block: Any, disjoint: set[int]) -> bool:
    """Whether operand `number` of a call has memory of its own."""
    root = roots[number]
    if any(other == root for k, other in enumerate(roots) if k != number):
        return False
    if isinstance(root, ir.BlockArgument):
        return root.owner == block and root.arg_number in disjoint
    return root.owner.name == "memref.alloc"


def mark_parts(module: Any, found: list[Part]) -> None:
    """Say in the LLVM dialect what `parts` found out."""
    by_name = {part.name: part for part in found}
    for op in module.body.operations:
        part = by_name.get(symbol(op))
        if part is None or op.operation.name != "llvm.func" or not op.regions[0].blocks:
            continue
        marks: list[Any] = []
        for number, rank in enumerate(part.ranks):
            marks += pointer_marks(rank, number in part.disjoint)
        if len(marks) == len(op.regions[0].blocks[0].arguments):
            op.operation.attributes["arg_attrs"] = ir.ArrayAttr.get(marks)
        op.operation.attributes["no_inline"] = ir.UnitAttr.get()


def pointer_marks(rank: int | None, disjoint: bool) -> list[Any]:
    """The attributes of the LLVM arguments that a memref of `rank`, or a scalar, becomes."""
    nothing = ir.DictAttr.get({})
    if rank is None:
        return [nothing]
    # A memref is its allocation, the pointer that is used, an offset, sizes and strides.
    marks = [nothing] * (3 + 2 * rank)
    if disjoint:
        marks[1] = ir.DictAttr.get({"llvm.noalias": ir.UnitAttr.get()})
    return marks
