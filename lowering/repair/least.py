"""Numbers that may fold to the least of 64 bits, with which upstream marks a number as dynamic."""

from collections.abc import Iterator

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import arith, constant_of, index, producer, walk_named

MARKED = (
    *("tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice"),
    *("memref.subview", "memref.reinterpret_cast", "affine.linearize_index"),
)
_MOST = 64
"""Ops that a number is followed through."""


def keep_from_mark(module: ir.Operation) -> None:
    """Let no number of a slice, and no size of a linear index, fold to the mark of those that are
    not constant. The next number is out of bounds as well.

    before: `tensor.extract_slice %x[%c] [2] [1]`, where %c may fold to -2^63
    after:  `tensor.extract_slice %x[max(%c, -2^63 + 1)] [2] [1]`

    Does not apply where an argument or an element is among what %c is computed from.
    """
    for op in walk_named(module, *MARKED):
        # The block of a parallel insertion takes no other ops.
        place = op.parent if op.name == "tensor.parallel_insert_slice" else op
        first = op.attributes["operandSegmentSizes"][0] if op.name.startswith("affine.") else 0
        for number in range(first, len(op.operands)):
            value = op.operands[number]
            if isinstance(value.type, ir.IndexType) and _may_be_mark(value):
                with op.location, ir.InsertionPoint(place):
                    next_ = index(DYNAMIC + 1)
                    known = constant_of(value) is not None
                    op.operands[number] = next_ if known else arith.maxsi(value, next_)


def _may_be_mark(value: ir.Value) -> bool:
    known = constant_of(value)
    if known is not None:
        return known == DYNAMIC
    leaves = list(_leaves(value))
    return DYNAMIC in leaves or None not in leaves


def _leaves(value: ir.Value) -> Iterator[int | None]:
    """The constants that a number is computed from, and None for anything else."""
    seen, left = set[ir.Value](), [value]
    while left:
        value = left.pop()
        if value in seen:
            continue
        seen.add(value)
        made = producer(value)
        if made is None:
            yield from _of_argument(value.owner)
        elif made.name == "arith.constant":
            yield constant_of(value) or 0
        elif not made.operands or len(seen) > _MOST:
            yield None
        else:
            left += made.operands


def _of_argument(block: ir.Block) -> Iterator[int | None]:
    """As `_leaves` has it: a block that is branched to may get any number, a loop begins with its
    operands."""
    around = block.owner.operation
    yield None
    if block != around.regions[0].blocks[0] or DYNAMIC in map(constant_of, around.operands):
        yield DYNAMIC
