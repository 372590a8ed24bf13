"""Prefetch of short rows that lie far apart: to the hardware they are no stream.

A few columns of a wide matrix, row after row: each row is in another page, and nobody but the
loops knows which line comes next.
"""

from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.emit import Ix, add, affine, minimum, sub, value
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.volume import LINE
from mlir_gs.lowering.scf.prefetch.line import ask_for
from mlir_gs.lowering.scf.target import Asking

# Bytes of a row, at most, and bytes from one row to the next, at least.
SHORT = 1024
APART = 2048

NEAR = 256
"""Bytes of rows that come to the first-level cache, if all of a point have as many: on a Zen 5
copies of such rows, and sets that read them, take 0.76 to 1.1 times as long like this, takes that
write rows of 128 bytes 1.13 to 1.29."""


@dataclass(frozen=True)
class RowApart:
    """`elements` elements along `inner` of `shaped`, which `map` addresses."""

    shaped: ir.Value
    map: ir.AffineMap
    inner: int
    elements: int
    written: bool

    @property
    def bytes(self) -> int:
        return self.elements * bytes_of(self.shaped.type.element_type)

    def ask(self, there: Point, level: int) -> None:
        """For the row at `there`, into the cache of this `level`."""
        step = max(1, LINE // bytes_of(self.shaped.type.element_type))
        for position in range(0, self.elements, step):
            at = there.at(self.inner, position)
            where = [value(affine(e, at.dims, at.symbols)) for e in self.map.results]
            ask_for(self.shaped, where, self.written, level)


@dataclass(frozen=True)
class RowsApart:
    """At each point of the loop over `dim` the rows `distance` points ahead are asked for, into the
    cache of this level."""

    dim: int
    rows: tuple[RowApart, ...]
    level: int
    distance: int

    def emit(self, point: Point, position: Ix, upper: Ix) -> None:
        """At `position`; `upper` ends the loop."""
        there = point.at(self.dim, minimum(add(position, self.distance), sub(upper, 1)))
        for row in self.rows:
            row.ask(there, self.level)


def rows_apart(job: Job, loops: list[int], asking: Asking) -> RowsApart | None:
    """The rows along the last of `loops`, all of which runs in lanes or innermost, that the one
    before it steps through: of coordinates, inputs and outputs. Short ones come to where `asking`
    has single elements come; to the second-level cache from twice as far ahead."""
    loops = [dim for dim in loops if job.extents[dim] != 1]
    if len(loops) < 2:
        return None
    *outer, dim, inner = loops
    extent = job.extents[inner]
    if not isinstance(extent, int):
        return None
    known = {*outer, dim, *(d for d, size in job.extents.items() if size == 1)}
    found = []
    accesses = [(access.value, access.map, False) for access in job.structure.coordinates]
    accesses += [(ref.memref, ref.map, False) for ref in job.inputs]
    accesses += [(ref.memref, ref.map, True) for ref in job.outputs]
    for shaped, map_, written in accesses:
        plain = [plain_dim(expr) for expr in map_.results]
        if len(plain) < 2 or plain[-1] != inner or not set(plain[:-1]) <= known:
            continue
        size = bytes_of(shaped.type.element_type)
        strides, _ = shaped.type.get_strides_and_offset()
        if dim not in plain or strides[-1] != 1 or extent * size > SHORT:
            continue
        pitch = strides[plain.index(dim)]
        # What is not known is taken for far: a condition would double the loop.
        if pitch == DYNAMIC or pitch * size >= APART:
            found.append(RowApart(shaped, map_, inner, extent, written))
    if not found:
        return None
    near = min(row.bytes for row in found) >= NEAR
    level = 1 if near else asking.element_level
    return RowsApart(dim, tuple(found), level, level * asking.apart_ahead)
