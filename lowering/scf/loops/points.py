"""The elements of one op at some points: loaded, put through the body, stored."""

import functools
from collections.abc import Callable, Collection, Mapping, Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import cast, remap
from mlir_gs.lowering.ir.emit import add, choose, choose_all, either, memref, when
from mlir_gs.lowering.op.body import harmless, splat, vector
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.ranges import Run
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import LINE
from mlir_gs.lowering.scf.loops.coordinate_vectors import CoordinateVectors
from mlir_gs.lowering.scf.loops.non_temporal import Streaming
from mlir_gs.lowering.scf.loops.read_or_fill import choosing, read_or_fill
from mlir_gs.lowering.scf.loops.vector_gathers import VectorGathers


class Elements:
    """Emits what a block of points does; `vector_dim` is in vectors of `lanes` elements.

    `carried`: the outputs are in registers. `streaming`: whole vectors bypass the caches, all or
    where its condition holds.
    """

    def __init__(
        self,
        job: Job,
        vector_dim: int | None,
        lanes: int,
        carried: bool,
        streaming: Streaming | None,
    ) -> None:
        self.job = job
        self.vector_dim = vector_dim
        self.lanes = lanes
        self.carried = carried
        self.streaming = streaming is not None and streaming.condition
        self.vectors: CoordinateVectors | None = None
        self.gathers: VectorGathers | None = None
        self.choosing = choosing(job)
        if vector_dim is not None:
            self.vectors = CoordinateVectors(job, vector_dim)
            self.gathers = VectorGathers(job, vector_dim)

    def run(self, run: Run, point: Point, guarded: bool) -> None:
        """All that the points of `run` do, where nothing is carried."""
        self.store(run, point, self.values(run, point, None, guarded), guarded)

    def values(
        self, run: Run, point: Point, current: Sequence[ir.Value] | None, guarded: bool
    ) -> list[ir.Value]:
        """What the body yields for `run`; `current` are the outputs, or they are loaded."""
        lane = self.lane_points(run, point)
        values = self._inputs(range(len(self.job.inputs)), run, point, lane)
        # Outputs are read after the inputs and before any is written.
        if current is None:
            current = [
                self.current(number, run, point, guarded) for number in range(len(self.job.outputs))
            ]
        values += current
        if run.width == 1:
            news = self.job.body.scalar(values)
            return [cast(new, ref.storage) for new, ref in zip(news, self.job.outputs, strict=True)]
        return self.job.body.on_vectors(values, run.width)

    def mask(self, point: Point, guarded: bool) -> ir.Value | None:
        """The condition without which a point writes nothing."""
        mask, alone, count = self.job.body.mask, Run(0, 1), len(self.job.inputs)
        if mask is None:
            return None
        condition, ops, numbers = mask
        refs = [*self.job.inputs, *self.job.outputs]
        if any(symbols_in(refs[number]) for number in numbers):
            self.job.coordinates.load_ready(point)
        arguments = self.job.body.block.arguments
        known: dict[ir.Value, ir.Value] = {}
        for number in numbers:
            if number < count:
                (read,) = self._inputs([number], alone, point, lambda _: point)
                point.read[number] = read
            else:
                read = self.current(number - count, alone, point, guarded)
            known[arguments[number]] = cast(read, arguments[number].type)
        for op in ops:
            clone = op.clone()
            remap(clone, known)
            known.update(zip(op.results, clone.results, strict=True))
        return known.get(condition, condition)

    def values_late(
        self,
        run: Run,
        point: Point,
        current: Sequence[ir.Value],
        early: Collection[int],
        late: Sequence[int],
        turned: Mapping[ir.Value, ir.Value],
    ) -> list[ir.Value]:
        """The same where the body's ops of the numbers `early` are done: `turned` is what they and
        inputs gave, `late` are the inputs that the rest reads."""
        body, lane = self.job.body, self.lane_points(run, point)
        known = dict(turned)
        arguments = [body.block.arguments[number] for number in late]
        known.update(zip(arguments, self._inputs(late, run, point, lane), strict=True))
        known.update(zip(list(body.block.arguments)[body.n_inputs :], current, strict=True))
        rest = [number for number in range(len(body.operations)) if number not in early]
        body.compute(rest, known, run.width)
        return body.yielded(known, run.width)

    def lane_points(self, run: Run, point: Point, hidden: bool = False) -> Callable[[int], Point]:
        """The point of each lane; coordinates are loaded with the first lane that is used.
        `hidden`: LLVM does not look into what they are."""
        if self.vectors is None:
            return lambda _: point
        dim, points = self.vectors.dim, []
        positions = self.vectors.lanes(point, run.position, run.width)

        def lane(number: int) -> Point:
            while len(points) <= number:
                following = point.at(dim, add(run.position, len(points)))
                following.bind(positions(len(points)))
                self.job.coordinates.load_ready(following, choosing=self.choosing)
                if hidden:
                    self.job.coordinates.hide(following, dim)
                points.append(following)
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

    def _inputs(
        self, numbers: Sequence[int], run: Run, point: Point, lane: Callable[[int], Point]
    ) -> list[ir.Value]:
        """What `run` reads of the inputs of these numbers: by the core's gathers, or by lanes."""
        gathered = [number for number in numbers if run.width > 1 and number in self.job.gathered]
        known = dict(zip(gathered, self._gathered(gathered, run, point), strict=True))
        return [
            known[number] if number in known else self._input(number, lane, run.width, run.multiple)
            for number in numbers
        ]

    def _gathered(self, numbers: Sequence[int], run: Run, point: Point) -> Sequence[ir.Value]:
        """Those that are gathered; element by element where gathers do not pay."""
        gathers = self.gathers
        if gathers is None or not numbers:
            return []

        def by_element() -> list[ir.Value]:
            # What is read for lanes in here is not there outside. LLVM may gather what it sees the
            # places of, where loops are to.
            lane = self.lane_points(run, point, hidden=True)
            return [self._input(number, lane, run.width, run.multiple) for number in numbers]

        return choose_all(
            self.job.gathered_where,
            [self._type(self.job.inputs[number], run.width) for number in numbers],
            lambda: [gathers.read(number, point, run) for number in numbers],
            by_element,
        )

    def _input(
        self, number: int, lane: Callable[[int], Point], width: int, multiple: int = 1
    ) -> ir.Value:
        """An input in `width` lanes, the first of which is at a multiple of `multiple`."""
        ref, dim = self.job.inputs[number], self.vector_dim
        if width == 1 or dim is None:
            return self._side_by_side(number, lane, width)
        offsets = ref.lanes(dim, self.job.coordinates, width, multiple)
        if offsets is None or (any(offsets) and ref.last_stride != 1):
            elements = [self._side_by_side(number, _only(lane, i), 1) for i in range(width)]
            return vector.from_elements(self._type(ref, width), elements)
        count = max(offsets) + 1
        found = self._side_by_side(number, lane, count)
        if count == 1:
            return splat(found, width)
        in_order = list(offsets) == list(range(width))
        return found if in_order else vector.shuffle(found, found, offsets)

    def _side_by_side(self, number: int, lane: Callable[[int], Point], width: int) -> ir.Value:
        """`width` elements of an input from that of the first lane on."""
        ref, fill = self.job.inputs[number], self.job.fills[number]
        if number in lane(0).read:
            return lane(0).read[number]
        condition = lane(0).valid_for(ref.map)
        if condition is None:
            return self._load(ref, lane(0), width)
        assert fill is not None
        if number in self.job.masked:
            return read_or_fill(ref, lane(0), condition, fill)
        return choose(
            condition,
            self._type(ref, width),
            lambda: self._load(ref, lane(0), width),
            lambda: fill if width == 1 else splat(fill, width),
        )

    def read_in_order(self, dim: int, points: Sequence[Point]) -> None:
        """Read the coordinates of points along `dim`, and of the inputs what no coordinate
        addresses. One that may be an output's memory has the map of that."""
        for point in points:
            self.job.coordinates.load_ready(point)
        maps = [ref.map for ref in self.job.outputs]
        for number, ref in enumerate(self.job.inputs):
            moves = ref.mentions(dim, self.job.coordinates) and not symbols_in(ref)
            if moves and ref.map not in maps and self.job.body.uses(number):
                for point in points:
                    point.read[number] = self._load(ref, point, 1)

    def current(self, number: int, run: Run, point: Point, guarded: bool) -> ir.Value:
        ref = self.job.outputs[number]
        type_ = self._type(ref, run.width)
        if not self.job.body.uses(len(self.job.inputs) + number) and not self.carried:
            return ir.Operation.create("ub.poison", results=[type_]).result
        if self.job.initial is not None:
            initial = cast(self.job.initial, ref.storage)
            return initial if run.width == 1 else splat(initial, run.width)
        first = self._first(run, point)
        return choose(
            None if guarded else point.valid_for(ref.map),
            type_,
            lambda: self._load(ref, first, run.width),
            lambda: harmless(type_),
        )

    def store(self, run: Run, point: Point, news: Sequence[ir.Value], guarded: bool) -> None:
        first = self._first(run, point)
        store = memref.store if run.width == 1 else vector.store
        if self.streaming and run.width == self.lanes and not run.at_end:
            store = functools.partial(_non_temporal, self.streaming)
        # With no vector dim the coordinates of the point are known; in lanes outputs have none
        # that differ from lane to lane.
        for ref, new in zip(self.job.outputs, news, strict=True):
            condition = None if guarded else point.valid_for(ref.map)
            when(condition, lambda n=new, r=ref: store(n, r.memref, r.indices(first)))


def _non_temporal(
    streaming: ir.Value | bool, new: ir.Value, target: ir.Value, where: Sequence[ir.Value]
) -> None:
    """Store a whole, aligned line, without the caches where `streaming` holds."""

    def past() -> None:
        vector.store(new, target, where, nontemporal=True, alignment=LINE)

    if isinstance(streaming, bool):
        past()
    else:
        either(streaming, past, lambda: vector.store(new, target, where))


def _only(lane: Callable[[int], Point], number: int) -> Callable[[int], Point]:
    return lambda _: lane(number)
