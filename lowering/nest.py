"""Loop nests: one walk over the iteration space, scalar or with one dim in vector lanes."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.lowering.body import cast, harmless, splat, vector
from mlir_gs.lowering.builders import arith, index
from mlir_gs.lowering.coordinates import Point
from mlir_gs.lowering.emit import (
    Ix,
    add,
    both,
    choose,
    compare,
    loop,
    loop_carrying,
    memref,
    sub,
    value,
    when,
)
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.prefetch import Prefetch
from mlir_gs.lowering.prefetch_next_row import NextRow
from mlir_gs.lowering.refs import Ref

# Vectors of one output that are kept in registers while reduction dims run.
BLOCK_VECTORS = 8


class Range(NamedTuple):
    """A part of an iteration dim: its length is known to be a multiple of `multiple`."""

    lower: Ix
    upper: Ix
    multiple: int = 1


class Owner(NamedTuple):
    """Only points whose coordinate `symbol` lies in [lower, upper) are run."""

    symbol: int
    lower: Ix
    upper: Ix


class Run(NamedTuple):
    """`width` neighbours along the vector dim, from `position` on."""

    position: Ix
    width: int


class Nest:
    """Emits the loops of one job; `vector_dim` is innermost and in lanes.

    `ranges` cut dims down, `owner` skips points; both are how threads share a job. Dims that no
    output depends on run inside of the others, with the outputs in registers.
    """

    def __init__(
        self,
        job: Job,
        vector_dim: int | None = None,
        lanes: int = 1,
        ranges: Mapping[int, Range] | None = None,
        owner: Owner | None = None,
        prefetch: Prefetch | None = None,
        next_rows: Sequence[NextRow] = (),
    ) -> None:
        self.job = job
        self.vector_dim = vector_dim
        self.lanes = lanes
        self.ranges = {dim: Range(0, extent) for dim, extent in job.extents.items()}
        self.ranges.update(ranges or {})
        self.owner = owner
        self.prefetch = prefetch
        self.next_rows = next_rows
        outer, inner = job.loop_order(vector_dim)
        self.order = outer
        self.reduced = inner

    def emit(self) -> None:
        """The whole nest at the insertion point."""
        # Dims of one point need no loop.
        point = Point({dim: 0 for dim, extent in self.job.extents.items() if extent == 1})
        self._level([dim for dim in self.order if dim not in point.dims], point, False)

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
            else:
                self._lanes(point, guarded)
            return
        dim, (lower, upper, _) = order[0], self.ranges[order[0]]

        def body(position: Ix) -> None:
            self._prefetch(dim, point, position, upper, None)
            self._level(order[1:], point.at(dim, position), guarded)

        loop(lower, upper, 1, body)

    def _prefetch(
        self, dim: int, point: Point, position: Ix, upper: Ix, runs: Sequence[Run] | None
    ) -> None:
        if self.prefetch is None or self.prefetch.dim != dim or self.vector_dim is None:
            return
        if runs is None:
            lower, extent = 0, self.job.extents[self.vector_dim]
        else:
            lower = runs[0].position
            extent = sum(run.width for run in runs)
        outer = self.prefetch.outer
        last = None if outer is None else self.ranges[outer].upper
        self.prefetch.emit(self.job, point, position, upper, last, lower, extent)

    def _write_condition(self, point: Point) -> ir.Value | None:
        """When the one output is written, once all its coordinates are known; else None."""
        if len(self.job.outputs) != 1:
            return None
        map_ = self.job.outputs[0].map
        if not {s for expr in map_.results for s in symbols_of(expr)} <= set(point.symbols):
            return None
        condition = point.valid_for(map_)
        if self.owner is not None:
            symbol, lower, upper = self.owner
            position = point.symbols[symbol]
            condition = both(condition, compare("sge", position, lower))
            condition = both(condition, compare("slt", position, upper))
        return condition

    def _lanes(self, point: Point, guarded: bool) -> None:
        """The vector dim: blocks of whole vectors, then what is left in halves or one by one."""
        assert self.vector_dim is not None
        (lower, upper, multiple), lanes = self.ranges[self.vector_dim], self.lanes
        per_block = BLOCK_VECTORS if self.reduced else 1

        def run(width: int, count: int) -> Callable[[Ix], None]:
            def block(position: Ix) -> None:
                if width > 1:
                    for row in self.next_rows:
                        row.emit(point, self.ranges[row.dim].upper, position)
                runs = [Run(add(position, width * i), width) for i in range(count)]
                self._block(runs, point, guarded)

            return block

        if isinstance(lower, int) and isinstance(upper, int):
            step = lanes * per_block
            whole = upper - (upper - lower) % step
            loop(lower, whole, step, run(lanes, per_block))
            rest = []
            while whole < upper:
                if whole + lanes <= upper:
                    rest.append(Run(whole, lanes))
                    whole += lanes
                else:
                    lanes //= 2
            if rest:
                self._block(rest, point, guarded)
            return
        for count in sorted({per_block, 1}, reverse=True):
            step = lanes * count
            if multiple % step == 0:
                loop(lower, upper, step, run(lanes, count))
                return
            rest_size = arith.remui(value(sub(upper, lower)), index(step))
            whole_end = value(sub(upper, rest_size))
            loop(lower, whole_end, step, run(lanes, count))
            lower = whole_end
        loop(lower, upper, 1, run(1, 1))

    def _block(self, runs: Sequence[Run], point: Point, guarded: bool) -> None:
        """All reduction dims for some neighbours along the vector dim, then their outputs."""
        if not self.reduced:
            for run in runs:
                self._store(run, point, self._values(run, point, None, guarded), guarded)
            return
        carried = [
            self._current(number, run, point, guarded)
            for run in runs
            for number in range(len(self.job.outputs))
        ]
        outputs = len(self.job.outputs)

        def level(dims: Sequence[int], here: Point, news: list[ir.Value]) -> list[ir.Value]:
            self.job.coordinates.load_ready(here)
            if dims:
                dim, (lower, upper, _) = dims[0], self.ranges[dims[0]]

                def body(position: Ix, inner: list[ir.Value]) -> list[ir.Value]:
                    self._prefetch(dim, here, position, upper, runs)
                    return level(dims[1:], here.at(dim, position), inner)

                return loop_carrying(lower, upper, news, body)
            result = []
            for number, run in enumerate(runs):
                current = news[number * outputs : (number + 1) * outputs]
                result += self._values(run, here, current, guarded)
            return result

        dims = [dim for dim in self.reduced if dim not in point.dims]
        news = level(dims, point, carried)
        for number, run in enumerate(runs):
            self._store(run, point, news[number * outputs : (number + 1) * outputs], guarded)

    def _values(
        self, run: Run, point: Point, current: Sequence[ir.Value] | None, guarded: bool
    ) -> list[ir.Value]:
        """What the body yields for `run`; `current` are the outputs, or they are loaded."""
        lane = self._lane_points(run, point)
        values = [self._input(number, lane, run.width) for number in range(len(self.job.inputs))]
        # Outputs are read after the inputs and before any is written.
        if current is None:
            current = [
                self._current(number, run, point, guarded)
                for number in range(len(self.job.outputs))
            ]
        values += current
        if run.width == 1:
            news = self.job.body.scalar(values)
            return [cast(new, ref.storage) for new, ref in zip(news, self.job.outputs, strict=True)]
        return self.job.body.on_vectors(values, run.width)

    def _lane_points(self, run: Run, point: Point) -> Callable[[int], Point]:
        """The point of each lane; coordinates are loaded when a lane is first asked for."""
        if self.vector_dim is None:
            return lambda _: point
        dim, points = self.vector_dim, []

        def lane(number: int) -> Point:
            while len(points) <= number:
                points.append(point.at(dim, add(run.position, len(points))))
                self.job.coordinates.load_ready(points[-1])
            return points[number]

        return lane

    def _first(self, run: Run, point: Point) -> Point:
        return point if self.vector_dim is None else point.at(self.vector_dim, run.position)

    def _type(self, ref: Ref, width: int) -> ir.Type:
        return ref.storage if width == 1 else ir.VectorType.get([width], ref.storage)

    def _load(self, ref: Ref, point: Point, width: int) -> ir.Value:
        if width == 1:
            return memref.load(ref.memref, ref.indices(point))
        return vector.load(self._type(ref, width), ref.memref, ref.indices(point))

    def _input(self, number: int, lane: Callable[[int], Point], width: int) -> ir.Value:
        ref, fill = self.job.inputs[number], self.job.fills[number]
        dim, coordinates = self.vector_dim, self.job.coordinates
        if width > 1 and dim is not None:
            if not ref.mentions(dim, coordinates):
                return splat(self._input(number, lane, 1), width)
            if not ref.steps_with(dim, coordinates):
                elements = [self._input(number, _only(lane, i), 1) for i in range(width)]
                return vector.from_elements(self._type(ref, width), elements)
        condition = lane(0).valid_for(ref.map)
        if condition is None:
            return self._load(ref, lane(0), width)
        assert fill is not None
        return choose(
            condition,
            self._type(ref, width),
            lambda: self._load(ref, lane(0), width),
            lambda: fill if width == 1 else splat(fill, width),
        )

    def _current(self, number: int, run: Run, point: Point, guarded: bool) -> ir.Value:
        ref = self.job.outputs[number]
        type_ = self._type(ref, run.width)
        if not self.job.body.uses(len(self.job.inputs) + number) and not self.reduced:
            return ir.Operation.create("ub.poison", results=[type_]).result
        first = self._first(run, point)
        condition = None if guarded else point.valid_for(ref.map)
        if condition is None:
            return self._load(ref, first, run.width)
        return choose(
            condition,
            type_,
            lambda: self._load(ref, first, run.width),
            lambda: harmless(type_),
        )

    def _store(self, run: Run, point: Point, news: Sequence[ir.Value], guarded: bool) -> None:
        first = self._first(run, point)
        store = memref.store if run.width == 1 else vector.store
        # With no vector dim the coordinates of the point are known; in lanes outputs have none
        # that differ from lane to lane.
        for ref, new in zip(self.job.outputs, news, strict=True):
            condition = None if guarded else point.valid_for(ref.map)
            when(condition, lambda n=new, r=ref: store(n, r.memref, r.indices(first)))


def _only(lane: Callable[[int], Point], number: int) -> Callable[[int], Point]:
    return lambda _: lane(number)
