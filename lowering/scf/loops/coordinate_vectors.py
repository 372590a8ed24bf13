"""Coordinates of several points at once: wrapped or clipped in the lanes of a vector.

One by one that takes as long as to read an element from the caches. Not under fill_or_drop, where
each point has a condition of its own, nor for what writes at those coordinates: loads and stores
there would wait for the vectors.
"""

from collections.abc import Callable, Mapping

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import Ix, value
from mlir_gs.lowering.op.body import bytes_of, splat, vector
from mlir_gs.lowering.op.coordinates import Coordinates, Point
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.refs import Ref

NARROW = 4
"""Bytes of elements and of coordinates: for narrower elements at wider coordinates a vector of one
takes so many of the other that it is slower than coordinates one by one."""


class CoordinateVectors:
    """The coordinates of a job that lie side by side along `dim` and are worked on in vectors."""

    def __init__(self, job: Job, dim: int) -> None:
        self.dim = dim
        self.coordinates = job.coordinates
        self.refs: dict[int, Ref] = {}
        for symbol, size in sorted(_read_alone(job, dim).items()):
            element = job.structure.coordinates[symbol].value.type.element_type
            if job.coordinates.is_plain(symbol) or job.coordinates.may_skip(symbol):
                continue
            if size < NARROW and bytes_of(element) > NARROW:
                continue
            ref = coordinate_row(job, symbol, dim)
            if ref is not None:
                self.refs[symbol] = ref

    def lanes(
        self, point: Point, position: Ix, width: int
    ) -> Callable[[int], Mapping[int, ir.Value]]:
        """By lane, the positions that coordinates of `width` points stand for, by symbol; the first
        point is at `position`. They are read with the first lane that is used; those that differ
        along dims which `point` does not know yet are left out."""
        known = {*point.dims, self.dim}
        ready = {s for s in self.refs if self.coordinates.depends(s) <= known}
        vectors: dict[int, ir.Value] = {}

        def lane(number: int) -> Mapping[int, ir.Value]:
            if width == 1:
                return {}
            for symbol in sorted(ready - vectors.keys()):
                ref = self.refs[symbol]
                here = ref.indices(point.at(self.dim, position))
                given = vector.load(ir.VectorType.get([width], ref.storage), ref.memref, here)
                vectors[symbol] = worked_on(self.coordinates, symbol, given, in_all_lanes(width))
            return {s: vector.extract(found, [], [number]) for s, found in vectors.items()}

        return lane


def coordinate_row(job: Job, symbol: int, dim: int) -> Ref | None:
    """The coordinates that `symbol` stands for, if vectors along `dim` can be read of them: they
    lie side by side, are signed, and are found through no others."""
    access = job.structure.coordinates[symbol]
    if job.structure.is_chained(symbol) or not _is_signed(access.value.type.element_type):
        return None
    ref = Ref.of(access, moves_only=False).without_unit_tail()
    return ref if ref.steps_with(dim, job.coordinates) and ref.last_stride == 1 else None


def worked_on(
    coordinates: Coordinates, symbol: int, given: ir.Value, lanes: Callable[[Ix], ir.Value]
) -> ir.Value:
    """The positions, in a vector of type index, that those of `symbol` in the vector `given` stand
    for; `lanes` puts a number into all lanes."""
    given = coordinates.wrapped(symbol, as_indices(given), lanes)
    if coordinates.structure.modes[symbol] == "clip":
        given = coordinates.clipped(symbol, given, lanes)
    return given


def as_indices(given: ir.Value) -> ir.Value:
    """The vector `given` of signed integers as one of type index."""
    positions = ir.VectorType.get(given.type.shape, ir.IndexType.get())
    return given if given.type == positions else arith.index_cast(positions, given)


def in_all_lanes(lanes: int) -> Callable[[Ix], ir.Value]:
    return lambda number: splat(value(number), lanes)


def _is_signed(type_: ir.Type) -> bool:
    """An index, or an integer that is one with the same value; others a vector packs in memory."""
    if isinstance(type_, ir.IndexType):
        return True
    return (
        isinstance(type_, ir.IntegerType) and type_.is_signless and type_.width in (8, 16, 32, 64)
    )


def _read_alone(job: Job, dim: int) -> dict[int, int]:
    """The symbols that differ along `dim`, where lanes along it read elements at them one by one,
    and the bytes of the narrowest of those."""
    found: dict[int, int] = {}
    for ref in job.by_elements(dim):
        size = bytes_of(ref.storage)
        for symbol in symbols_in(ref):
            if dim in job.coordinates.depends(symbol):
                found[symbol] = min(size, found.get(symbol, size))
    return found
