"""Prefetch of lines that are about to be written whole, in the order in which they lie in memory.

A core owns a line before it writes it; asked for early, the lines are there when the stores come,
which are done in order and wait for each other. Some cores gain nothing: they write past the
caches at full speed, or copy by instructions of their own.
"""

from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim
from mlir_gs.lowering.body import bytes_of
from mlir_gs.lowering.coordinates import Point
from mlir_gs.lowering.emit import Ix, add, compare, memref, when
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.prefetch import CACHED
from mlir_gs.lowering.refs import Ref
from mlir_gs.lowering.volume import LINE, bytes_in


@dataclass(frozen=True)
class WritesAhead:
    """Ask for the lines of `refs` that are written `distance` bytes later along `dim`.

    Past the end of a row that is the next row, where rows lie side by side. `enabled` is the
    condition under which it is worth it, None for always.
    """

    dim: int
    refs: tuple[Ref, ...]
    distance: int
    enabled: ir.Value | None

    def emit(self, point: Point, position: Ix, elements: int) -> None:
        """While `elements` elements from `position` on are written."""

        def ask() -> None:
            for ref in self.refs:
                size = bytes_of(ref.storage)
                for offset in range(0, elements * size, LINE):
                    later = add(position, (self.distance + offset) // size)
                    # Beyond the end of the memory a prefetch does nothing.
                    memref.prefetch(
                        ref.memref, ref.indices(point.at(self.dim, later)), True, 3, True
                    )

        when(self.enabled, ask)


def writes_ahead(job: Job, dim: int, distance: int) -> WritesAhead | None:
    """The prefetch of outputs that are written in order, with `dim` in vectors; `distance` in
    bytes, 0 for never."""
    if not distance:
        return None
    refs, enabled = [], None
    for ref in job.outputs:
        size = bytes_in(ref.memref)
        if not _is_in_order(job, ref, dim) or (isinstance(size, int) and size <= CACHED):
            continue
        refs.append(ref)
        if not isinstance(size, int):
            enabled = compare("sgt", size, CACHED)
    return WritesAhead(dim, tuple(refs), distance, enabled) if refs else None


def _is_in_order(job: Job, ref: Ref, vector_dim: int) -> bool:
    """Its dimensions are addressed by iteration dims in their order, the last by `vector_dim`."""
    plain = [plain_dim(expr) for expr in ref.map.results]
    outer, _ = job.loop_order(vector_dim)
    loops = [dim for dim in (*outer, vector_dim) if job.extents[dim] != 1]
    written = [dim for dim in plain if dim is None or job.extents[dim] != 1]
    return bool(written) and None not in written and written == loops
