"""Indirect prefetch: the row that some iterations ahead will read is asked for now.

Ainsworth and Jones, "Software prefetching for indirect memory accesses", CGO 2017.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.body import bytes_of
from mlir_gs.lowering.coordinates import Point
from mlir_gs.lowering.emit import (
    Ix,
    add,
    compare,
    loop,
    maximum,
    memref,
    minimum,
    mul,
    size_of,
    sub,
    value,
    when,
)
from mlir_gs.lowering.refs import Ref

if TYPE_CHECKING:
    from mlir_gs.lowering.nest import Job

LINE = 64
# Rows ahead: about this many bytes are on their way at a time.
BYTES_AHEAD = 8192
MOST_ROWS = 32
# What the second-level cache holds is not worth asking for.
CACHED = 1 << 20


@dataclass(frozen=True)
class Prefetch:
    """Prefetch the rows of `reads` and `writes` that the point `dim + distance` touches.

    `enabled` is the condition under which it is worth it, None for always.
    """

    dim: int
    distance: int
    vector_dim: int
    reads: tuple[Ref, ...]
    writes: tuple[Ref, ...]
    enabled: ir.Value | None

    def emit(self, job: "Job", point: Point, position: Ix, upper: Ix) -> None:
        """Ask for the slices of `distance` iterations ahead; the last ones are asked for again."""
        when(self.enabled, lambda: self._ask(job, point, position, upper))

    def _ask(self, job: "Job", point: Point, position: Ix, upper: Ix) -> None:
        ahead = minimum(add(position, self.distance), sub(upper, 1))
        there = Point({**point.dims, self.dim: ahead}, dict(point.symbols), {})
        job.coordinates.load_raw_ready(there)
        for refs, write in ((self.reads, False), (self.writes, True)):
            for ref in refs:
                self._lines(job, ref, there, write)

    def _lines(self, job: "Job", ref: Ref, there: Point, write: bool) -> None:
        step = LINE // bytes_of(ref.storage)

        def line(position: Ix) -> None:
            where = ref.indices(there.at(self.vector_dim, position))
            memref.prefetch(ref.memref, where, write, 3, True)

        extent = job.extents[self.vector_dim]
        if isinstance(extent, int) and extent <= 16 * step:
            for position in range(0, extent, step):
                line(position)
        else:
            loop(0, value(extent), step, line)


def row_prefetch(job: "Job", dim: int, vector_dim: int, row_elements: Ix) -> Prefetch | None:
    """The prefetch for rows along `vector_dim` whose place depends on `dim` by a coordinate."""

    def is_row(ref: Ref) -> bool:
        if not ref.steps_with(vector_dim, job.coordinates):
            return False
        symbols = {s for expr in ref.map.results for s in symbols_of(expr)}
        dims = {d for expr in ref.map.results for d in dims_in(expr)}
        bound = {d for s in symbols for d in job.coordinates.depends(s)} | dims - {vector_dim}
        if any(symbols_of(e) for s in symbols for e in job.structure.coordinates[s].map.results):
            return False
        return any(dim in job.coordinates.depends(s) for s in symbols) and all(
            d <= dim or job.extents[d] == 1 for d in bound
        )

    reads = tuple(ref for ref in job.inputs if is_row(ref))
    writes = tuple(ref for ref in job.outputs if is_row(ref))
    if not reads and not writes:
        return None
    row_bytes = max(bytes_of(ref.storage) for ref in (*reads, *writes)) * (
        row_elements if isinstance(row_elements, int) else 256
    )
    if row_bytes < LINE // 2:
        return None
    distance = max(1, min(MOST_ROWS, BYTES_AHEAD // row_bytes))
    bytes_touched = [bytes_in(ref) for ref in (*reads, *writes)]
    known = [size for size in bytes_touched if isinstance(size, int)]
    if len(known) == len(bytes_touched):
        if max(known) <= CACHED:
            return None
        enabled = None
    else:
        largest = bytes_touched[0]
        for size in bytes_touched[1:]:
            largest = maximum(largest, size)
        enabled = compare("sgt", largest, CACHED)
    return Prefetch(dim, distance, vector_dim, reads, writes, enabled)


def bytes_in(ref: Ref) -> Ix:
    """The bytes of all elements of a memref."""
    total: Ix = bytes_of(ref.storage)
    for position in range(ref.memref.type.rank):
        total = mul(total, size_of(ref.memref, position))
    return total
