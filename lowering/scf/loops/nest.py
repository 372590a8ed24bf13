"""Loop nests: one walk over the iteration space, scalar or with one dim in vector lanes."""

import functools
from collections.abc import Mapping, Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.lowering.ir.emit import Ix, Unroll, both, either, loop, loop_carrying, when
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.lanes import is_skipped, register_lanes
from mlir_gs.lowering.op.ranges import Range, Run
from mlir_gs.lowering.op.segments import Segments
from mlir_gs.lowering.scf.loops.across import Across
from mlir_gs.lowering.scf.loops.halo_share import HaloShare
from mlir_gs.lowering.scf.loops.non_temporal import Streaming
from mlir_gs.lowering.scf.loops.owned_points import Owner
from mlir_gs.lowering.scf.loops.point_strips import at_once, point_strips
from mlir_gs.lowering.scf.loops.points import Elements
from mlir_gs.lowering.scf.loops.row_blocks import RowBlocks, find_row_blocks
from mlir_gs.lowering.scf.loops.segment_loops import Carrying, SegmentLoops
from mlir_gs.lowering.scf.loops.short_vectors import may_move_twice
from mlir_gs.lowering.scf.loops.turned import emit_turned, find_turned
from mlir_gs.lowering.scf.loops.vector_runs import Block, in_lines, in_vectors, row_lanes, runs_of
from mlir_gs.lowering.scf.policy import Policy

# Vectors of one output that are kept in registers while reduction dims run.
BLOCK_VECTORS = 8


class Nest:
    """Emits the loops of one job; `vector_dim` is innermost and in lanes.

    `ranges` cut dims down, `owner` skips points, `halo` those at the borders of its part: how
    threads share a job. Dims that no output depends on run inside of the others, with the outputs
    in registers.
    """

    def __init__(
        self,
        job: Job,
        policy: Policy,
        vector_dim: int | None = None,
        lanes: int = 1,
        ranges: Mapping[int, Range] | None = None,
        owner: Owner | None = None,
        halo: HaloShare | None = None,
        streaming: Streaming | None = None,
        segments: Segments | None = None,
    ) -> None:
        self.job = job
        self.policy = policy
        self.vector_dim = vector_dim
        self.lanes = lanes
        self.ranges = {
            dim: Range(0, extent, length=extent if isinstance(extent, int) else None)
            for dim, extent in job.extents.items()
        }
        self.ranges.update(ranges or {})
        self.owner = owner
        self.halo = halo
        # Points are emitted that may write to the part of another thread.
        self.at_border = False
        self.streaming = streaming
        self.unroll: Unroll = "any" if vector_dim is None and job.has_known_places else "known"
        self.order, inner = job.loop_order(vector_dim)
        self.segments = segments
        # Dims of one point are not reduced.
        inner = [dim for dim in inner if job.extents[dim] != 1]
        self.reduced = inner if segments is None else [segments.dim, *inner]
        is_across = vector_dim is not None and not job.reaches_outputs(vector_dim)
        self.elements = Elements(job, vector_dim, lanes, bool(self.reduced) or is_across, streaming)
        self.skips = not self.reduced and is_skipped(job)
        self.across: Across | None = None
        self.row_blocks: RowBlocks | None = None
        self.turned: RowBlocks | None = None
        # Rows of 3 elements are vectors of 3.
        self.odd = False
        if vector_dim is not None and is_across:
            self.across = Across(job, self.elements, lanes, self.ranges[vector_dim])
        elif vector_dim is not None and segments is None:
            self.row_blocks = find_row_blocks(job, vector_dim)
            if not self.reduced and owner is None and halo is None:
                self.turned = find_turned(job, vector_dim)
            self.odd = self._computes_more_than_it_moves()
            if self.turned is not None:
                self.order = [*(d for d in self.order if d != self.turned.dim), self.turned.dim]

    def emit(self) -> None:
        """The whole nest at the insertion point."""
        # Dims of one point need no loop.
        point = Point({dim: 0 for dim, extent in self.job.extents.items() if extent == 1})
        self.level([dim for dim in self.order if dim not in point.dims], point, False)

    def level(self, order: Sequence[int], point: Point, guarded: bool) -> None:
        mask = self.elements.mask(point, guarded) if self.skips and not order else None
        when(mask, lambda: self._level(order, point, guarded))

    def _level(self, order: Sequence[int], point: Point, guarded: bool) -> None:
        self.job.coordinates.load_ready(point)
        if not guarded:
            condition = self._write_condition(point)
            if condition is not None:
                when(condition, lambda: self._inner(order, point, True))
                return
        self._inner(order, point, guarded)

    def _inner(self, order: Sequence[int], point: Point, guarded: bool) -> None:
        if not order:
            if self.vector_dim is None:
                self._block([Run(0, 1)], point, guarded)
            elif self.across is not None:
                self._across(self.across, point, guarded)
            else:
                self._lanes(point, guarded)
            return
        if self.segments is not None and order[0] == self.segments.dim:
            SegmentLoops(self, self.segments, order[1:], point).emit(guarded)
            return
        if self.turned is not None and [self.turned.dim] == list(order):
            at_row = functools.partial(self._inner, [], guarded=guarded)
            emit_turned(self.elements, self.turned, self.ranges, point, at_row)
            return
        dim, (lower, upper, *_) = order[0], self.ranges[order[0]]

        def at(position: Ix) -> None:
            self.level(order[1:], point.at(dim, position), guarded)

        def at_border(position: Ix) -> None:
            self.at_border = True
            at(position)
            self.at_border = False

        def together(positions: Sequence[Ix]) -> None:
            points = [point.at(dim, position) for position in positions]
            self.elements.read_in_order(dim, points)
            for one in points:
                self.level(order[1:], one, guarded)

        in_lanes = self.vector_dim is not None
        if self.owner is not None and dim == self.owner.dim:
            self.owner.loop(self.job, point, lower, upper, at)
        elif self.halo is not None and dim == self.halo.dim:
            self.halo.loop(self.ranges[dim], at, at_border, self.unroll)
        elif in_lanes or self.reduced or order[1:]:
            loop(lower, upper, 1, at, "never" if in_lanes else self.unroll)
        elif (count := at_once(self.job, dim, self.policy.together)) > 1:
            point_strips(lower, upper, together, count, self.unroll)
        else:
            loop(lower, upper, 1, at, self.unroll)

    def all_runs(self) -> list[Run] | None:
        """All points in lanes, if they are known to be no more than a block."""
        if self.vector_dim is None:
            return [Run(0, 1)]
        part = self.ranges[self.vector_dim]
        if part.length is None or part.length > BLOCK_VECTORS * self.lanes:
            return None
        return runs_of(part.lower, part.length, self.row_lanes, part.first, not self.odd)

    @property
    def row_lanes(self) -> int:
        """The elements of a vector, in which a row of fewer may be one."""
        if not self.odd or self.vector_dim is None or self.ranges[self.vector_dim].length is None:
            return self.lanes
        return register_lanes(self.job, self.policy.vector_bytes)

    def _computes_more_than_it_moves(self) -> bool:
        """LLVM loads and stores a vector of 3 in two pieces and computes with all at once: that
        pays where there are more ops than pieces to put together."""
        job, dim = self.job, self.vector_dim
        assert dim is not None
        if self.streaming is not None or self.row_blocks is not None or self.turned is not None:
            return False
        moved = [ref for ref in job.refs if ref.mentions(dim, job.coordinates)]
        computed = [op for op in job.body.operations if op.name != "arith.constant"]
        return len(computed) > len(moved)

    def fill(self, order: Sequence[int], place: Point) -> None:
        """What the output was filled with, for all points of the dims `order` and in lanes."""
        if order:
            dim, (lower, upper, *_) = order[0], self.ranges[order[0]]
            loop(lower, upper, 1, lambda at: self.fill(order[1:], place.at(dim, at)), "any")
            return

        def block(runs: Sequence[Run]) -> None:
            for run in runs:
                initial = self.elements.current(0, run, place, True)
                self.elements.store(run, place, [initial], True)

        if self.vector_dim is None:
            block([Run(0, 1)])
        else:
            self._in_vectors(place, block)

    def _write_condition(self, point: Point) -> ir.Value | None:
        """When the one output is written, once all its coordinates are known; else None."""
        if len(self.job.outputs) != 1:
            return None
        map_ = self.job.outputs[0].map
        if not {s for expr in map_.results for s in symbols_of(expr)} <= set(point.symbols):
            return None
        inside = None if self.halo is None or not self.at_border else self.halo.owns(point)
        return both(point.valid_for(map_), inside)

    def _lanes(self, point: Point, guarded: bool) -> None:
        """The vector dim in vectors."""
        self._in_vectors(point, lambda runs: self._block(runs, point, guarded))

    def _in_vectors(self, point: Point, block: Block) -> None:
        dim = self.vector_dim
        assert dim is not None
        part = self.ranges[dim]
        rows = None if self.streaming is None else self.streaming.rows
        if rows is None:
            self._from_the_first(dim, part, block)
            return
        lines = functools.partial(in_lines, rows, part, point.at(dim, part.lower), block)
        whole = functools.partial(self._from_the_first, dim, part, block)
        either(rows.begin_in_pieces(part.length), lines, whole)

    def _from_the_first(self, dim: int, part: Range, block: Block) -> None:
        as_one = self.row_blocks is None
        per_block = BLOCK_VECTORS if self.reduced and as_one else 1
        # A block of elements read one by one is long enough; but coordinates may be constants.
        few = part.length is not None and part.length <= BLOCK_VECTORS * self.lanes
        alone = bool(self.job.by_elements(dim))
        by_register = any((self.reduced, self.streaming, alone))
        lanes = self.row_lanes if by_register else row_lanes(part, self.row_lanes)
        repeated = few or not alone
        twice = not self.streaming and may_move_twice(self.job, dim, self.segments)
        in_vectors(part, lanes, per_block, as_one, repeated, twice, block, not self.odd)

    def _block(self, runs: Sequence[Run], point: Point, guarded: bool) -> None:
        """All reduction dims for some neighbours along the vector dim, then their outputs."""
        if not self.reduced:
            for run in runs:
                self.elements.run(run, point, guarded)
            return
        dims = [dim for dim in self.reduced if dim not in point.dims]
        news = self.reduce(runs, dims, point, self.current(runs, point, guarded), guarded)
        self.store(runs, point, news, guarded)

    def _across(self, across: Across, point: Point, guarded: bool) -> None:
        """One element of the output: all reduction dims, of which the last one is in lanes."""
        dims = [dim for dim in self.reduced if dim not in point.dims]
        (current,) = self.current([Run(0, 1)], point, guarded)
        news = self.reduce(None, dims, point, across.start(current), guarded)
        self.store([Run(0, 1)], point, [across.finish(news)], guarded)

    def current(self, runs: Sequence[Run], point: Point, guarded: bool) -> list[ir.Value]:
        """The outputs of each run before the op."""
        return [
            self.elements.current(number, run, point, guarded)
            for run in runs
            for number in range(len(self.job.outputs))
        ]

    def store(
        self, runs: Sequence[Run], point: Point, news: Sequence[ir.Value], guarded: bool
    ) -> None:
        outputs = len(self.job.outputs)
        for number, run in enumerate(runs):
            self.elements.store(
                run, point, news[number * outputs : (number + 1) * outputs], guarded
            )

    def reducing_loop(
        self,
        dim: int,
        part: Range,
        point: Point,
        runs: Sequence[Run] | None,
        start: list[ir.Value],
        at: Carrying,
    ) -> list[ir.Value]:
        """A loop over a part of `dim` that carries the outputs."""
        # Unrolled, a few vectors of some number mispredict two branches instead of one.
        repeated = part.length is not None or not (point.dims or self.job.is_repeated)
        often: Unroll = "any" if self.vector_dim is None else "never"
        unroll = self.unroll if repeated else often
        return loop_carrying(part.lower, part.upper, start, at, unroll=unroll)

    def reduce(
        self,
        runs: Sequence[Run] | None,
        dims: Sequence[int],
        here: Point,
        news: list[ir.Value],
        guarded: bool,
    ) -> list[ir.Value]:
        """The outputs `news` of each run after all points of `dims`; with no runs, across."""
        self.job.coordinates.load_ready(here)
        if dims:
            dim, part = dims[0], self.ranges[dims[0]]

            def at(position: Ix, inner: list[ir.Value]) -> list[ir.Value]:
                return self.reduce(runs, dims[1:], here.at(dim, position), inner, guarded)

            blocks = self.row_blocks
            if blocks is not None and runs is not None and len(dims) == 1 and runs[0].width > 1:
                lower, news = blocks.reduce(self.elements, runs[0], here, self.ranges, news)
                part = part._replace(lower=lower)
            return self.reducing_loop(dim, part, here, runs, news, at)
        if runs is None:
            assert self.across is not None
            return self.across.along(here, news)
        result, outputs = [], len(self.job.outputs)
        for number, run in enumerate(runs):
            current = news[number * outputs : (number + 1) * outputs]
            result += self.elements.values(run, here, current, guarded)
        return result
