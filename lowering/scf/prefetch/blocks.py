"""Prefetch of rows of which each lane adds up its own, in blocks: see `row_blocks`.

While a block of some rows is read, the same block is asked for of rows that come later. Where all
rows of a point of the loop around are few, as the heads of a token, those are the rows in the same
lanes some points later. Else they are those in the next run of lanes, and after the last run those
in the first one of the next point.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import Ix, add, both, compare, minimum, modulo, mul, sub, value, when
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.coordinates import Coordinates, Point
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.ranges import Range, Run
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import LINE, bytes_in
from mlir_gs.lowering.scf.prefetch.line import ask_for
from mlir_gs.lowering.scf.prefetch.rows import CACHED, MOST_ROWS, Prefetch
from mlir_gs.lowering.scf.target import Asking


@dataclass(frozen=True)
class LaterBlocks:
    """Rows of `refs` along `dim`, those at the points `rows`, which are read `columns` elements at
    a time and come to the cache of this `level`."""

    refs: Sequence[Ref]
    rows: Sequence[Point]
    dim: int
    columns: int
    level: int

    @property
    def asked(self) -> list[Ref]:
        """Those of `refs` that are asked for: where they are is known, and no cache holds them."""
        return [ref for ref in self.refs if self.rows and self._is_known(ref) and _may_be_far(ref)]

    def _is_known(self, ref: Ref) -> bool:
        # A coordinate that is read through others is not known ahead.
        return all(symbols_in(ref) <= set(row.symbols) for row in self.rows)

    def ask(self, position: Ix) -> None:
        """For a block of them, from `position` along the dim on."""
        for ref in self.asked:
            self._ask(ref, position)

    def _ask(self, ref: Ref, position: Ix) -> None:
        size, in_line = bytes_in(ref.memref), LINE // bytes_of(ref.storage)

        def lines() -> None:
            for row in self.rows:
                for offset in range(0, self.columns, in_line):
                    where = ref.indices(row.at(self.dim, add(position, offset)))
                    ask_for(ref.memref, where, False, self.level)

        far = None if isinstance(size, int) else compare("sgt", size, CACHED)
        # Several blocks are of one line.
        several = self.columns < in_line
        first = compare("eq", modulo(position, in_line), 0) if several else None
        when(both(far, first), lines)


def _may_be_far(ref: Ref) -> bool:
    size = bytes_in(ref.memref)
    return not isinstance(size, int) or size > CACHED


@dataclass(frozen=True)
class BlocksAhead:
    """What to ask for of `refs`, which have rows along `dim`, one for each position of
    `vector_dim`, in runs of `lanes` of them."""

    job: Job
    refs: Sequence[Ref]
    dim: int
    vector_dim: int
    lanes: int
    asking: Asking

    def at(
        self, point: Point, run: Run, ranges: Mapping[int, Range], around: Sequence[int]
    ) -> LaterBlocks:
        """While `run` is read. Around the loop over runs are those over the dims `around`, which
        are at `point`."""
        if not self.refs:
            return LaterBlocks((), (), self.dim, run.width, self.asking.level)
        extents = self.job.extents
        loops = [dim for dim in around if extents[dim] != 1]
        moving = [ref for ref in self.refs if loops and ref.mentions(loops[-1], self._coordinates)]
        bytes_in_column = sum(bytes_of(ref.storage) for ref in moving)
        taken = mul(mul(extents[self.vector_dim], extents[self.dim]), bytes_in_column)
        later = None
        if moving and isinstance(taken, int) and taken <= self.asking.row_ahead:
            steps = min(MOST_ROWS, self.asking.row_ahead // max(taken, 1))
            later = self._later(moving, steps, point, ranges, loops)
            rows = [later.at(self.vector_dim, add(run.position, i)) for i in range(run.width)]
        else:
            if moving:
                later = self._later(moving, 1, point, ranges, loops)
            rows = self._next_run(point, run, ranges[self.vector_dim], later)
        for row in rows:
            self._coordinates.load_raw_ready(row)
        refs = self.refs if later is None else moving
        return LaterBlocks(refs, rows, self.dim, run.width, self.asking.level)

    @property
    def _coordinates(self) -> Coordinates:
        return self.job.coordinates

    def _later(
        self,
        refs: Sequence[Ref],
        steps: int,
        point: Point,
        ranges: Mapping[int, Range],
        loops: Sequence[int],
    ) -> Point:
        """The point so many steps of the innermost loop later, or past its end one of the loop
        around it."""
        *outer, dim = loops
        around = outer[-1] if outer else None
        rows = Prefetch(
            dim, around, steps, self.vector_dim, tuple(refs), (), None, False, self.asking
        )
        last = None if around is None else ranges[around].upper
        return rows.there(self.job, point, point.dims[dim], ranges[dim].upper, last)

    def _next_run(self, point: Point, run: Run, part: Range, later: Point | None) -> list[Point]:
        """The points in the lanes of the run after `run`, past the last one of the first at
        `later`, if there is such a point; none if there are no other runs."""
        extent, following = self.job.extents[self.vector_dim], add(run.position, run.width)
        if later is None and isinstance(extent, int) and extent <= run.width:
            return []
        symbols = {
            symbol: at
            for symbol, at in point.symbols.items()
            if self.vector_dim not in self._coordinates.depends(symbol)
        }
        here = Point(dict(point.dims), symbols)
        if later is not None:
            past = compare("sge", following, part.upper)
            following = arith.select(past, value(part.lower), value(following))
            here = Point(
                {dim: _either(past, later.dims[dim], at) for dim, at in here.dims.items()},
                {
                    symbol: _either(past, later.symbols[symbol], at)
                    for symbol, at in symbols.items()
                    if symbol in later.symbols
                },
            )
        last = sub(part.upper, 1)
        # After what is left of the lanes there is a whole run.
        rows = range(max(run.width, self.lanes))
        return [here.at(self.vector_dim, minimum(add(following, i), last)) for i in rows]


def _either(condition: ir.Value, a: Ix, b: Ix) -> Ix:
    return a if a == b else arith.select(condition, value(a), value(b))
