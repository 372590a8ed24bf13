"""Long rows that only move: memory is copied, by the instructions that the C library chooses.

They write whole lines without reading them first, which loads and stores of vectors cannot say
unless they also bypass the caches.
"""

from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.emit import Ix, memref
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.long_rows import copied_refs
from mlir_gs.lowering.op.ranges import Range
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.scf.remarks import remark


@dataclass(frozen=True)
class RowCopy:
    """`elements` elements along `dim` of `source` at `point` go to `target`."""

    source: Ref
    target: Ref
    dim: int
    point: Point
    elements: int

    def emit(self, row: Range) -> None:
        """Copy from the start of `row` on."""
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


def row_copy(job: Job, dim: int, point: Point, elements: int, least: int) -> RowCopy | None:
    """The copy of so many elements along `dim` at `point`, if the job is one, of `least` bytes or
    more.

    Upstream makes a call of memcpy of it if the number is known.
    """
    refs = copied_refs(job, dim, elements, least)
    if refs is None or point.valid_for(refs[0].map) is not None:
        return None
    return RowCopy(*refs, dim, point, elements)


def remark_copies(job: Job) -> None:
    """Remark that memcpy moves the rows."""
    remark(job, "long rows by memcpy: they only move")
