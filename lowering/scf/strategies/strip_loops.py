"""Loops over strips of columns: what is copied to the buffers, and read there.

`strips` says what runs like this.
"""

from dataclasses import dataclass
from functools import partial

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import plain_dim, symbols_of
from mlir_gs.dialect.generic import generic
from mlir_gs.dialect.structure import Access, Structure, groups
from mlir_gs.lowering.ir.emit import Ix, add, loop, memref, size_of, sub
from mlir_gs.lowering.op.compact import view
from mlir_gs.lowering.op.extents import extents_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.scf.threads import (
    Emit,
    in_parallel,
    memory_of_thread,
    memory_per_thread,
    outline,
    share,
)


@dataclass(frozen=True)
class Strips:
    """The inputs `packed`, by their numbers, are copied in strips of
    `columns` positions of the iteration dim `dim`, one position of the dims `batch` at a time."""

    dim: int
    batch: tuple[int, ...]
    packed: tuple[int, ...]
    columns: int
    row_bytes: int


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
    accesses = job.structure.inputs
    sizes = [_sizes(job, strips, number) for number in strips.packed]
    elements = [accesses[number].value.type.element_type for number in strips.packed]
    buffers = [
        memory_per_thread(each, element, threads)
        for each, element in zip(sizes, elements, strict=True)
    ]

    def of_thread(number: Ix) -> list[ir.Value]:
        pairs = zip(buffers, sizes, strict=True)
        return [memory_of_thread(buffer, number, each) for buffer, each in pairs]

    first, end = columns

    def body(clone: ir.Operation, given: list[ir.Value]) -> None:
        *mine, lower, upper = given
        _part(clone, strips, mine, lower, upper, emit)

    types = [buffer.type for buffer in of_thread(0)]
    kernel = outline(op, name, 1, body, types)

    def part(number: ir.Value) -> None:
        lower, upper = share(number, sub(end, first), strips.columns, threads)
        kernel.call([*of_thread(number), add(first, lower), add(first, upper)])

    if threads == 1:
        kernel.call([*of_thread(0), first, end])
    else:
        in_parallel(threads, part)
    for buffer in buffers:
        memref.dealloc(buffer)


def _sizes(job: Job, strips: Strips, number: int) -> list[Ix]:
    """The rank and sizes of a buffer for a strip of packed operand `number`."""
    access = job.structure.inputs[number]
    sizes = [
        size_of(access.value, position) if symbols_of(expr) else 1
        for position, expr in enumerate(list(access.map.results)[:-1])
    ]
    return [*sizes, strips.columns]


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
    parts = {**dict.fromkeys(where, 1), strips.dim: strips.columns}
    inner = cut(op, {**where, strips.dim: column}, parts)
    for number, buffer in zip(strips.packed, buffers, strict=True):
        _copy(inner.operands[number], buffer, emit)
        inner.operands[number] = buffer
    emit(inner, [])
    inner.erase()


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
    if not any(dim in lower for dim in plain):
        return access.value
    where = [0 if dim is None else lower.get(dim, 0) for dim in plain]
    shape = [
        sizes[dim] if dim in sizes else size_of(access.value, position)
        for position, dim in enumerate(plain)
    ]
    return view(access.value, where, shape)


def _copy(source: ir.Value, target: ir.Value, emit: Emit) -> None:
    op = generic([source], [], [target], body=lambda element, current: element)
    emit(op, [])
    op.erase()
