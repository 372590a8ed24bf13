"""Long rows that only move: memory is copied, by the instructions that the C library chooses.

They write whole lines without reading them first, which loads and stores of vectors cannot say
unless they also bypass the caches.
"""

from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.body import bytes_of
from mlir_gs.lowering.coordinates import Point
from mlir_gs.lowering.emit import Ix, memref
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.prefetch import Prefetch
from mlir_gs.lowering.ranges import Range
from mlir_gs.lowering.refs import Ref
from mlir_gs.lowering.volume import bytes_moved

LONG_BYTES = 4096


@dataclass(frozen=True)
class RowCopy:
    """`elements` elements along `dim` of `source` at `point` go to `target`; the job moves about
    `moved` bytes."""

    source: Ref
    target: Ref
    dim: int
    point: Point
    elements: int
    moved: Ix

    def emit(self, row: Range, ahead: tuple[Prefetch, Point] | None) -> None:
        """Copy from the start of `row` on. Before it the same part of the rows at a point is asked
        for, if there is one `ahead`."""
        if ahead is not None:
            prefetch, there = ahead
            prefetch.ask_for_copied(there, row, self.moved)
        source, target = (self._row(ref, row.lower) for ref in (self.source, self.target))
        memref.copy(source, target)

    def _row(self, ref: Ref, first: Ix) -> ir.Value:
        where = ref.indices(self.point.at(self.dim, first))
        layout = ir.StridedLayoutAttr.get(DYNAMIC, [1])
        space = ref.memref.type.memory_space
        type_ = ir.MemRefType.get([self.elements], ref.storage, layout, space)
        ones = [1] * len(where)
        sizes = [*ones[1:], self.elements]
        return memref.subview(ref.memref, where, sizes, ones, result_type=type_)


def row_copy(job: Job, dim: int, point: Point, elements: int) -> RowCopy | None:
    """The copy of so many elements along `dim` at `point`, if the job is one and it is long.

    Upstream makes a call of memcpy of it if the number is known.
    """
    refs = copied_refs(job, dim, elements)
    if refs is None or point.valid_for(refs[0].map) is not None:
        return None
    return RowCopy(*refs, dim, point, elements, bytes_moved(job))


def moves_long_rows(job: Job, dim: int) -> bool:
    """Whether rows along `dim` are known to be long, to lie in bounds, and only to move: memcpy
    copies them."""
    length = job.extents[dim]
    if not isinstance(length, int) or copied_refs(job, dim, length) is None:
        return False
    return job.fills[job.body.moved_input(0) or 0] is None


def copied_refs(job: Job, dim: int, elements: int) -> tuple[Ref, Ref] | None:
    """What so many elements along `dim` are copied from and to, where they lie in bounds, if the
    job is a copy and they are long."""
    if not job.body.moves_only or len(job.outputs) != 1:
        return None
    (target,) = job.outputs
    source = job.inputs[job.body.moved_input(0) or 0]
    for ref in (source, target):
        if not ref.steps_with(dim, job.coordinates) or ref.last_stride != 1:
            return None
    if source.storage != target.storage or elements * bytes_of(target.storage) < LONG_BYTES:
        return None
    return source, target
