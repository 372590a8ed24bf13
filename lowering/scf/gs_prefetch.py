"""`gs-prefetch`: what loops will load and store is prefetched some iterations ahead.

Ainsworth and Jones, "Software prefetching for indirect memory accesses", CGO 2017.
"""

import functools
import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import constant_of, producer, walk_named
from mlir_gs.lowering.ir.emit import Ix, add, maximum, mul, size_of
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.volume import LINE, bytes_in_lines
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.prefetch import distances
from mlir_gs.lowering.scf.prefetch.accesses import (
    READS,
    WRITES,
    Place,
    is_nontemporal,
    is_written,
)
from mlir_gs.lowering.scf.prefetch.groups import Group, Member, Stream
from mlir_gs.lowering.scf.prefetch.next_row import NextRow
from mlir_gs.lowering.scf.prefetch.slices import Nesting, Slice, Slices, folded_sum, shifts_apart
from mlir_gs.lowering.scf.targets import machine

_THROUGH = ("scf.for", "scf.if", "scf.execute_region", "memref.alloca_scope")
"""Ops around an access, within the loop that leads to it."""

_STEPS_IN_LINE = 4
"""Iterations that touch one line, at most, where each prefetches what is in order."""

Dims = Sequence[Sequence[Slice]]

_Row = tuple[ir.Value, Hashable, Hashable, ir.Block]
"""A memref, where the row is, and the block that knows it."""


@register_pass
@dataclass(frozen=True)
class GsPrefetch:
    """Prefetch what scf.for loops load and store at coordinates that are loaded themselves.

    before: `for i { x[idx[i]] }`
    after:  `for i { prefetch x[idx[min(i + ahead, last)]]; x[idx[i]] }`

    The pass clones, for a later iteration, the arithmetic and the loads that lead from the
    induction variable to an address. It clamps the iteration, so that loads of coordinates stay in
    memory that the loop reads. It does not clamp the address: a prefetch does no harm out of
    bounds.

    Applies to elements, vectors and rows that an inner loop goes through, at coordinates in a
    memref that is defined before the loop. The memref that they address must be larger than the
    target's caches; a dynamic size is compared before the loop. Two other accesses are prefetched
    too: the lines of the next row, if the step of an outer loop moves there and the loop inside
    touches most of them; sequential reads and writes, if the target gives them a distance. Does not
    apply to non-temporal stores, nor to rows of which the second cache cannot hold two, nor to
    addresses that depend on memory that the loop writes or on values that it carries.
    """

    name: ClassVar[str] = "gs-prefetch"
    target: str = field(
        default="generic",
        metadata={
            "help": "the machine: a profile or a file with facts, and numbers to override, as in "
            "'generic:far-bytes=1048576'"
        },
    )

    def __post_init__(self) -> None:
        machine(self.target)

    def run(self, module: ir.Operation) -> None:
        policy = machine(self.target).policy(1)
        if policy.uses("prefetch"):
            _Accesses(policy).run(module)


class _Accesses:
    """What is found in one walk, by the loop that leads to it."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.nesting = Nesting()
        self.slices: dict[ir.Operation, Slices] = {}
        self.groups: dict[ir.Operation, dict[_Row, Group]] = {}
        self.next_rows: dict[Hashable, NextRow] = {}
        self.streams: dict[Hashable, list[Stream]] = {}

    def run(self, module: ir.Operation) -> None:
        ops = [op for op in walk_named(module, *READS, *WRITES) if self.nesting.loops(op.block)]
        places = [(op, self.nesting.place(op)) for op in ops]
        found = [(op, place) for op, place in places if place is not None]
        for op, place in found:
            if is_written(op):
                for around in self.nesting.loops(op.block):
                    self._slices_of(around).written.add(place.memref)
        for op, place in found:
            is_rest = _is_rest(self.nesting.loops(op.block)[-1])
            if not is_rest and not is_nontemporal(op):
                self._look(op, place)
        for row in self.next_rows.values():
            row.emit(self.policy)
        # Loops that wait for what is at coordinates.
        waiting = {loop for loop, groups in self.groups.items() if self._emit(loop, groups)}
        for streams in self.streams.values():
            self._emit_stream(streams, waiting)

    def _slices_of(self, loop: ir.Operation) -> Slices:
        if loop not in self.slices:
            self.slices[loop] = Slices(loop, self.nesting)
        return self.slices[loop]

    def _around(self, op: ir.Operation, place: Place) -> Iterator[Slices]:
        """The loops that may lead to `op`, innermost first."""
        for around in reversed(self.nesting.around(op.block)):
            if around.name not in _THROUGH:
                return
            if around.name == "scf.for":
                slices = self._slices_of(around)
                is_index = isinstance(slices.position.type, ir.IndexType)
                if not is_index or not slices.is_outside(place.memref):
                    return
                yield slices

    def _look(self, op: ir.Operation, place: Place) -> None:
        """Find the loop that leads to `op` through a load, from the innermost one outwards. What
        the loop around that moves to lines of its own is left to the core, but for dense rows."""
        indirect = apart = stream = None
        for slices in self._around(op, place):
            dims = slices.all_dims(place.indices)
            if dims is None:
                break
            found = any(each.coordinates for dim in dims for each in dim)
            if indirect is not None:
                moves = self._moves(op, place, slices, dims, found)
                in_row = any(each.coordinates for each in indirect[1][-1])
                inner = self.nesting.loops(op.block)[-1]
                # The loop inside goes through equal places of each row, several in a step: fewer
                # lines than places.
                equal = inner == indirect[0].loop and all(each.shift is None for each in dims[-1])
                equal &= (constant_of(inner.operands[2]) or 1) > 1
                equal &= not any(each.inner for dim in dims[:-1] for each in dim)
                if moves and in_row and (found or equal):
                    row = NextRow(slices, inner, op, place)
                    self.next_rows.setdefault((slices.loop, inner, place.memref), row)
                if moves and (in_row or not found):
                    return
                break
            if found:
                indirect = slices, dims
            else:
                is_inner = stream is not None
                points = self._points_inside(op) if is_inner else place.elements
                if apart is None and _lie_apart(self.policy, place, dims, points, is_inner):
                    apart = slices, dims
                if stream is None:
                    stream = _stream(op, place, slices, dims)
        indirect = indirect or apart
        if indirect is not None:
            self._group(op, place, *indirect)
        elif stream is not None:
            key = stream.slices.loop, is_written(op), place.memref, stream.key
            self.streams.setdefault(key, []).append(stream)

    def _points_inside(self, op: ir.Operation) -> int | None:
        """The points of the innermost loop, if their number is known."""
        first, last = map(constant_of, list(self.nesting.loops(op.block)[-1].operands)[:2])
        return None if first is None or last is None else max(last - first, 0)

    def _moves(
        self, op: ir.Operation, place: Place, slices: Slices, dims: Dims, others: bool
    ) -> bool:
        """Whether the loop of `slices` moves the points of the loop inside to lines of their own;
        not if it moves them by less, nor where there are `others` in the next row."""
        points = self._points_inside(op)
        steps, _ = place.memref.type.get_strides_and_offset()
        size = bytes_of(place.memref.type.element_type)
        for number, (dim, given) in enumerate(zip(dims, place.indices, strict=True)):
            for part, value in zip(dim, given, strict=True):
                if part.shift is None:
                    continue
                if part.coordinates:
                    return False
                if number < len(dims) - 1:
                    # Of a step that is not known the number is far below 0.
                    new = steps[number] < 0 or steps[number] * size >= LINE
                else:
                    by = slices.factor(value)
                    new = False
                    if by is not None and points is not None:
                        new = by * size >= points * LINE
                if others and (number == len(dims) - 1 or not _is_dense(place, points)):
                    return False
                return new
        return False

    def _group(self, op: ir.Operation, place: Place, slices: Slices, dims: Dims) -> None:
        *others, last = dims
        along = place.indices[-1]
        # What is added to the position of the loop is a shift.
        fixed = any(part.key == "position" for part in last)
        columns = [] if fixed else [n for n, part in enumerate(last) if part.shift is None]
        kept = [n for n in range(len(last)) if n not in columns]
        rest = [*place.indices[:-1], [along[n] for n in kept]]
        dims = [*others, [last[n] for n in kept]]
        sums = [folded_sum(dim, given) for dim, given in zip(dims, rest, strict=True)]
        shift, keys = shifts_apart([part for dim in sums for part in dim])
        block = slices.known_in([part for dim in rest for part in dim], slices.body)
        key = place.memref, keys, tuple(map(len, sums)), block
        group = self.groups.setdefault(slices.loop, {}).setdefault(
            key, Group(slices, place._replace(indices=rest), block)
        )
        inner = any(part.inner for dim in (*others, last) for part in dim)
        column = [along[n] for n in columns]
        group.members.append(Member(op, place.elements, column, shift or 0, inner))

    def _emit(self, loop: ir.Operation, found: dict[_Row, Group]) -> bool:
        groups = list(found.values())
        columns = [group.columns(self.policy) if group.is_row else None for group in groups]
        # Parts of a row that stand in several blocks are one row.
        rows: dict[Hashable, Ix] = {}
        held: dict[ir.Value, Ix] = {}
        with ir.InsertionPoint(loop):
            for (*row, _), part, group in zip(found, columns, groups, strict=True):
                shaped = group.place.memref
                length: Ix = 0 if part is None else part.length
                if group.is_row and part is None and shaped.type.rank > 1:
                    length = size_of(shaped, shaped.type.rank - 1)
                size = mul(length, group.size * len(group.shifts))
                rows[tuple(row)] = maximum(rows.get(tuple(row), size), size)
                if group.coordinates:
                    held[shaped] = bytes_in_lines(shaped)
            row_bytes = functools.reduce(add, rows.values(), 0)
            others = [
                functools.reduce(add, (held[one] for one in held if one != group.place.memref), 0)
                for group in groups
            ]
        emitted = []
        for group, other, part in zip(groups, others, columns, strict=True):
            emitted.append(group.emit(self.policy, row_bytes, other, part))
        return any(emitted)

    def _emit_stream(self, streams: Sequence[Stream], waiting: set[ir.Operation]) -> None:
        """Where a loop around, or the loop itself, waits for what is at coordinates, so does what
        is in order for memory. Where caches hold what is at coordinates, loads and stores there
        still hide from the hardware what is in order, but a line of few iterations alone is worth
        a prefetch in each. Sums wait for each other, but those that the loop stores in between wait
        for memory."""
        first = min(streams, key=lambda each: each.shift)
        type_ = first.place.memref.type
        size = row = None
        if DYNAMIC not in type_.shape[1:]:
            row = math.prod(type_.shape[1:]) * bytes_of(type_.element_type)
            size = None if type_.shape[0] == DYNAMIC else row * type_.shape[0]
        distance = distances.stream_ahead(self.policy, is_written(first.op), size, row)
        around = self.nesting.around(first.slices.body)
        waits = not waiting.isdisjoint(around)
        if not waits and first.bytes >= LINE // _STEPS_IN_LINE:
            waits = any(
                group.coordinates for loop in around for group in self.groups.get(loop, {}).values()
            )
        if first.slices.loop.results:
            waits = bool(first.slices.written)
        if distance and waits:
            ends = [each.shift - (-each.place.elements // each.step) for each in streams]
            first.emit(distance, max(ends) - first.shift)


def _is_rest(loop: ir.Operation) -> bool:
    """Whether a loop runs what another one leaves, a few iterations: from `n - n % k` to `n`."""
    first, last, *_ = loop.operands
    begun = producer(first, "arith.subi")
    if begun is None or begun.operands[0] != last:
        return False
    return producer(begun.operands[1], "arith.remui", "arith.andi") is not None


def _is_dense(place: Place, points: int | None) -> bool:
    """Whether so many points touch most lines of a row, as far as is known."""
    elements = place.memref.type.shape[-1]
    row = elements * bytes_of(place.memref.type.element_type)
    if elements == DYNAMIC or points is None:
        return True
    return row <= LINE * points


def _lie_apart(
    policy: Policy, place: Place, dims: Dims, points: int | None, is_inner: bool
) -> bool:
    """Whether the loop steps from one short row to another one far away. `is_inner`: a loop inside
    goes through the row, else a vector is all of it."""
    steps, _ = place.memref.type.get_strides_and_offset()
    size = bytes_of(place.memref.type.element_type)
    moving = [n for n, dim in enumerate(dims) for part in dim if part.shift is not None]
    apart = len(moving) == 1 and (
        steps[moving[0]] < 0 or steps[moving[0]] * size >= policy.long_row_bytes
    )
    short = points is not None and points * size <= policy.short_row_bytes
    whole = any(part.inner for part in dims[-1]) if is_inner else place.elements > 1
    return apart and short and steps[-1] == 1 and whole


def _stream(op: ir.Operation, place: Place, slices: Slices, dims: Dims) -> Stream | None:
    """The access, if the position of the loop moves it along one dimension."""
    sums = [folded_sum(dim, given) for dim, given in zip(dims, place.indices, strict=True)]
    moving = [(n, part) for n, dim in enumerate(sums) for part in dim if part.shift is not None]
    if len(moving) != 1 or moving[0][1].key != "position":
        return None
    dim, part = moving[0]
    steps, _ = place.memref.type.get_strides_and_offset()
    if steps[dim] <= 0:
        # Not known, or backwards.
        return None
    # Columns of a row that is no longer than a line come with it.
    element = bytes_of(place.memref.type.element_type)
    inside = sums[:-1] if dim < len(sums) - 1 and steps[dim] * element <= LINE else sums
    _, key = shifts_apart([part for dim in inside for part in dim])
    return Stream(slices, op, place, dim, steps[dim], part.shift or 0, key)
