"""Loop nests: one walk over the iteration space, scalar or with one dim in vector lanes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.body import Body, cast, harmless, splat, vector
from mlir_gs.lowering.builders import arith, index
from mlir_gs.lowering.coordinates import Coordinates, Point
from mlir_gs.lowering.emit import Ix, add, both, choose, compare, loop, memref, sub, value, when
from mlir_gs.lowering.prefetch import Prefetch
from mlir_gs.lowering.refs import Ref


@dataclass(frozen=True)
class Job:
    """What one op's loops are emitted from: the op taken apart, and its memrefs made ready.

    `fills` are what the inputs read out of bounds.
    """

    structure: Structure
    body: Body
    coordinates: Coordinates
    extents: Mapping[int, Ix]
    inputs: Sequence[Ref]
    outputs: Sequence[Ref]
    fills: Sequence[ir.Value | None]

    @property
    def refs(self) -> list[Ref]:
        return [*self.inputs, *self.outputs]


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


class Nest:
    """Emits the loops of one job, dims in their order; `vector_dim` is innermost and in lanes.

    `ranges` cut dims down, `owner` skips points; both are how threads share a job.
    """

    def __init__(
        self,
        job: Job,
        vector_dim: int | None = None,
        lanes: int = 1,
        ranges: Mapping[int, Range] | None = None,
        owner: Owner | None = None,
        prefetch: Prefetch | None = None,
    ) -> None:
        self.job = job
        self.coordinates = job.coordinates
        self.body = job.body
        self.order = [dim for dim in range(job.structure.rank) if dim != vector_dim]
        self.vector_dim = vector_dim
        self.lanes = lanes
        self.ranges = {dim: Range(0, extent) for dim, extent in job.extents.items()}
        self.ranges.update(ranges or {})
        self.owner = owner
        self.prefetch = prefetch

    def emit(self) -> None:
        """The whole nest at the insertion point."""
        # Dims of one point need no loop.
        point = Point({dim: 0 for dim, extent in self.job.extents.items() if extent == 1})
        self._level([dim for dim in self.order if dim not in point.dims], point, False)

    def _level(self, order: Sequence[int], point: Point, guarded: bool) -> None:
        self.coordinates.load_ready(point)
        if not guarded:
            condition = self._write_condition(point)
            if condition is not None:
                when(condition, lambda: self._inner(order, point, True))
                return
        self._inner(order, point, guarded)

    def _inner(self, order: Sequence[int], point: Point, guarded: bool) -> None:
        if order:
            dim, (lower, upper, _) = order[0], self.ranges[order[0]]

            def body(position: Ix) -> None:
                if self.prefetch is not None and self.prefetch.dim == dim:
                    self.prefetch.emit(self.job, point, position, upper)
                self._level(order[1:], point.at(dim, position), guarded)

            loop(lower, upper, 1, body)
        elif self.vector_dim is None:
            self._scalar(point, guarded)
        else:
            self._lanes(point, guarded)

    def _write_condition(self, point: Point) -> ir.Value | None:
        """When the one output is written, once all its coordinates are known; else None."""
        if len(self.job.outputs) != 1:
            return None
        map_ = self.job.outputs[0].map
        if not _symbols(map_) <= set(point.symbols):
            return None
        condition = point.valid_for(map_)
        if self.owner is not None:
            symbol, lower, upper = self.owner
            position = point.symbols[symbol]
            condition = both(condition, compare("sge", position, lower))
            condition = both(condition, compare("slt", position, upper))
        return condition

    def _scalar(self, point: Point, guarded: bool) -> None:
        current = [self._read_input(number, point) for number in range(len(self.job.inputs))]
        # Outputs are read after the inputs and before any is written.
        for number, ref in enumerate(self.job.outputs):
            current.append(self._read_output(ref, number, point, guarded))
        for ref, new in zip(self.job.outputs, self.body.scalar(current), strict=True):
            self._write(ref, new, point, guarded)

    def _read_input(self, number: int, point: Point) -> ir.Value:
        ref, fill = self.job.inputs[number], self.job.fills[number]
        condition = point.valid_for(ref.map)
        if condition is None:
            return memref.load(ref.memref, ref.indices(point))
        assert fill is not None
        return choose(
            condition,
            ref.storage,
            lambda: memref.load(ref.memref, ref.indices(point)),
            lambda: fill,
        )

    def _read_output(self, ref: Ref, number: int, point: Point, guarded: bool) -> ir.Value:
        if not self.body.uses(len(self.job.inputs) + number):
            return _undefined(ref.storage)
        condition = None if guarded else point.valid_for(ref.map)
        if condition is None:
            return memref.load(ref.memref, ref.indices(point))
        return choose(
            condition,
            ref.storage,
            lambda: memref.load(ref.memref, ref.indices(point)),
            lambda: harmless(ref.storage),
        )

    def _write(self, ref: Ref, new: ir.Value, point: Point, guarded: bool) -> None:
        stored = cast(new, ref.storage)
        condition = None if guarded else point.valid_for(ref.map)
        when(condition, lambda: memref.store(stored, ref.memref, ref.indices(point)))

    def _lanes(self, point: Point, guarded: bool) -> None:
        """The vector dim: whole vectors, then what is left in halves or one by one."""
        dim = self.vector_dim
        assert dim is not None
        (lower, upper, multiple), lanes = self.ranges[dim], self.lanes

        def at(position: Ix, width: int) -> None:
            here = point.at(dim, position)
            if width == 1:
                self.coordinates.load_ready(here)
                self._scalar(here, guarded)
            else:
                self._vector(here, width, guarded)

        if isinstance(lower, int) and isinstance(upper, int):
            whole = upper - (upper - lower) % lanes
            loop(lower, whole, lanes, lambda position: at(position, lanes))
            while whole < upper:
                lanes //= 2
                if whole + lanes <= upper:
                    at(whole, lanes)
                    whole += lanes
            return
        if multiple % lanes == 0:
            loop(lower, upper, lanes, lambda position: at(position, lanes))
            return
        rest = arith.remui(value(sub(upper, lower)), index(lanes))
        whole_end = value(sub(upper, rest))
        loop(lower, whole_end, lanes, lambda position: at(position, lanes))
        loop(whole_end, upper, 1, lambda position: at(position, 1))

    def _vector(self, point: Point, lanes: int, guarded: bool) -> None:
        """`lanes` neighbours along the vector dim at once; `point` is the first of them."""
        dim = self.vector_dim
        assert dim is not None
        points: list[Point] = []

        def lane(number: int) -> Point:
            # Coordinates that differ from lane to lane are loaded when a lane is first needed.
            while len(points) <= number:
                position = add(point.dims[dim], len(points))
                points.append(point.at(dim, position))
                self.coordinates.load_ready(points[-1])
            return points[number]

        current = [
            self._vector_input(number, lane, lanes) for number in range(len(self.job.inputs))
        ]
        for number, ref in enumerate(self.job.outputs):
            type_ = ir.VectorType.get([lanes], ref.storage)
            if self.body.uses(len(self.job.inputs) + number):
                current.append(vector.load(type_, ref.memref, ref.indices(lane(0))))
            else:
                current.append(_undefined(type_))
        news = self.body.on_vectors(current, lanes)
        for ref, new in zip(self.job.outputs, news, strict=True):
            condition = None if guarded else lane(0).valid_for(ref.map)
            self._vector_store(condition, ref, new, lane(0))

    def _vector_store(
        self, condition: ir.Value | None, ref: Ref, new: ir.Value, point: Point
    ) -> None:
        when(condition, lambda: vector.store(new, ref.memref, ref.indices(point)))

    def _vector_input(self, number: int, lane: Callable[[int], Point], lanes: int) -> ir.Value:
        dim = self.vector_dim
        assert dim is not None
        ref, fill = self.job.inputs[number], self.job.fills[number]
        type_ = ir.VectorType.get([lanes], ref.storage)
        if not ref.mentions(dim, self.coordinates):
            return splat(self._read_input(number, lane(0)), lanes)
        if not ref.steps_with(dim, self.coordinates):
            elements = [self._read_input(number, lane(i)) for i in range(lanes)]
            return vector.from_elements(type_, elements)
        condition = lane(0).valid_for(ref.map)
        if condition is None:
            return vector.load(type_, ref.memref, ref.indices(lane(0)))
        assert fill is not None
        return choose(
            condition,
            type_,
            lambda: vector.load(type_, ref.memref, ref.indices(lane(0))),
            lambda: splat(fill, lanes),
        )


def _symbols(map_: ir.AffineMap) -> set[int]:
    return {symbol for expr in map_.results for symbol in symbols_of(expr)}


def _undefined(type_: ir.Type) -> ir.Value:
    return ir.Operation.create("ub.poison", results=[type_]).result
