"""Accesses of a loop that are prefetched together, and the ops that do it."""

import itertools
import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    all_at_least,
    loop,
    maximum,
    memref,
    mul,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.volume import LINE, bytes_in, elements_in
from mlir_gs.lowering.scf.prefetch import policy
from mlir_gs.lowering.scf.prefetch.accesses import Indices, Place, is_written
from mlir_gs.lowering.scf.prefetch.slices import Slices, constant_of, sums
from mlir_gs.lowering.scf.target import Asking

_FEW = 4
"""Prefetches that stand one after the other; more are a loop, which takes LLVM less time."""

_FEW_LINES = 16


class Member(NamedTuple):
    """An access of a group. `column` are the summands of its last index that no coordinate decides:
    constants, and positions of loops inside. `inner`: such a loop
    goes through the row."""

    op: ir.Operation
    place: Place
    column: list[Ix]
    shift: int
    inner: bool


class Columns(NamedTuple):
    """`count` elements of a row from `base` + `lower` on, that the members of a group touch."""

    base: ir.Value | None
    lower: int
    count: Ix


@dataclass
class Group:
    """Accesses to one memref at coordinates that `slices` lead to, the same but for a number added
    to the position of the loop. Coordinates are known in `block`."""

    slices: Slices
    place: Place
    block: ir.Block
    members: list[Member] = field(default_factory=list)

    @property
    def is_row(self) -> bool:
        """Vectors or copies at coordinates, or several elements of a row."""
        return any(m.place.elements > 1 or m.inner for m in self.members)

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return bytes_of(self.place.memref.type.element_type)

    @property
    def shifts(self) -> list[int]:
        return sorted({member.shift for member in self.members})

    def columns(self) -> Columns | None:
        """What is touched of a row, if that is known before the loop."""
        parts = [self._part(member) for member in self.members]
        known = [part for part in parts if part is not None]
        exact = [part for part in known if isinstance(part.count, int)]
        if len(exact) == len(parts) and len({part.base for part in exact}) == 1:
            lower = min(part.lower for part in exact)
            upper = max(part.lower + part.count for part in exact)
            return Columns(exact[0].base, lower, upper - lower)
        type_ = self.place.memref.type
        if type_.rank > 1 and type_.shape[-1] != DYNAMIC:
            return Columns(None, 0, type_.shape[-1])
        return max(known, key=lambda part: not isinstance(part.count, int), default=None)

    def _part(self, member: Member) -> Columns | None:
        lower = sum(part for part in member.column if isinstance(part, int))
        moving = [part for part in member.column if not isinstance(part, int)]
        if not moving:
            return Columns(None, lower, member.place.elements)
        if len(moving) > 1:
            return None
        if self.slices.is_outside(moving[0]):
            return Columns(moving[0], lower, member.place.elements)
        inner = moving[0].owner
        if not isinstance(inner, ir.Block):
            return None
        first, last, *_ = inner.owner.operation.operands
        low, up = constant_of(first), constant_of(last)
        if low is not None and up is not None:
            return Columns(None, lower + low, max(up - low, 0))
        if not self.slices.is_outside(first) or not self.slices.is_outside(last):
            return None
        with ir.InsertionPoint(self.slices.loop):
            return Columns(first, lower, maximum(sub(last, first), 0))

    def emit(self, facts: Asking, row_bytes: Ix, columns: Columns | None, reduced: bool) -> bool:
        """Prefetch what an iteration some way ahead touches, if that is worth it; `row_bytes` are
        those that one touches of all rows at coordinates, `columns` those of this one's."""
        with ir.InsertionPoint(self.slices.loop):
            ahead = (
                policy.rows_ahead(facts, row_bytes)
                if self.is_row
                else policy.elements_ahead(facts, len(self.shifts))
            )
            worth = self._worth(facts, mul(ahead, len(self.shifts)), reduced)
            if worth is False:
                return False
            _, upper, step, *_ = self.slices.loop.operands
            known = constant_of(step)
            ahead = value(mul(ahead, step if known is None else known))
            last = sub(upper, 1)
        enabled = None if worth is True else worth
        level = policy.level(facts, self.is_row)
        copies = [m for m in self.members if m.op.name == "memref.copy"]
        if copies:
            most = facts.copied_ahead // self.size
            columns = Columns(None, 0, min(copies[0].place.elements, most))
            if not most:
                return False
        around = any(part.inner for part in self.slices.all_of(_flat(self.place.indices)) or [])
        if around or (self.is_row and not copies and (columns is None or self._is_long(columns))):
            self._beside(ahead, last, enabled, level)
            return True
        with ir.InsertionPoint(_ancestor(self.members[0].op, self.block)):
            at_once = columns or Columns(None, 0, 1)
            when(enabled, lambda: self._at_once(ahead, last, at_once, level))
        return True

    def _worth(self, facts: Asking, ahead: Ix, reduced: bool) -> bool | ir.Value:
        written = any(is_written(member.op) for member in self.members)
        read = not all(is_written(member.op) for member in self.members)
        least = policy.least_bytes(facts, self.is_row, written, read, reduced)
        found = self.slices.all_of(_flat(self.place.indices)) or []
        coordinates = {memref: None for part in found for memref in part.coordinates}
        few = mul(ahead, policy.COORDINATES_PER_AHEAD)
        pairs: list[tuple[Ix, Ix]] = [(bytes_in(self.place.memref), least)]
        return all_at_least([*pairs, *((elements_in(each), few) for each in coordinates)])

    def _is_long(self, columns: Columns) -> bool:
        wide = any(m.place.elements * self.size >= LINE for m in self.members)
        known = isinstance(columns.count, int)
        return wide and (not known or columns.count * self.size >= policy.LONG_ROW)

    def _at_once(self, ahead: ir.Value, last: Ix, columns: Columns, level: int) -> None:
        """All of the rows or elements of an iteration."""
        here, shifts = add(self.slices.position, ahead), self.shifts
        first = self.members[0].shift
        steps = {b - a for a, b in itertools.pairwise(shifts)}

        def ask(shift: Ix) -> None:
            there = self.slices.later(_flat(self.place.indices), value(add(here, shift)), last)
            self._lines(_shaped(self.place.indices, there), columns, level)

        if len(shifts) <= _FEW or len(steps) != 1:
            for shift in shifts:
                ask(shift - first)
        else:
            loop(shifts[0] - first, shifts[-1] + 1 - first, steps.pop(), ask, "never")

    def _lines(self, where: Indices, columns: Columns, level: int) -> None:
        base, lower, count = columns
        begin = lower if base is None else add(base, lower)
        step = max(1, LINE // self.size)

        def line(column: Ix) -> None:
            self._ask([*where[:-1], [*where[-1], column]], level)

        if isinstance(count, int) and count <= _FEW_LINES * step:
            for offset in range(0, count, step):
                line(add(begin, offset))
        else:
            loop(begin, add(begin, count), step, line)
        if count != 1 and step > 1:
            # A row that does not begin with a line ends in one more.
            line(sub(add(begin, count), 1))

    def _beside(self, ahead: ir.Value, last: Ix, enabled: ir.Value | None, level: int) -> None:
        """Lines of a long row, while the same ones of an earlier row are touched."""
        with ir.InsertionPoint(_ancestor(self.members[0].op, self.block)):
            here = value(add(self.slices.position, ahead))
            there = self.slices.later(_flat(self.place.indices), here, last)
            where = _shaped(self.place.indices, there)
        asked = set()
        for member in self.members:
            key = (member.op.block, tuple(member.column))
            if key in asked or not member.inner:
                continue
            asked.add(key)

            def ask(member: Member = member) -> None:
                for offset in policy.lines_in(member.place.elements, self.size):
                    self._ask([*where[:-1], [*where[-1], *member.column, offset]], level)

            with ir.InsertionPoint(member.op):
                when(enabled, ask)

    def _ask(self, where: Indices, level: int) -> None:
        written = any(is_written(member.op) for member in self.members)
        ask_for(self.place.memref, sums(where), written, level)


class Stream(NamedTuple):
    """An access that goes through memory in order: by `step` elements for each step of the loop
    along the dimension `dim`. `key` is equal for those that differ by their `shift` alone."""

    slices: Slices
    op: ir.Operation
    place: Place
    dim: int
    step: int
    shift: int
    key: Hashable

    @property
    def end(self) -> int:
        """The shift where its elements end."""
        return self.shift - (-self.place.elements // self.step)

    def emit(self, distance: int, span: int) -> None:
        """Prefetch the lines that are touched `distance` bytes later, of `span` steps."""
        size = self.step * bytes_of(self.place.memref.type.element_type)
        with ir.InsertionPoint(self.op):
            for offset in policy.lines_in(span, size):
                where = [*self.place.indices]
                where[self.dim] = [*where[self.dim], distance // size + offset]
                ask_for(self.place.memref, sums(where), is_written(self.op), 1)


def ask_for(shaped: ir.Value, where: Sequence[ir.Value], written: bool, level: int) -> None:
    """Prefetch the line at `where`. x86's prefetch for writing knows no level: to the second cache
    all lines come as if to read them."""
    memref.prefetch(shaped, where, written and level == 1, 4 - level, True)


def static_bytes(type_: ir.MemRefType) -> int | None:
    """The bytes of a memref, if its sizes are known."""
    if DYNAMIC in type_.shape:
        return None
    return math.prod(type_.shape) * bytes_of(type_.element_type)


def total_row_bytes(groups: Sequence[Group], columns: Sequence[Columns | None]) -> Ix:
    """Bytes of the rows that one iteration touches."""
    total: Ix = 0
    for group, found in zip(groups, columns, strict=True):
        if group.is_row and found is not None:
            total = add(total, mul(found.count, group.size))
    return total


def _moves(part: Ix) -> bool:
    return not isinstance(part, int)


def _flat(dims: Indices) -> list[Ix]:
    return [part for dim in dims for part in dim]


def _shaped(dims: Indices, flat: Sequence[Ix]) -> Indices:
    rest = iter(flat)
    return [[next(rest) for _ in dim] for dim in dims]


def _ancestor(op: ir.Operation, block: ir.Block) -> ir.Operation:
    """The op of `block` that `op` is or is in."""
    while op.block != block:
        op = op.parent.operation
    return op
