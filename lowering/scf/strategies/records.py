"""Owned points as records: each thread lists what it reads of its points, then runs the list.

As in `owned`, all threads look at all coordinates, in vectors and without branches. Where a point
reads one number of each operand, these are listed instead of its position, so that the loops that
run the list read it as it lies in memory, like those of an op that has these points alone.

Which thread owns a coordinate changes every few lines, at most pages, so that each has its part of
coordinates that are sorted, or close to each other.
"""

from collections.abc import Callable
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.structure import Access
from mlir_gs.lowering.ir.builders import arith, element_of, with_elements
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    all_at_least,
    floor_div,
    loop,
    maximum,
    memref,
    minimum,
    modulo,
    mul,
    shift_right,
    size_of,
    sub,
    value,
)
from mlir_gs.lowering.op.body import bytes_of, vector
from mlir_gs.lowering.op.compact import view
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import bytes_in
from mlir_gs.lowering.scf.loops.owned_lists import (
    LISTED_BYTES,
    Found,
    Lists,
    OwnedRange,
    like,
)
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.strategies.bucket_sort import with_operands
from mlir_gs.lowering.scf.strategies.owned import find_owned
from mlir_gs.lowering.scf.strategies.parts import emit_part
from mlir_gs.lowering.scf.strategies.points_by_row import (
    Buckets,
    find_buckets,
    log2,
    numbers_of,
    positions_in_i32,
    row_bytes,
)
from mlir_gs.lowering.scf.strategies.sharing import where_it_pays
from mlir_gs.lowering.scf.strategies.work import Work
from mlir_gs.lowering.scf.strategy import Later, Strategy
from mlir_gs.lowering.scf.threads import in_parallel, outline

VECTOR_BYTES = 64
"""Bytes of the vectors of elements of 4 and 8 bytes that a core can compress."""

PIECES = 4
"""Such pieces that a thread owns on end."""

Emit = Callable[[ir.Operation], None]


class Records(Strategy[Work, Buckets]):
    """Threads list what the points read that reach their pieces of the output."""

    name = "records"
    meaning = "owner-computes in two steps: threads record what their points read, then reduce"
    numbers = ("cache_bytes", "piece_bytes", "listed_points", "line", "serial_bytes")
    makes_ops = True
    in_parallel = False

    def applies(self, work: Work) -> Buckets | None:
        return find_records(work)

    def pays(self, work: Work, match: Buckets) -> ir.Value | bool:
        # To add to what a cache holds takes no longer than to look at all coordinates twice. Each
        # thread has two lines or more. Positions of 31 bits may be listed in 32.
        size = bytes_in(work.job.outputs[0].memref)
        policy = work.policy
        least = max(policy.cache_bytes, 2 * policy.line * policy.threads)
        enough = [(work.bytes, policy.serial_bytes), (size, least)]
        return all_at_least([*enough, *positions_in_i32(work.job.structure)])

    def emit(self, work: Work, match: Buckets, pays: ir.Value | bool, later: Later[Work]) -> None:
        def run_list(part: ir.Operation) -> None:
            emit_part(Job.of(part), work.policy.near(), None, [])

        def on_threads() -> None:
            emit_records(work.op, match, work.policy, f"{work.name}_owned", run_list)

        where_it_pays(work, pays, on_threads)

    def describe(self, work: Work, match: Buckets, pays: ir.Value | bool) -> str:
        return (
            f"on {work.policy.threads} threads, where enough moves: each lists what the points "
            "read that reach its part of the output, and runs the list in order"
        )


def find_records(work: Work) -> Buckets | None:
    """What is listed of each point; None where a point reads more than numbers, or others than
    vectors can compress."""
    job = work.job
    if work.lanes_dim is not None or work.policy.vector_bytes < VECTOR_BYTES:
        return None
    owned = find_owned(work)
    if owned is None:
        return None
    records = find_buckets(job)
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


def emit_records(op: ir.Operation, records: Buckets, policy: Policy, name: str, emit: Emit) -> None:
    """Run `op` on threads. `emit(op)` emits the loops of a list; `name` is that of the
    function that runs a thread's points."""

    def body(clone: ir.Operation, given: list[ir.Value]) -> None:
        (me,) = given
        _Part(Job.of(clone), records, policy, me).emit(emit)

    kernel = outline(op, name, 0, body, [ir.IndexType.get()])
    in_parallel(policy.threads, lambda me: kernel.call([me]))


class _Part:
    """The points of `job` that the thread `me` owns."""

    def __init__(self, job: Job, records: Buckets, policy: Policy, me: ir.Value) -> None:
        """Allocates on the stack: not for use within a loop."""
        self.job = job
        self.records = records
        self.listed_points = max(policy.listed_points, 1)
        self.keys = _Keys.of(job, records, policy)
        self.refs = _moved(job, records)
        pairs = zip(records.moved, self.refs, strict=True)
        i32 = ir.IntegerType.get_signless(32)
        types = [i32 if number in records.narrowed else ref.storage for number, ref in pairs]
        self.lanes = LISTED_BYTES // max(map(bytes_of, types))
        memrefs = [ir.MemRefType.get([self.listed_points + self.lanes], type_) for type_ in types]
        mine = self.keys.of_thread(me, policy.threads)
        self.lists = Lists(mine, [memref.alloca(type_, [], []) for type_ in memrefs])
        structure = job.structure
        coordinate = structure.coordinates[records.symbol].name
        self.coordinate = records.moved.index(numbers_of(structure)[coordinate])

    def emit(self, emit: Emit) -> None:
        """`emit(op)` for an op of the points of each block that are owned, in order."""
        dim = self.records.dim
        extent = self.job.extents[dim]

        def block(start: Ix) -> None:
            end = minimum(add(start, self.listed_points), extent)
            whole = sub(end, modulo(sub(end, start), self.lanes))
            count = self.lists.in_lanes(start, whole, self.lanes, self._in_lanes)
            count = self.lists.one_by_one(whole, end, count, self._alone)
            listed = [view(one, [0], [value(count)]) for one in self.lists.memrefs]
            part = with_operands(self.job.op, self.records, listed)
            emit(part)
            part.erase()

        loop(0, extent, self.listed_points, block)

    def _in_lanes(self, position: Ix) -> Found:
        def load(ref: Ref, where: list[ir.Value]) -> ir.Value:
            return vector.load(ir.VectorType.get([self.lanes], ref.storage), ref.memref, where)

        return self._look(position, load)

    def _alone(self, position: Ix) -> Found:
        return self._look(position, lambda ref, where: memref.load(ref.memref, where))

    def _look(self, position: Ix, load: Callable[[Ref, list[ir.Value]], ir.Value]) -> Found:
        point = Point().at(self.records.dim, position)
        given = [
            _narrowed(load(ref, ref.indices(point)), there.type.element_type)
            for ref, there in zip(self.refs, self.lists.memrefs, strict=True)
        ]
        return self.keys.of_coordinates(given[self.coordinate]), given


@dataclass(frozen=True)
class _Keys:
    """The keys of coordinates, which `shift` and `mask` give, are the numbers below `count` for
    those in bounds."""

    shift: Ix
    mask: int
    count: Ix

    @classmethod
    def of(cls, job: Job, records: Buckets, policy: Policy) -> "_Keys":
        (output,) = job.structure.outputs
        rows = size_of(output.value, records.position)
        row = row_bytes(job, records)
        # A share of a thread is two times PIECES or more.
        piece = floor_div(mul(rows, row), 2 * PIECES * policy.threads)
        piece = maximum(minimum(piece, policy.piece_bytes), policy.line)
        shift = log2(maximum(floor_div(piece, maximum(row, 1)), 1))
        most = 1 << (PIECES * policy.threads - 1).bit_length()
        last = shift_right(maximum(sub(rows, 1), 0), shift)
        return cls(shift, most - 1, minimum(add(last, 1), most))

    def of_coordinates(self, coordinates: ir.Value) -> ir.Value:
        shift, mask = (like(x, coordinates.type) for x in (self.shift, self.mask))
        return arith.andi(arith.shrui(coordinates, shift), mask)

    def of_thread(self, number: ir.Value, threads: int) -> OwnedRange:
        borders = (floor_div(mul(self.count, n), threads) for n in (number, add(number, 1)))
        return OwnedRange(*borders)


def _moved(job: Job, records: Buckets) -> list[Ref]:
    numbers = numbers_of(job.structure)
    accesses: dict[int, Access] = {numbers[a.name]: a for a in job.structure.accesses}
    return [Ref.of(accesses[n], moves_only=False).without_unit_tail() for n in records.moved]


def _is_compressible(type_: ir.Type) -> bool:
    if isinstance(type_, ir.IntegerType):
        return type_.is_signless and type_.width in (32, 64)
    return isinstance(type_, ir.F32Type | ir.F64Type)


def _narrowed(given: ir.Value, listed: ir.Type) -> ir.Value:
    """As it is listed, in each lane where `given` is a vector."""
    if element_of(given.type) == listed:
        return given
    return arith.trunci(with_elements(given.type, listed), given)
