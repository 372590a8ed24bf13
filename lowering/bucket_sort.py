"""The counting sort of points into buckets, and the loops that run them: see `buckets`.

Each thread counts the points of its part for each bucket, then moves them to where the counts of
the buckets and threads before it end; so points of a bucket keep their order.
"""

from collections.abc import Callable, Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.structure import Access, Structure, groups
from mlir_gs.lowering.asking import ask_for
from mlir_gs.lowering.body import bytes_of
from mlir_gs.lowering.buckets import Buckets, bucket_shift, numbers_of, place_of, row_bytes
from mlir_gs.lowering.builders import arith, index
from mlir_gs.lowering.coordinates import Point, as_signless
from mlir_gs.lowering.emit import (
    Ix,
    add,
    ceil_div,
    choose,
    compare,
    loop,
    loop_carrying,
    loop_while,
    maximum,
    memref,
    minimum,
    mul,
    size_of,
    sub,
    value,
)
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.plan import Target
from mlir_gs.lowering.threads import (
    Emit,
    in_function,
    in_parallel,
    memory_per_thread,
    outline,
    share,
)
from mlir_gs.lowering.volume import LINE


class _Sorting:
    """The numbers of one sort: how far coordinates are shifted, and how many buckets there are."""

    def __init__(self, job: Job, buckets: Buckets) -> None:
        (output,) = job.structure.outputs
        self.rows = size_of(output.value, buckets.position)
        self.shift = bucket_shift(self.rows, row_bytes(job, buckets), buckets.reach)
        last = arith.shrui(value(maximum(sub(self.rows, 1), 0)), value(self.shift))
        self.count = add(last, 1)
        self.points = job.extents[buckets.dim]


def emit_buckets(
    op: ir.Operation, job: Job, buckets: Buckets, target: Target, name: str, emit: Emit
) -> None:
    """Sort the points of `op`, and run it on the threads of `target`.

    `emit(op, bounds)` emits the loops of an op on a part of its first dim, from the lower to the
    upper bound; `name` is that of the functions that run a part.
    """
    threads = target.threads
    sorting = _Sorting(job, buckets)
    index_type = ir.IndexType.get()
    places = memory_per_thread([sorting.count], index_type, threads)
    starts = memref.alloc(
        ir.MemRefType.get([DYNAMIC], index_type), [value(add(sorting.count, 1))], []
    )
    memory, copies = _records(op, buckets, sorting)
    level = target.asking.element_level

    def counting(clone: ir.Operation, given: Sequence[ir.Value]) -> None:
        thread, lower, upper = given[1], *given[-2:]
        _count(Job.of(clone), buckets, given[0], thread, lower, upper)

    def placing(clone: ir.Operation, given: Sequence[ir.Value]) -> None:
        thread, lower, upper = given[1], *given[-2:]
        _move(Job.of(clone), buckets, clone, given[0], given[2:-2], thread, lower, upper, level)

    def starting(clone: ir.Operation, given: Sequence[ir.Value]) -> None:
        counts, begins = given
        _sum_up(counts, begins, _Sorting(Job.of(clone), buckets), threads)

    _on_threads(op, f"{name}_count", counting, [places], sorting.points, threads)
    if threads == 1:
        starting(op, [places, starts])
    else:
        in_function(op, f"{name}_starts", starting, [places, starts])
    _on_threads(op, f"{name}_move", placing, [places, *copies], sorting.points, threads)
    inner = with_operands(op, buckets, copies)

    def running(clone: ir.Operation, given: Sequence[ir.Value]) -> None:
        begun, number = given
        following = arith.addi(number, index(1))
        own = _Sorting(Job.of(clone), buckets)
        emit(clone, [_border(begun, own, n, threads) for n in (number, following)])

    if threads == 1:
        emit(inner, [index(0), value(sorting.points)])
    else:
        types = [starts.type, index_type]
        run = outline(inner, f"{name}_run", 0, running, types)
        in_parallel(threads, lambda number: run.call([starts, number]))
    inner.erase()
    for buffer in (places, starts, memory):
        memref.dealloc(buffer)


def _on_threads(
    op: ir.Operation,
    name: str,
    body: Callable[[ir.Operation, Sequence[ir.Value]], None],
    buffers: Sequence[ir.Value],
    points: Ix,
    threads: int,
) -> None:
    """`body(op, [buffers[0], thread, *buffers[1:], lower, upper])` for the part of each thread."""
    first, *rest = buffers
    if threads == 1:
        body(op, [first, index(0), *rest, index(0), value(points)])
        return
    types = [first.type, ir.IndexType.get(), *(buffer.type for buffer in rest)]
    kernel = outline(op, name, 1, body, types)

    def part(number: ir.Value) -> None:
        kernel.call([first, number, *rest, *share(number, points, 1, threads)])

    in_parallel(threads, part)


def _records(
    op: ir.Operation, buckets: Buckets, sorting: _Sorting
) -> tuple[ir.Value, list[ir.Value]]:
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
    memory = memref.alloc(dynamic, [value(mul(sorting.points, record))], [])
    # Sizes are powers of 2: the largest first, each lies at a multiple of its size.
    first = {
        n: sum(sizes[m] for m in range(len(sizes)) if (-sizes[m], m) < (-sizes[n], n))
        for n in range(len(sizes))
    }
    copies = []
    for n, (element, size) in enumerate(zip(elements, sizes, strict=True)):
        count = mul(sorting.points, record // size)
        all_ = ir.MemRefType.get([DYNAMIC], element)
        whole = memref.view(all_, memory, index(0), [value(count)])
        copies.append(_every(whole, first[n] // size, record // size, sorting.points))
    return memory, copies


def _record_bytes(copy: ir.Value) -> int:
    (step,), _ = copy.type.get_strides_and_offset()
    return step * bytes_of(copy.type.element_type)


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
        row = maximum(minimum(row, sub(sorting.rows, 1)), 0)
    return arith.shrui(value(row), value(sorting.shift))


def _count(
    job: Job, buckets: Buckets, places: ir.Value, thread: ir.Value, lower: Ix, upper: Ix
) -> None:
    """How many of the points [lower, upper) each bucket has."""
    sorting = _Sorting(job, buckets)
    loop(0, sorting.count, 1, lambda n: memref.store(index(0), places, [thread, value(n)]))

    def one(at: Ix) -> None:
        where = [thread, _bucket(job, buckets, sorting, at)]
        memref.store(arith.addi(memref.load(places, where), index(1)), places, where)

    loop(lower, upper, 1, one)


def _sum_up(places: ir.Value, starts: ir.Value, sorting: _Sorting, threads: int) -> None:
    """From how many points each thread has in each bucket, to where they begin."""

    def bucket(number: Ix, carried: list[ir.Value]) -> list[ir.Value]:
        memref.store(carried[0], starts, [value(number)])

        def thread(one: Ix, inner: list[ir.Value]) -> list[ir.Value]:
            where = [value(one), value(number)]
            count = memref.load(places, where)
            memref.store(inner[0], places, where)
            return [arith.addi(inner[0], count)]

        return loop_carrying(0, threads, carried, thread)

    (total,) = loop_carrying(0, sorting.count, [index(0)], bucket, unroll="never")
    memref.store(total, starts, [value(sorting.count)])


def _move(
    job: Job,
    buckets: Buckets,
    op: ir.Operation,
    places: ir.Value,
    copies: Sequence[ir.Value],
    thread: ir.Value,
    lower: Ix,
    upper: Ix,
    level: int,
) -> None:
    """What belongs to the points [lower, upper) to its place in the copies.

    The line of records after a point's is asked for, into the cache `level`: there are more buckets
    than runs of lines that a core follows by itself.
    """
    sorting = _Sorting(job, buckets)
    accesses = {number: access for access, number in _accesses(job.structure)}
    ahead = ceil_div(LINE, _record_bytes(copies[0]))

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
        ask_for(copies[0], [value(add(place, ahead))], written=True, level=level)

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


def _border(starts: ir.Value, sorting: _Sorting, number: ir.Value, threads: int) -> ir.Value:
    """The first point of the first bucket that begins at the share of thread `number` or later."""
    share_of = arith.divui(arith.muli(number, value(sorting.points)), index(threads))

    def before(at: ir.Value) -> ir.Value:
        inside = compare("slt", at, sorting.count)
        truth = ir.IntegerType.get_signless(1)
        return choose(
            inside,
            truth,
            lambda: compare("slt", memref.load(starts, [at]), share_of),
            lambda: arith.constant(truth, 0),
        )

    found = loop_while(0, before, lambda at: add(at, 1))
    return memref.load(starts, [found])


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
