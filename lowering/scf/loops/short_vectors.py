"""Rows that only move, of a length that is known when they do: a loop for rows of one element, of 2
or 3, of 4 to 7, and so on up to a vector.

Each moves a row as two short vectors, its first and its last elements; those that are in both are
moved twice. What is left of longer rows is a vector that ends where the row does, too.
The loops are a function of their own: where LLVM gives registers to all that a kernel may do, it
leaves them too few.
"""

from collections.abc import Callable

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.emit import compare, either, when
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.ranges import Range
from mlir_gs.lowering.op.segments import Segments

NAME = "gs_narrow_rows"
"""Of the function."""


def may_move_twice(job: Job, dim: int, segments: Segments | None) -> bool:
    """Elements along `dim` lie side by side, and are what they were when they are moved again."""
    _, reduced = job.loop_order(dim)
    if reduced or segments is not None or not job.body.moves_only:
        return False
    return job.reaches_outputs(dim) and not job.by_elements(dim)


def by_length(part: Range, lanes: int, emit: Callable[[Range, int], None]) -> None:
    """`emit(part, lanes)` for each number of lanes that is a power of 2 below `lanes`, where there
    are so many points in the part of the vector dim or more, but not twice as many."""
    count = lanes // 2
    short = part._replace(least=count)
    enough = compare("sge", part.size, count)
    if count == 1:
        when(enough, lambda: emit(short, 1))
    else:
        either(enough, lambda: emit(short, count), lambda: by_length(part, count, emit))


def is_narrow(job: Job, dim: int, part: Range, lanes: int) -> ir.Value | None:
    """Whether rows along `dim` are to be run by loops for narrow ones; None for never."""
    if lanes == 1 or isinstance(job.extents[dim], int) or not may_move_twice(job, dim, None):
        return None
    return compare("slt", part.size, lanes)
