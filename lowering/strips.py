"""Strips of columns: all rows of a few columns of a matrix, brought next to each other.

Where each column has coordinates of its own, as along dim 0 of a matrix, the points of a row touch
lines all over the matrix, and again in the next row, when no cache has them any more. The lines of
a few columns fit into a cache, but not at the distances that they have from each other in the
matrix: those share its few places. So they are copied to a buffer, the points of these columns run
on it, and where they write, it is copied back. Each line of the matrix comes once.
"""

from dataclasses import dataclass
from functools import partial

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.generic import generic
from mlir_gs.dialect.structure import Access, Structure, dims_in, groups
from mlir_gs.lowering.body import bytes_of
from mlir_gs.lowering.builders import arith, memory_of
from mlir_gs.lowering.emit import (
    Ix,
    add,
    all_at_least,
    both,
    compare,
    floor_div,
    loop,
    memref,
    modulo,
    mul,
    size_of,
    sub,
    value,
)
from mlir_gs.lowering.extents import extents_of
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.threads import Emit, func, in_parallel, outline, share
from mlir_gs.lowering.volume import LINE

ROW_BYTES = 128
"""Bytes of a row of a strip: two lines, which come together."""

MOST_BYTES = 3 << 18
"""Bytes of a strip, so that a cache of the second level holds it beside what passes by."""

FAR = 2 << 20
"""Bytes of a matrix that is worth it."""

ROWS_PER_POINT = 4
"""Rows of the matrix for each point of a column, at most: all rows are copied."""


@dataclass(frozen=True)
class Strips:
    """The operands `packed`, by their numbers among inputs and outputs, are copied in strips of
    `columns` positions of the iteration dim `dim`, one position of the dims `batch` at a time."""

    dim: int
    batch: tuple[int, ...]
    packed: tuple[int, ...]
    columns: int


def find_strips(job: Job) -> Strips | None:
    """How `job` can run in strips."""
    structure = job.structure
    accesses = [*structure.inputs, *structure.outputs]
    for dim in reversed(range(structure.rank)):
        if not structure.plain_in_outputs(dim) or not _cuts(structure, dim):
            continue
        packed = [n for n, access in enumerate(accesses) if _is_by_column(job, access, dim)]
        if not packed or not _writes_once(structure, packed):
            continue
        batch = {
            found
            for n in packed
            for expr in list(accesses[n].map.results)[:-1]
            if (found := plain_dim(expr)) is not None
        }
        if not all(structure.plain_in_outputs(d) and _cuts(structure, d) for d in batch):
            continue
        widest = max(bytes_of(accesses[n].value.type.element_type) for n in packed)
        columns = max(1, ROW_BYTES // widest)
        extent = job.extents[dim]
        if not isinstance(extent, int) or extent >= 2 * columns:
            return Strips(dim, tuple(sorted(batch)), tuple(packed), columns)
    return None


def _cuts(structure: Structure, dim: int) -> bool:
    """A part of `dim` is a part of each operand that depends on it."""
    for access in structure.accesses:
        mentions = [expr for expr in access.map.results if dim in dims_in(expr)]
        if mentions and (len(mentions) > 1 or plain_dim(mentions[0]) != dim):
            return False
    # An operand of several coordinates is cut once.
    return all(
        _position(one, dim) == _position(other, dim)
        for one in structure.coordinates
        for other in structure.coordinates
        if one.name == other.name
    )


def _position(access: Access, dim: int) -> int | None:
    """The dimension that `dim` addresses plainly."""
    plain = [plain_dim(expr) for expr in access.map.results]
    return plain.index(dim) if dim in plain else None


def _is_by_column(job: Job, access: Access, dim: int) -> bool:
    """`dim` is the last dimension, and coordinates that depend on it address others."""
    *rows, last = list(access.map.results) or [None]
    if last is None or plain_dim(last) != dim:
        return False
    if not all(symbols_of(expr) or plain_dim(expr) is not None for expr in rows):
        return False
    strides, _ = access.value.type.get_strides_and_offset()
    found = {symbol for expr in rows for symbol in symbols_of(expr)}
    return strides[-1] == 1 and any(dim in job.coordinates.depends(symbol) for symbol in found)


def _writes_once(structure: Structure, packed: list[int]) -> bool:
    """No input is the memory of an output that is packed."""
    n_in = len(structure.inputs)
    return not any(
        access.map == structure.outputs[n - n_in].map
        or memory_of(access.value) == memory_of(structure.outputs[n - n_in].value)
        for n in packed
        if n >= n_in
        for access in structure.inputs
    )


def are_worth_it(job: Job, strips: Strips) -> ir.Value | bool:
    """Whether strips fit into a cache that matrices do not, and most of their lines are needed."""
    structure = job.structure
    accesses = [*structure.inputs, *structure.outputs]
    points: Ix = 1
    for dim, extent in job.extents.items():
        if dim != strips.dim and dim not in strips.batch:
            points = mul(points, extent)
    # (larger, smaller)
    pairs: list[tuple[Ix, Ix]] = [(job.extents[strips.dim], 2 * strips.columns)]
    together: Ix = 0
    for number in strips.packed:
        access = accesses[number]
        rows = _rows(access)
        size = bytes_of(access.value.type.element_type)
        columns = size_of(access.value, access.value.type.rank - 1)
        together = add(together, rows)
        pairs.append((mul(mul(rows, columns), size), FAR))
        pairs.append((mul(points, ROWS_PER_POINT), rows))
    pairs.append((MOST_BYTES // ROW_BYTES, together))
    return all_at_least(pairs)


def _rows(access: Access) -> Ix:
    """Positions of what coordinates address."""
    total: Ix = 1
    for position, expr in enumerate(list(access.map.results)[:-1]):
        if symbols_of(expr):
            total = mul(total, size_of(access.value, position))
    return total


def whole_strips(job: Job, strips: Strips) -> tuple[Ix, Ix]:
    """The first column of whole strips and the one after them: others are left to other loops.

    Where rows have whole lines between them, strips begin at a line.
    """
    structure = job.structure
    shaped = [*structure.inputs, *structure.outputs][strips.packed[0]].value
    size = bytes_of(shaped.type.element_type)
    address = memref.extract_aligned_pointer_as_index(shaped)
    _, offset, *rest = memref.extract_strided_metadata(shaped)
    pitch = mul(rest[2 * shaped.type.rank - 2], size)
    before = sub(LINE, modulo(add(address, mul(offset, size)), LINE))
    aligned = both(compare("eq", modulo(pitch, LINE), 0), compare("ne", before, LINE))
    first = floor_div(arith.select(aligned, value(before), value(0)), size)
    rest_of_row = sub(job.extents[strips.dim], first)
    return first, add(first, sub(rest_of_row, modulo(rest_of_row, strips.columns)))


def emit_strips(
    op: ir.Operation,
    job: Job,
    strips: Strips,
    columns: tuple[Ix, Ix],
    threads: int,
    name: str,
    emit: Emit,
) -> None:
    """Run the columns `columns` of `op`, the ends of whole strips, shared by `threads` threads.

    `emit(op, [])` emits the loops of an op; `name` names the function that runs a part.
    """
    buffers = _buffers(job, strips, threads)
    first, end = columns
    if threads == 1:
        _part(op, strips, [_of_thread(buffer, 0) for buffer in buffers], first, end, emit)
    else:

        def body(clone: ir.Operation, given: list[ir.Value]) -> None:
            *mine, lower, upper = given
            _part(clone, strips, mine, lower, upper, emit)

        types = [_of_thread(buffer, 0).type for buffer in buffers]
        arguments = outline(op, name, 1, body, types)

        def part(number: ir.Value) -> None:
            lower, upper = share(number, sub(end, first), strips.columns, threads)
            bounds = [value(add(first, bound)) for bound in (lower, upper)]
            mine = [_of_thread(buffer, number) for buffer in buffers]
            func.call([], name, [*arguments, *mine, *bounds])

        in_parallel(threads, part)
    for buffer in buffers:
        memref.dealloc(buffer)


def _buffers(job: Job, strips: Strips, threads: int) -> list[ir.Value]:
    """For each packed operand the buffers of all threads, with its rank."""
    structure = job.structure
    accesses = [*structure.inputs, *structure.outputs]
    found = []
    for number in strips.packed:
        shaped, map_ = accesses[number].value, accesses[number].map
        sizes = [
            size_of(shaped, position) if symbols_of(expr) else 1
            for position, expr in enumerate(list(map_.results)[:-1])
        ]
        sizes = [threads, *sizes, strips.columns]
        shape = [size if isinstance(size, int) else DYNAMIC for size in sizes]
        type_ = ir.MemRefType.get(shape, shaped.type.element_type)
        dynamic = [size for size in sizes if not isinstance(size, int)]
        alignment = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64)
        found.append(memref.alloc(type_, dynamic, [], alignment=alignment))
    return found


def _of_thread(buffer: ir.Value, number: Ix) -> ir.Value:
    rank = buffer.type.rank
    sizes = [1, *(size_of(buffer, position) for position in range(1, rank))]
    strides, _ = buffer.type.get_strides_and_offset()
    layout = ir.StridedLayoutAttr.get(DYNAMIC, strides[1:])
    shape = [size if isinstance(size, int) else DYNAMIC for size in sizes[1:]]
    type_ = ir.MemRefType.get(shape, buffer.type.element_type, layout)
    where = [value(number), *[0] * (rank - 1)]
    return memref.subview(buffer, where, sizes, [1] * rank, result_type=type_)


def _part(
    op: ir.Operation,
    strips: Strips,
    buffers: list[ir.Value],
    lower: Ix,
    upper: Ix,
    emit: Emit,
) -> None:
    """The columns [lower, upper) of `op`, whole strips of them."""
    extents = extents_of(Structure.of(op.opview)) if strips.batch else {}

    def level(rest: tuple[int, ...], where: dict[int, Ix]) -> None:
        if rest:
            loop(0, extents[rest[0]], 1, lambda i: level(rest[1:], {**where, rest[0]: i}))
        else:
            at = partial(_strip, op, strips, buffers, where, emit)
            loop(lower, upper, strips.columns, at)

    level(strips.batch, {})


def _strip(
    op: ir.Operation,
    strips: Strips,
    buffers: list[ir.Value],
    where: dict[int, Ix],
    emit: Emit,
    column: Ix,
) -> None:
    """The strip that begins at `column`."""
    structure = Structure.of(op.opview)
    parts = {**dict.fromkeys(where, 1), strips.dim: strips.columns}
    inner = cut(op, {**where, strips.dim: column}, parts)
    inputs, indices, outputs = groups(inner.opview)
    numbers = [*range(len(inputs)), *(len(indices) + len(inputs) + n for n in range(len(outputs)))]
    written = []
    for number, buffer in zip(strips.packed, buffers, strict=True):
        place = numbers[number]
        matrix = inner.operands[place]
        _copy(matrix, buffer, emit)
        inner.operands[place] = buffer
        if number >= len(structure.inputs):
            written.append((buffer, matrix))
    emit(inner, [])
    inner.erase()
    for buffer, matrix in written:
        _copy(buffer, matrix, emit)


def cut(op: ir.Operation, lower: dict[int, Ix], sizes: dict[int, Ix]) -> ir.Operation:
    """A copy of `op` on the part of its operands from `lower` on, of these sizes along dims."""
    structure = Structure.of(op.opview)
    inner = op.clone()
    inputs, indices, _ = groups(op.opview)
    maps = {f"indices #{n}": len(inputs) + n for n in range(len(indices))}
    for places, accesses in (
        (range(len(inputs)), structure.inputs),
        ((maps[access.name] for access in structure.coordinates), structure.coordinates),
        (range(len(inputs) + len(indices), len(op.operands)), structure.outputs),
    ):
        for place, access in zip(places, accesses, strict=True):
            inner.operands[place] = _view(access, lower, sizes)
    return inner


def _view(access: Access, lower: dict[int, Ix], sizes: dict[int, Ix]) -> ir.Value:
    plain = [plain_dim(expr) for expr in access.map.results]
    type_ = access.value.type
    if not any(dim in lower for dim in plain):
        return access.value
    where = [lower.get(dim, 0) for dim in plain]
    shape = [
        sizes[dim] if dim in sizes else size_of(access.value, position)
        for position, dim in enumerate(plain)
    ]
    strides, _ = type_.get_strides_and_offset()
    known = [size if isinstance(size, int) else DYNAMIC for size in shape]
    layout = ir.StridedLayoutAttr.get(DYNAMIC, strides)
    result = ir.MemRefType.get(known, type_.element_type, layout, type_.memory_space)
    return memref.subview(access.value, where, shape, [1] * len(plain), result_type=result)


def _copy(source: ir.Value, target: ir.Value, emit: Emit) -> None:
    rank = source.type.rank
    plain = ir.AffineMap.get_identity(rank)
    op = generic(
        [source],
        [],
        [target],
        indexing_maps=[plain, plain],
        coordinate_maps=[],
        iterator_types=["parallel"] * rank,
        body=lambda element, current: element,
    )
    emit(op, [])
    op.erase()
