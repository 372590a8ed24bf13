"""Transposes: what lies along another dim than the outputs is read in square tiles.

A vector of such an input has its elements in as many lines. Here each line of a tile is read once,
as a vector along the other dim, and the vectors are transposed in registers.
"""

from collections.abc import Callable, Mapping

from mlir_gs.lowering.ir.emit import Ix, add, all_at_least, either, loop, minimum, modulo, sub
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.ranges import Range, Run
from mlir_gs.lowering.scf.loops.points import Elements
from mlir_gs.lowering.scf.loops.row_blocks import RowBlocks, row_blocks_along
from mlir_gs.lowering.scf.remarks import names, remark
from mlir_gs.lowering.scf.strategy import unless_always

MOST = 16
"""Rows of a tile, at most: as many registers hold them."""


def find_turned(job: Job, vector_dim: int) -> RowBlocks | None:
    """The tiles along `vector_dim` and the innermost other dim along which inputs lie, if each
    point writes an element of its own."""
    if any(symbols_in(ref) for ref in job.outputs) or not job.by_elements(vector_dim):
        return None
    for dim in reversed(range(job.structure.rank)):
        if dim == vector_dim or not all(
            ref.mentions(dim, job.coordinates) and not ref.steps_with(dim, job.coordinates)
            for ref in job.outputs
        ):
            continue
        found = row_blocks_along(job, vector_dim, dim)
        if found is not None:
            return found
    return None


def emit_turned(
    elements: Elements,
    blocks: RowBlocks,
    ranges: Mapping[int, Range],
    point: Point,
    at_row: Callable[[Point], None],
) -> None:
    """All points of the two dims of `blocks` at `point`: whole tiles, then the edges. `at_row` is
    for what is less than a tile: all points along the vector dim."""
    across, along = ranges[blocks.vector_dim], ranges[blocks.dim]
    job, width = elements.job, min(elements.lanes, MOST)
    remark(job, f"{names(job, [job.inputs[n] for n in blocks.apart])} in tiles, transposed")

    def tile(first: Ix, position: Ix) -> None:
        run = Run(position, width)
        lane = elements.lane_points(run, point)
        for number in range(width):
            lane(number)
        for offset, column in enumerate(blocks.columns(job, lane, first, width, width)):
            here = at(first, offset)
            current = [elements.current(n, run, here, True) for n in range(len(job.outputs))]
            rest = (blocks.early, blocks.late, column)
            elements.store(run, here, elements.values_late(run, here, current, *rest), True)

    def at(first: Ix, offset: Ix) -> Point:
        here = point.at(blocks.dim, add(first, offset))
        job.coordinates.load_ready(here)
        return here

    def plainly(first: Ix, last: Ix) -> None:
        loop(first, last, 1, lambda position: at_row(at(position, 0)), "never")

    def in_tiles(part: Range, body: Callable[[Ix], None]) -> Ix:
        """`body` at each tile; the end of the last. What is only moved may be moved twice."""
        if job.body.moves_only:
            last = sub(part.upper, width)
            loop(part.lower, part.upper, width, lambda p: body(minimum(p, last)), "never")
            return part.upper
        length = sub(part.upper, part.lower)
        end = add(part.lower, sub(length, modulo(length, width)))
        loop(part.lower, end, width, body, "never")
        return end

    def row_of_tiles(first: Ix) -> None:
        end = in_tiles(across, lambda position: tile(first, position))

        def element(offset: Ix, position: Ix) -> None:
            elements.run(Run(position, 1), at(first, offset), True)

        loop(end, across.upper, 1, lambda p: loop(0, width, 1, lambda n: element(n, p), "never"))

    def tiles() -> None:
        plainly(in_tiles(along, row_of_tiles), along.upper)

    enough = all_at_least([(across.size, width), (along.size, width)])
    if enough is not False:
        either(unless_always(enough), tiles, lambda: plainly(along.lower, along.upper))
    else:
        plainly(along.lower, along.upper)
