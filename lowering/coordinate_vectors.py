"""Coordinates that are wrapped or clipped for several points at once, in the lanes of a vector.

One by one that takes as long as to read an element from the caches. Not under fill_or_drop, where
each point has a branch of its own, nor for what writes at those coordinates: loads and stores there
would wait for the vectors.
"""

from collections.abc import Callable, Mapping

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.body import bytes_of, splat, vector
from mlir_gs.lowering.builders import arith
from mlir_gs.lowering.coordinates import Point
from mlir_gs.lowering.emit import Ix, value
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.refs import Ref
from mlir_gs.lowering.words import read_alone

NARROW = 4
"""Bytes of elements and of coordinates: for narrower elements at wider coordinates a vector of one
takes so many of the other that negative ones are wrapped 0.8 times as fast as one by one."""


class CoordinateVectors:
    """The coordinates of a job that lie side by side along `dim` and are worked on in vectors."""

    def __init__(self, job: Job, dim: int) -> None:
        self.dim = dim
        self.coordinates = job.coordinates
        self.refs: dict[int, Ref] = {}
        for symbol, size in sorted(read_alone(job, dim).items()):
            access = job.structure.coordinates[symbol]
            element = access.value.type.element_type
            if not _is_signed(element) or (size < NARROW and bytes_of(element) > NARROW):
                continue
            if job.coordinates.is_plain(symbol) or job.coordinates.may_skip(symbol):
                continue
            if job.structure.is_chained(symbol):
                continue
            ref = Ref.of(access, moves_only=False).without_unit_tail()
            if ref.steps_with(dim, job.coordinates) and ref.last_stride == 1:
                self.refs[symbol] = ref

    def lanes(
        self, point: Point, position: Ix, width: int
    ) -> Callable[[int], Mapping[int, ir.Value]]:
        """By lane, the positions that coordinates of `width` points stand for, by symbol; the first
        point is at `position`. They are read when a lane is first asked for."""
        vectors: dict[int, ir.Value] = {}

        def lane(number: int) -> Mapping[int, ir.Value]:
            if width == 1:
                return {}
            for symbol, ref in self.refs.items():
                if symbol not in vectors:
                    here = ref.indices(point.at(self.dim, position))
                    type_ = ir.VectorType.get([width], ref.storage)
                    vectors[symbol] = self._worked_on(
                        symbol, vector.load(type_, ref.memref, here), width
                    )
            return {s: vector.extract(found, [], [number]) for s, found in vectors.items()}

        return lane

    def _worked_on(self, symbol: int, given: ir.Value, width: int) -> ir.Value:
        positions = ir.VectorType.get([width], ir.IndexType.get())
        if given.type != positions:
            given = arith.index_cast(positions, given)

        def all_lanes(number: Ix) -> ir.Value:
            return splat(value(number), width)

        given = self.coordinates.wrapped(symbol, given, all_lanes)
        if self.coordinates.structure.modes[symbol] == "clip":
            given = self.coordinates.clipped(symbol, given, all_lanes)
        return given


def _is_signed(type_: ir.Type) -> bool:
    """An index, or an integer that is one with the same value; others a vector packs in memory."""
    if isinstance(type_, ir.IndexType):
        return True
    return (
        isinstance(type_, ir.IntegerType) and type_.is_signless and type_.width in (8, 16, 32, 64)
    )
