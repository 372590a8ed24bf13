"""Owned points as records: each thread lists what it reads of its points, then runs the list.

As in `owned`, all threads look at all coordinates, in vectors and without branches. Where a point
reads one number of each operand, these are listed instead of its position, so that the loops that
run the list read it as it lies in memory, like those of an op that has these points alone.
"""

from collections.abc import Callable, Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Access
from mlir_gs.lowering.body import vector
from mlir_gs.lowering.bucket_sort import with_operands
from mlir_gs.lowering.buckets import Buckets, find_buckets, numbers_of
from mlir_gs.lowering.builders import arith
from mlir_gs.lowering.coordinates import Point
from mlir_gs.lowering.emit import (
    Ix,
    add,
    loop,
    memref,
    minimum,
    modulo,
    sub,
    value,
)
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.owned_lists import LANES, Found, OwnedRange
from mlir_gs.lowering.plan import Owned, Split, Target
from mlir_gs.lowering.prefetch_streams import Streams
from mlir_gs.lowering.refs import Ref

VECTOR_BYTES = 64
"""Bytes of the vectors that a core can compress: AVX-512's, of elements of 4 and 8 bytes."""

BLOCK = 2048
"""Points that are looked at before those among them run: what is listed of them fits into a
first-level cache, mostly."""


class OwnedRecords:
    """The points of `job` whose coordinate lies in [lower, upper)."""

    def __init__(self, job: Job, records: Buckets, bounds: Sequence[ir.Value]) -> None:
        """Allocates on the stack: not for use within a loop."""
        self.job = job
        self.records = records
        self.range = OwnedRange(*bounds)
        self.refs = _moved(job, records)
        self.lists = [
            memref.alloca(ir.MemRefType.get([BLOCK + LANES], ref.storage), [], [])
            for ref in self.refs
        ]
        structure = job.structure
        coordinate = structure.coordinates[records.symbol].name
        self.coordinate = records.moved.index(numbers_of(structure)[coordinate])

    def emit(self, reads: Streams | None, run: Callable[[ir.Operation], None]) -> None:
        """`run(op)` for an op of the points of each block that are owned, in order. `reads` are
        asked for a block ahead."""
        extent = self.job.extents[self.records.dim]

        def lanes(position: Ix) -> Found:
            if reads is not None:
                reads.emit_later(Point(), position, BLOCK)
            return self._look(position, _load_lanes)

        def single(position: Ix) -> Found:
            coordinate, listed = self._look(position, lambda ref, at: memref.load(ref.memref, at))
            return arith.index_cast(ir.IndexType.get(), coordinate), listed

        def block(start: Ix) -> None:
            end = minimum(add(start, BLOCK), extent)
            whole = sub(end, modulo(sub(end, start), LANES))
            count = self.range.in_lanes(start, whole, lanes)
            count = self.range.one_by_one(whole, end, count, single)
            part = with_operands(self.job.op, self.records, [_first(x, count) for x in self.lists])
            run(part)
            part.erase()

        loop(0, extent, BLOCK, block)

    def _look(self, position: Ix, load: Callable[[Ref, list[ir.Value]], ir.Value]) -> Found:
        point = Point().at(self.records.dim, position)
        given = [load(ref, ref.indices(point)) for ref in self.refs]
        return given[self.coordinate], list(zip(given, self.lists, strict=True))


def find_records(job: Job, owned: Owned, dim: int | None, vector_bytes: int) -> Buckets | None:
    """What is listed of each point; None where a point reads more than numbers, or others than
    vectors can compress. `dim` is the one in lanes."""
    records = find_buckets(job) if dim is None and vector_bytes >= VECTOR_BYTES else None
    if records is None or (records.symbol, records.dim) != (owned.symbol, owned.dim):
        return None
    is_given = job.structure.modes[owned.symbol] != "clip" and not job.structure.wraps[owned.symbol]
    if not is_given or job.structure.rank != 1:
        return None
    for ref in _moved(job, records):
        if not _is_compressible(ref.element) or ref.last_stride != 1:
            return None
        if not ref.steps_with(records.dim, job.coordinates):
            return None
    return records


def enough_to_own(job: Job, split: Split, dim: int | None, target: Target) -> int:
    """Bytes of an output from which threads own parts of it in pieces of less than a line."""
    if split.owned is None:
        return target.owned_bytes
    records = find_records(job, split.owned, dim, target.vector_bytes)
    return target.owned_bytes if records is None else target.records_bytes


def _moved(job: Job, records: Buckets) -> list[Ref]:
    numbers = numbers_of(job.structure)
    accesses: dict[int, Access] = {numbers[a.name]: a for a in job.structure.accesses}
    return [Ref.of(accesses[n], moves_only=False).without_unit_tail() for n in records.moved]


def _load_lanes(ref: Ref, where: list[ir.Value]) -> ir.Value:
    return vector.load(ir.VectorType.get([LANES], ref.storage), ref.memref, where)


def _is_compressible(type_: ir.Type) -> bool:
    if isinstance(type_, ir.IntegerType):
        return type_.is_signless and type_.width in (32, 64)
    return isinstance(type_, ir.F32Type | ir.F64Type)


def _first(elements: ir.Value, count: Ix) -> ir.Value:
    """So many of the first ones."""
    layout = ir.StridedLayoutAttr.get(0, [1])
    type_ = ir.MemRefType.get([DYNAMIC], elements.type.element_type, layout)
    return memref.subview(elements, [0], [value(count)], [1], result_type=type_)
