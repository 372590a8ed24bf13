"""The counting sort of points into buckets, and the loops that run them: see `buckets`.

Each thread counts the points of its part for each bucket, then moves them to where the counts of
the buckets and threads before it end; so points of a bucket keep their order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Access, Structure, groups
from mlir_gs.lowering.ir.builders import arith, index
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    compare,
    dynamic_and_static,
    loop,
    loop_carrying,
    maximum,
    memref,
    minimum,
    mul,
    shift_right,
    size_of,
    sub,
    value,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.coordinates import Point, as_signless
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.strategies.points_by_row import (
    Buckets,
    bucket_shift,
    numbers_of,
    place_of,
    row_bytes,
)
from mlir_gs.lowering.scf.threads import (
    Emit,
    in_function,
    in_parallel,
    memory_per_thread,
    outline,
    share,
)


@dataclass(frozen=True)
class _Sorting:
    """The numbers of one sort: how far coordinates are shifted, and how many buckets there are."""

    shift: Ix
    count: Ix

    @classmethod
    def of(cls, job: Job, buckets: Buckets, policy: Policy) -> "_Sorting":
        """As they are computed, once."""
        rows = _rows(job, buckets)
        shift = bucket_shift(rows, row_bytes(job, buckets), policy)
        last = shift_right(maximum(sub(rows, 1), 0), shift)
        return cls(shift, add(last, 1))

    def values(self) -> list[ir.Value]:
        """Those that a function has to be given."""
        return dynamic_and_static([self.shift, self.count])[0]

    def given(self, values: Sequence[ir.Value]) -> "_Sorting":
        """The same in a function that has them."""
        rest = list(values)
        return _Sorting(
            *(n if isinstance(n, int) else rest.pop(0) for n in (self.shift, self.count))
        )


def _rows(job: Job, buckets: Buckets) -> Ix:
    (output,) = job.structure.outputs
    return size_of(output.value, buckets.position)


def emit_buckets(
    op: ir.Operation, job: Job, buckets: Buckets, policy: Policy, name: str, emit: Emit
) -> None:
    """Sort the points of `op`, and run it on the threads of `policy`.

    `emit(op, bounds)` emits the loops of an op on a part of its first dim, from the lower to the
    upper bound; `name` is that of the functions that run a part.
    """
    threads = policy.threads
    sorting = _Sorting.of(job, buckets, policy)
    points = job.extents[buckets.dim]
    index_type = ir.IndexType.get()
    places = memory_per_thread([sorting.count], index_type, threads)
    memory, copies = _records(op, buckets, points)
    numbers = sorting.values()

    def counting(clone: ir.Operation, given: Sequence[ir.Value]) -> None:
        counts, *mine, thread, lower, upper = given
        _count(Job.of(clone), buckets, sorting.given(mine), counts, thread, lower, upper)

    def placing(clone: ir.Operation, given: Sequence[ir.Value]) -> None:
        begun, *mine, thread, lower, upper = given
        own, there = sorting.given(mine[: len(numbers)]), mine[len(numbers) :]
        _move(Job.of(clone), buckets, own, clone, begun, there, thread, lower, upper)

    _on_threads(op, f"{name}_count", counting, [places, *numbers], points, threads)
    borders = _sum_up(op, f"{name}_starts", places, sorting, points, threads)
    _on_threads(op, f"{name}_move", placing, [places, *numbers, *copies], points, threads)
    inner = with_operands(op, buckets, copies)

    def running(clone: ir.Operation, given: Sequence[ir.Value]) -> None:
        found, number = given
        following = arith.addi(number, index(1))
        emit(clone, [memref.load(found, [n]) for n in (number, following)])

    if borders is None:
        emit(inner, [index(0), value(points)])
    else:
        run = outline(inner, f"{name}_run", 0, running, [borders.type, index_type])
        in_parallel(threads, lambda number: run.call([borders, number]))
        memref.dealloc(borders)
    inner.erase()
    for buffer in (places, memory):
        memref.dealloc(buffer)


def _on_threads(
    op: ir.Operation,
    name: str,
    body: Callable[[ir.Operation, Sequence[ir.Value]], None],
    given: Sequence[ir.Value],
    points: Ix,
    threads: int,
) -> None:
    """`body(op, [*given, thread, lower, upper])` for the part of each thread."""
    if threads == 1:
        body(op, [*given, index(0), index(0), value(points)])
        return
    types = [*(one.type for one in given), ir.IndexType.get()]
    kernel = outline(op, name, 1, body, types)

    def part(number: ir.Value) -> None:
        kernel.call([*given, number, *share(number, points, 1, threads)])

    in_parallel(threads, part)


def _records(op: ir.Operation, buckets: Buckets, points: Ix) -> tuple[ir.Value, list[ir.Value]]:
    """Room for a record for each point: its memory, and a view of the elements of each operand.

    What is moved of a point lies side by side, so that a bucket is written to at one place.
    """
    i8, i32 = (ir.IntegerType.get_signless(n) for n in (8, 32))
    elements = [
        i32 if n in buckets.narrowed else op.operands[n].type.element_type for n in buckets.moved
    ]
    sizes = [bytes_of(element) for element in elements]
    record = -(-sum(sizes) // max(sizes)) * max(sizes)
    dynamic = ir.MemRefType.get([DYNAMIC], i8)
    memory = memref.alloc(dynamic, [value(mul(points, record))], [])
    # Sizes are powers of 2: the largest first, each lies at a multiple of its size.
    first = {
        n: sum(sizes[m] for m in range(len(sizes)) if (-sizes[m], m) < (-sizes[n], n))
        for n in range(len(sizes))
    }
    copies = []
    for n, (element, size) in enumerate(zip(elements, sizes, strict=True)):
        count = mul(points, record // size)
        all_ = ir.MemRefType.get([DYNAMIC], element)
        whole = memref.view(all_, memory, index(0), [value(count)])
        copies.append(_every(whole, first[n] // size, record // size, points))
    return memory, copies


def _every(elements: ir.Value, first: int, step: int, count: Ix) -> ir.Value:
    """So many of `elements`, from the number `first` on with a step of `step`."""
    layout = ir.StridedLayoutAttr.get(first, [step])
    type_ = ir.MemRefType.get([DYNAMIC], elements.type.element_type, layout)
    return memref.reinterpret_cast(
        type_, elements, [], [value(count)], [], [first], [DYNAMIC], [step]
    )


def _bucket(job: Job, buckets: Buckets, sorting: _Sorting, at: Ix) -> ir.Value:
    """The bucket of a point; one that writes nothing may go anywhere."""
    point = Point({dim: 0 for dim in job.extents}).at(buckets.dim, at)
    job.coordinates.load(buckets.symbol, point)
    row = point.symbols[buckets.symbol]
    if job.structure.modes[buckets.symbol] != "promise_in_bounds":
        row = maximum(minimum(row, sub(_rows(job, buckets), 1)), 0)
    return value(shift_right(row, sorting.shift))


def _count(
    job: Job,
    buckets: Buckets,
    sorting: _Sorting,
    places: ir.Value,
    thread: ir.Value,
    lower: Ix,
    upper: Ix,
) -> None:
    """How many of the points [lower, upper) each bucket has."""
    loop(0, sorting.count, 1, lambda n: memref.store(index(0), places, [thread, value(n)]))

    def one(at: Ix) -> None:
        where = [thread, _bucket(job, buckets, sorting, at)]
        memref.store(arith.addi(memref.load(places, where), index(1)), places, where)

    loop(lower, upper, 1, one)


def _sum_up(
    op: ir.Operation, name: str, places: ir.Value, sorting: _Sorting, points: Ix, threads: int
) -> ir.Value | None:
    """From how many points each thread has in each bucket, to where they begin; for several
    threads, in a function of that name.

    Returns where the part of each thread begins, and the last one ends: at the first bucket that
    begins where an even share of the points does, or later. None for one thread.
    """
    if threads == 1:
        _begin(places, sorting, 1, lambda one, begun: None)
        return None
    type_ = ir.MemRefType.get([threads + 1], ir.IndexType.get())
    borders = memref.alloc(type_, [], [])
    given = [places, borders, *dynamic_and_static([points])[0], *sorting.values()]

    def sums(_: ir.Operation, given: Sequence[ir.Value]) -> None:
        counts, found, *numbers = given
        last = value(points if isinstance(points, int) else numbers.pop(0))
        loop(0, threads + 1, 1, lambda one: memref.store(last, found, [value(one)]))

        def border(one: ir.Value, begun: ir.Value) -> None:
            even = arith.divui(arith.muli(one, last), index(threads))
            before = memref.load(found, [one])
            now = arith.select(compare("sge", begun, even), begun, last)
            memref.store(value(minimum(before, now)), found, [one])

        _begin(counts, sorting.given(numbers), threads, border)

    in_function(op, name, sums, given)
    return borders


def _begin(
    places: ir.Value,
    sorting: _Sorting,
    threads: int,
    bucket_begins: Callable[[ir.Value, ir.Value], None],
) -> None:
    """Where the points begin of each thread in each bucket; `bucket_begins(thread, place)` is
    emitted for each bucket, before those of the thread."""

    def bucket(number: Ix, carried: list[ir.Value]) -> list[ir.Value]:
        def thread(one: Ix, inner: list[ir.Value]) -> list[ir.Value]:
            bucket_begins(value(one), carried[0])
            where = [value(one), value(number)]
            count = memref.load(places, where)
            memref.store(inner[0], places, where)
            return [arith.addi(inner[0], count)]

        return loop_carrying(0, threads, carried, thread)

    loop_carrying(0, sorting.count, [index(0)], bucket, unroll="never")


def _move(
    job: Job,
    buckets: Buckets,
    sorting: _Sorting,
    op: ir.Operation,
    places: ir.Value,
    copies: Sequence[ir.Value],
    thread: ir.Value,
    lower: Ix,
    upper: Ix,
) -> None:
    """What belongs to the points [lower, upper) to its place in the copies."""
    accesses = {number: access for access, number in _accesses(job.structure)}

    def one(at: Ix) -> None:
        where = [thread, _bucket(job, buckets, sorting, at)]
        place = memref.load(places, where)
        memref.store(arith.addi(place, index(1)), places, where)
        for number, copy in zip(buckets.moved, copies, strict=True):
            operand = op.operands[number]
            mine = place_of(accesses[number], buckets.dim)
            there = [value(at) if p == mine else index(0) for p in range(operand.type.rank)]
            element = memref.load(operand, there)
            memref.store(_as_type(element, copy.type.element_type), copy, [place])

    loop(lower, upper, 1, one)


def _as_type(element: ir.Value, type_: ir.Type) -> ir.Value:
    if element.type == type_:
        return element
    if isinstance(element.type, ir.IndexType):
        return arith.index_cast(type_, element)
    return arith.trunci(type_, as_signless(element))


def _accesses(structure: Structure) -> list[tuple[Access, int]]:
    numbers = numbers_of(structure)
    return [(access, numbers[access.name]) for access in structure.accesses]


def with_operands(op: ir.Operation, buckets: Buckets, copies: Sequence[ir.Value]) -> ir.Operation:
    """`op` on the copies, at whose points the dim is the only one."""
    structure = Structure.of(op.opview)
    inner = op.clone()
    for number, copy in zip(buckets.moved, copies, strict=True):
        inner.operands[number] = copy
    plain = ir.AffineDimExpr.get(buckets.dim)
    numbers = numbers_of(structure)

    def renewed(access: Access) -> ir.AffineMapAttr:
        map_ = access.map
        if numbers[access.name] in buckets.moved:
            map_ = ir.AffineMap.get(map_.n_dims, map_.n_symbols, [plain])
        return ir.AffineMapAttr.get(map_)

    maps = [renewed(access) for access in (*structure.inputs, *structure.outputs)]
    inner.attributes["indexing_maps"] = ir.ArrayAttr.get(maps)
    _, indices, _ = groups(op.opview)
    inner.attributes["coordinate_maps"] = ir.ArrayAttr.get(
        [
            ir.ArrayAttr.get(
                [renewed(a) for a in structure.coordinates if a.name == f"indices #{number}"]
            )
            for number in range(len(indices))
        ]
    )
    return inner
