"""Panels: what tiles share, copied so that lanes lie together, a row for each point that is added
up."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    loop,
    loop_carrying,
    memref,
    modulo,
    mul,
    sub,
    value,
)
from mlir_gs.lowering.op.body import bytes_of, vector
from mlir_gs.lowering.op.coordinates import Coordinates, Point
from mlir_gs.lowering.op.ranges import Run
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.scf.loops.row_blocks import transposed


@dataclass(frozen=True)
class Part:
    """The points of a panel: of the first of the reduced `dims` those from `first` to `end`, all of
    the `sizes` of the others."""

    first: Ix
    end: Ix
    dims: tuple[int, ...]
    sizes: tuple[Ix, ...]

    def carrying(
        self,
        carried: list[ir.Value],
        body: Callable[[Mapping[int, Ix], Ix, list[ir.Value]], list[ir.Value]],
    ) -> list[ir.Value]:
        """`carried = body(point, row, carried)` for all points in order; returns the last ones."""

        def inside(at: Mapping[int, Ix], row: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            level = len(at)
            if level == len(self.dims):
                return body(at, row, carried)
            dim = self.dims[level]
            if level == 0:
                return loop_carrying(
                    self.first,
                    self.end,
                    carried,
                    lambda i, values: inside({dim: i}, sub(i, self.first), values),
                    unroll="never",
                )
            size = self.sizes[level - 1]
            return loop_carrying(
                0,
                size,
                carried,
                lambda i, values: inside({**at, dim: i}, add(mul(row, size), i), values),
                unroll="never",
            )

        return inside({}, 0, carried)

    def in_runs(self, step: int, body: Callable[[Mapping[int, Ix], Ix, int], None]) -> None:
        """`body(point, row, count)` for `count` points at a time of the last dim: `step`, or 1."""

        def inside(at: Mapping[int, Ix], row: Ix) -> None:
            level = len(at)
            dim = self.dims[level]
            lower, upper = (self.first, self.end) if level == 0 else (0, self.sizes[level - 1])
            before = 0 if level == 0 else mul(row, self.sizes[level - 1])

            def here(count: int) -> Callable[[Ix], None]:
                def visit(i: Ix) -> None:
                    place, point = add(before, sub(i, lower)), {**at, dim: i}
                    if level == len(self.dims) - 1:
                        body(point, place, count)
                    else:
                        inside(point, place)

                return visit

            if level < len(self.dims) - 1 or step == 1:
                loop(lower, upper, 1, here(1), "never")
                return
            whole = sub(upper, modulo(sub(upper, lower), step))
            loop(lower, whole, step, here(step), "never")
            loop(whole, upper, 1, here(1), "never")

        inside({}, 0)


@dataclass(frozen=True)
class Panel:
    """The copy of an input in `buffer`, whose dim `lanes` is in vectors of `width` elements."""

    ref: Ref
    buffer: ir.Value
    coordinates: Coordinates
    lanes: int
    width: int

    def fill(self, part: Part, runs: Sequence[Run], point: Point, across: bool) -> None:
        """Copy the points of `part`; `across`: the input does not lie along the lanes."""
        if not across:
            part.in_runs(1, lambda at, row, _: self._copy(runs, self._at(point, at), row))
            return
        for run, place in columns(runs):
            steps = self.ref.steps_with(part.dims[-1], self.coordinates)
            whole = run.width == self.width and steps and self.ref.last_stride == 1

            def copy(
                at: Mapping[int, Ix], row: Ix, count: int, run: Run = run, place: int = place
            ) -> None:
                here = self._at(point, at)
                lanes = [self._lane(here, run, lane, count) for lane in range(run.width)]
                if count > 1:
                    rows = self._transposed(lanes)
                elif run.width > 1:
                    rows = [vector.from_elements(self._vector(run.width), lanes)]
                else:
                    rows = lanes
                for number, each in enumerate(rows):
                    _store(each, self.buffer, [value(add(row, number)), value(place)])

            part.in_runs(self.width if whole else 1, copy)

    def _at(self, point: Point, at: Mapping[int, Ix]) -> Point:
        here = Point({**point.dims, **at}, dict(point.symbols), dict(point.valid))
        self.coordinates.load_ready(here)
        return here

    def _copy(self, runs: Sequence[Run], here: Point, row: Ix) -> None:
        for run, where in places(runs, row):
            source = self.ref.indices(here.at(self.lanes, run.position))
            _store(load(self.ref.memref, source, run.width), self.buffer, where)

    def _lane(self, here: Point, run: Run, lane: int, count: int) -> ir.Value:
        """`count` points of one lane."""
        where = self.ref.indices(here.at(self.lanes, add(run.position, lane)))
        return load(self.ref.memref, where, count)

    def _transposed(self, lanes: Sequence[ir.Value]) -> list[ir.Value]:
        """By integers: LLVM takes long to shuffle vectors of bf16."""
        bits = ir.IntegerType.get_signless(8 * bytes_of(self.ref.storage))
        wide = ir.VectorType.get([len(lanes)], bits)
        rows = transposed([arith.bitcast(wide, lane) for lane in lanes])
        return [arith.bitcast(self._vector(len(lanes)), row) for row in rows]

    def _vector(self, width: int) -> ir.VectorType:
        return ir.VectorType.get([width], self.ref.storage)


def columns(runs: Sequence[Run]) -> list[tuple[Run, int]]:
    """Where each run begins in a row of a panel."""
    found, column = [], 0
    for run in runs:
        found.append((run, column))
        column += run.width
    return found


def places(runs: Sequence[Run], row: Ix) -> list[tuple[Run, list[ir.Value]]]:
    """Where each run lies in a row of a panel."""
    return [(run, [value(row), value(column)]) for run, column in columns(runs)]


def load(source: ir.Value, where: Sequence[ir.Value], width: int) -> ir.Value:
    """An element of `source`, or a vector of `width`."""
    if width == 1:
        return memref.load(source, where)
    return vector.load(ir.VectorType.get([width], source.type.element_type), source, where)


def _store(element: ir.Value, target: ir.Value, where: Sequence[ir.Value]) -> None:
    if isinstance(element.type, ir.VectorType):
        vector.store(element, target, where)
    else:
        memref.store(element, target, where)
