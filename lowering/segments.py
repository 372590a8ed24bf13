"""Sorted coordinates: the points that reach one place of the output are neighbours, a segment.

The outputs of a segment stay in registers from its first point to its last, as the rows of a matrix
in CSR form do, and threads share the points at the borders of segments. The order in which the
points of a segment combine is kept, so the bits are those of the sequential loop.
"""

from collections.abc import Callable
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.builders import arith
from mlir_gs.lowering.coordinates import Point
from mlir_gs.lowering.emit import Ix, add, both, choose, compare, loop_while, sub, value
from mlir_gs.lowering.job import Job, plain_dims_in, symbols_in


@dataclass(frozen=True)
class Segments:
    """Iteration dim `dim` runs through segments; `symbols` are the coordinates of the outputs."""

    dim: int
    symbols: tuple[int, ...]

    def end(self, job: Job, first: Point, start: Ix, upper: Ix) -> ir.Value:
        """Where the segment of `start`, a point of which `first` has the coordinates, ends."""

        def same(position: ir.Value) -> ir.Value:
            return self._same(job, first, self._at(job, position))

        return _scan(value(add(start, 1)), upper, same)

    def border(self, job: Job, position: Ix) -> Ix:
        """The first start of a segment at or after `position`, or the extent of the dim."""
        if position == 0:
            return 0
        extent = job.extents[self.dim]

        def same(here: ir.Value) -> ir.Value:
            before = self._at(job, value(sub(here, 1)))
            return self._same(job, before, self._at(job, here))

        inside = both(compare("sgt", position, 0), compare("slt", position, extent))
        assert inside is not None
        return choose(
            inside,
            ir.IndexType.get(),
            lambda: _scan(value(position), extent, same),
            lambda: value(position),
        )

    def _at(self, job: Job, position: ir.Value) -> Point:
        point = Point({self.dim: position})
        for symbol in self.symbols:
            job.coordinates.load(symbol, point)
        return point

    def _same(self, job: Job, one: Point, other: Point) -> ir.Value:
        condition = None
        for symbol in self.symbols:
            equal = compare("eq", one.symbols[symbol], other.symbols[symbol])
            condition = both(condition, equal)
        assert condition is not None
        return condition


def _scan(start: ir.Value, upper: Ix, goes_on: Callable[[ir.Value], ir.Value]) -> ir.Value:
    """The first position from `start` on that is `upper` or where `goes_on` does not hold."""
    i1 = ir.IntegerType.get_signless(1)
    return loop_while(
        start,
        lambda position: choose(
            compare("slt", position, upper),
            i1,
            lambda: goes_on(position),
            lambda: arith.constant(i1, 0),
        ),
        lambda position: add(position, 1),
    )


def find_segments(job: Job, vector_dim: int | None) -> Segments | None:
    """The dim of `job` that runs through segments, if its coordinates are promised to be sorted."""
    structure = job.structure
    if not structure.sorted or structure.unique:
        return None
    outer, inner = job.loop_order(vector_dim)
    ordered = [dim for dim in outer if not structure.plain_in_outputs(dim)]
    if len(ordered) != 1 or (inner and min(inner) < ordered[0]):
        return None
    (dim,) = ordered
    symbols = set().union(*(symbols_in(ref) for ref in job.outputs))
    if not symbols or any(
        structure.wraps[symbol] or job.coordinates.depends(symbol) != {dim} for symbol in symbols
    ):
        return None
    if any(dim in plain_dims_in(ref) or symbols_in(ref) != symbols for ref in job.outputs):
        return None
    return Segments(dim, tuple(sorted(symbols)))
