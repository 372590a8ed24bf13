"""Segments: under sorted coordinates, the adjacent points that update one element of the output.

The outputs of a segment stay in registers from its first point to its last, as a row of a CSR
matrix does. Threads divide the points at the borders of segments. Points combine in their order,
so that the result has the bits of the sequential loop.

Where the output was filled with a constant, a segment starts from that, and the loop fills the
elements between segments: each is written once.
"""

from collections.abc import Callable
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    both,
    choose,
    compare,
    loop,
    loop_while,
    maximum,
    minimum,
    size_of,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job, plain_dims_in, symbols_in


@dataclass(frozen=True)
class Segments:
    """Iteration dim `dim` runs through segments; `symbols` are the coordinates of the outputs."""

    dim: int
    symbols: tuple[int, ...]

    def end(self, job: Job, first: Point, start: Ix, upper: Ix) -> ir.Value:
        """The end of the segment of position `start`, whose coordinates are in `first`."""

        def same(position: ir.Value) -> ir.Value:
            return self.same(first, self._at(job, position))

        return _scan(value(add(start, 1)), upper, same)

    def border(self, job: Job, position: Ix) -> Ix:
        """The first start of a segment at or after `position`, or the extent of the dim."""
        if position == 0:
            return 0
        extent = job.extents[self.dim]

        def same(here: ir.Value) -> ir.Value:
            before = self._at(job, value(sub(here, 1)))
            return self.same(before, self._at(job, here))

        inside = both(compare("sgt", position, 0), compare("slt", position, extent))
        assert inside is not None
        return choose(
            inside,
            ir.IndexType.get(),
            lambda: _scan(value(position), extent, same),
            lambda: value(position),
        )

    def fill_before(
        self, job: Job, first: Point, start: ir.Value, fill: Callable[[Ix], None]
    ) -> None:
        """Call `fill(place)` for each element between the previous segment and that of `start`."""
        loop(self._after(job, start), self._within(job, self._place(first)), 1, fill, "any")

    def fill_after(self, job: Job, lower: Ix, upper: Ix, fill: Callable[[Ix], None]) -> None:
        """Call `fill(place)` for each element after the last segment, if in [lower, upper)."""
        extent, (symbol,) = job.extents[self.dim], self.symbols
        last = compare("eq", upper, extent)
        mine = arith.ori(compare("slt", lower, upper), compare("eq", extent, 0))
        size = self.size(job, symbol)
        when(
            arith.andi(last, mine),
            lambda: loop(self._after(job, value(upper)), size, 1, fill, "any"),
        )

    def _after(self, job: Job, position: ir.Value) -> Ix:
        """The element after that of the point before `position`."""
        index_type = ir.IndexType.get()
        before = choose(
            compare("sgt", position, 0),
            index_type,
            lambda: value(self._place(self._at(job, value(sub(position, 1))))),
            lambda: value(-1),
        )
        (symbol,) = self.symbols
        if job.structure.modes[symbol] == "fill_or_drop":
            # A dropped coordinate may be the largest number, plus one overflows.
            before = minimum(maximum(before, -1), sub(self.size(job, symbol), 1))
        return add(before, 1)

    def _place(self, point: Point) -> Ix:
        (symbol,) = self.symbols
        return point.symbols[symbol]

    def _within(self, job: Job, place: Ix) -> Ix:
        """`place`, clamped: dropped coordinates are before the first element or after the last."""
        (symbol,) = self.symbols
        if job.structure.modes[symbol] != "fill_or_drop":
            return place
        return minimum(maximum(place, 0), self.size(job, symbol))

    def size(self, job: Job, symbol: int) -> Ix:
        """The size of the output in the dimension that `symbol` addresses."""
        (output,) = job.structure.outputs
        (position,) = (p for p, e in enumerate(output.map.results) if symbol in symbols_of(e))
        return size_of(output.value, position)

    def _at(self, job: Job, position: ir.Value) -> Point:
        point = Point({self.dim: position})
        for symbol in self.symbols:
            job.coordinates.load(symbol, point)
        return point

    def same(self, one: Point, other: Point) -> ir.Value:
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


def find_segments(job: Job, vector_dim: int | None, promised: bool = True) -> Segments | None:
    """The segments of `job`, if its coordinates are promised to be sorted and one dim has them.
    Not `promised`: any neighbours with equal coordinates are one."""
    structure = job.structure
    if (promised and not structure.sorted) or structure.unique:
        return None
    if any(one.map == output.map for one in job.inputs for output in job.outputs):
        # It may be read where it is written, which registers would hide.
        return None
    outer, inner = job.loop_order(vector_dim)
    ordered = [dim for dim in outer if not structure.plain_in_outputs(dim)]
    if len(ordered) != 1 or (inner and min(inner) < ordered[0]):
        return None
    (dim,) = ordered
    symbols = set().union(*(symbols_in(ref) for ref in job.outputs))
    if not symbols or any(
        structure.wraps[symbol]
        or job.coordinates.depends(symbol) != {dim}
        or structure.is_chained(symbol)
        for symbol in symbols
    ):
        return None
    if any(dim in plain_dims_in(ref) or symbols_in(ref) != symbols for ref in job.outputs):
        return None
    # A coordinate of two dims, as of a diagonal, has no one size and no elements between two.
    places = [expr for output in structure.outputs for expr in output.map.results]
    if sum(bool(symbols_of(e)) for e in places) != len(symbols) * len(structure.outputs):
        return None
    return Segments(dim, tuple(sorted(symbols)))


def can_fill(job: Job, segments: Segments | None, vector_dim: int | None) -> bool:
    """The loop over segments can fill all elements of the one output that no segment updates."""
    if segments is None or len(job.outputs) != 1 or len(segments.symbols) != 1:
        return False
    outer, _ = job.loop_order(vector_dim)
    loops = [dim for dim in outer if job.extents[dim] != 1]
    (output,) = job.structure.outputs
    places = [expr for expr in output.map.results if symbols_of(expr)]
    return loops[:1] == [segments.dim] and all(isinstance(e, ir.AffineSymbolExpr) for e in places)
