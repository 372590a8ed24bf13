"""Loop nests: one walk over the iteration space, scalar or with one dim in vector lanes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.dialect.structure import Structure
from mlir_gs.lowering.body import Body, cast, harmless, splat, vector
from mlir_gs.lowering.builders import arith, index
from mlir_gs.lowering.coordinates import Coordinates, Point
from mlir_gs.lowering.emit import Ix, add, choose, loop, memref, sub, value, when
from mlir_gs.lowering.refs import Ref


@dataclass(frozen=True)
class Operands:
    """The memrefs of one op as its loops address them, and what an input reads out of bounds."""

    inputs: Sequence[Ref]
    outputs: Sequence[Ref]
    fills: Sequence[ir.Value | None]


class Nest:
    """Emits the loops of one op in `order`; `vector_dim` is the innermost and runs in lanes."""

    def __init__(
        self,
        structure: Structure,
        coordinates: Coordinates,
        extents: Mapping[int, Ix],
        operands: Operands,
        body: Body,
        order: Sequence[int],
        vector_dim: int | None = None,
        lanes: int = 1,
    ) -> None:
        self.structure = structure
        self.coordinates = coordinates
        self.extents = extents
        self.operands = operands
        self.body = body
        self.order = [dim for dim in order if dim != vector_dim]
        self.vector_dim = vector_dim
        self.lanes = lanes

    def emit(self) -> None:
        """The whole nest at the insertion point."""
        # Dims of one point need no loop.
        point = Point({dim: 0 for dim, extent in self.extents.items() if extent == 1})
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
            dim = order[0]
            loop(
                0,
                self.extents[dim],
                1,
                lambda position: self._level(order[1:], point.at(dim, position), guarded),
            )
        elif self.vector_dim is None:
            self._scalar(point, guarded)
        else:
            self._lanes(point, guarded)

    def _write_condition(self, point: Point) -> ir.Value | None:
        """When the one output is in bounds, once all its coordinates are known; else None."""
        if len(self.operands.outputs) != 1:
            return None
        map_ = self.operands.outputs[0].map
        if not _symbols(map_) <= set(point.symbols):
            return None
        return point.valid_for(map_)

    def _scalar(self, point: Point, guarded: bool) -> None:
        current = [self._read_input(number, point) for number in range(len(self.operands.inputs))]
        # Outputs are read after the inputs and before any is written.
        for number, ref in enumerate(self.operands.outputs):
            current.append(self._read_output(ref, number, point, guarded))
        for ref, new in zip(self.operands.outputs, self.body.scalar(current), strict=True):
            self._write(ref, new, point, guarded)

    def _read_input(self, number: int, point: Point) -> ir.Value:
        ref, fill = self.operands.inputs[number], self.operands.fills[number]
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
        if not self.body.uses(len(self.operands.inputs) + number):
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
        extent, lanes = self.extents[dim], self.lanes

        def at(position: Ix, width: int) -> None:
            here = point.at(dim, position)
            if width == 1:
                self.coordinates.load_ready(here)
                self._scalar(here, guarded)
            else:
                self._vector(here, width, guarded)

        if isinstance(extent, int):
            whole = extent - extent % lanes
            loop(0, whole, lanes, lambda position: at(position, lanes))
            while whole < extent:
                lanes //= 2
                if whole + lanes <= extent:
                    at(whole, lanes)
                    whole += lanes
            return
        whole_end = value(sub(extent, arith.remui(extent, index(lanes))))
        loop(0, whole_end, lanes, lambda position: at(position, lanes))
        loop(whole_end, extent, 1, lambda position: at(position, 1))

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
            self._vector_input(number, lane, lanes) for number in range(len(self.operands.inputs))
        ]
        for number, ref in enumerate(self.operands.outputs):
            type_ = ir.VectorType.get([lanes], ref.storage)
            if self.body.uses(len(self.operands.inputs) + number):
                current.append(vector.load(type_, ref.memref, ref.indices(lane(0))))
            else:
                current.append(_undefined(type_))
        news = self.body.on_vectors(current, lanes)
        for ref, new in zip(self.operands.outputs, news, strict=True):
            condition = None if guarded else lane(0).valid_for(ref.map)
            self._vector_store(condition, ref, new, lane(0))

    def _vector_store(
        self, condition: ir.Value | None, ref: Ref, new: ir.Value, point: Point
    ) -> None:
        when(condition, lambda: vector.store(new, ref.memref, ref.indices(point)))

    def _vector_input(self, number: int, lane: Callable[[int], Point], lanes: int) -> ir.Value:
        dim = self.vector_dim
        assert dim is not None
        ref, fill = self.operands.inputs[number], self.operands.fills[number]
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
