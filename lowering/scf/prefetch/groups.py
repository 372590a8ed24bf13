"""Accesses of a loop that are prefetched together, and the ops that do it."""

import itertools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.lowering.ir.builders import arith, constant_of
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    all_at_least,
    compare,
    loop,
    maximum,
    memref,
    minimum,
    mul,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.volume import LINE, bytes_in_lines, elements_in
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.prefetch import distances
from mlir_gs.lowering.scf.prefetch.accesses import Indices, Place, is_written
from mlir_gs.lowering.scf.prefetch.slices import Slices, ancestor_in, sum_of

_FEW = 4
"""Prefetches that stand one after the other; more are a loop, which takes LLVM less time."""

_FEW_LINES = 16


class Member(NamedTuple):
    """An access of a group. `column` are the summands of its last index that the loop does not
    move. `inner`: a loop inside goes through them."""

    op: ir.Operation
    elements: int
    column: list[Ix]
    shift: int
    inner: bool


class Columns(NamedTuple):
    """`length` elements of a row, that the members of a group touch, from `lower` and the sum of
    `base` on."""

    base: tuple[ir.Value, ...]
    lower: int
    length: Ix


@dataclass
class Group:
    """Accesses to one memref at places that `slices` lead to, the same but for a number added to
    the position of the loop. Where they are is known in `block`."""

    slices: Slices
    place: Place
    block: ir.Block
    members: list[Member] = field(default_factory=list)

    @property
    def is_row(self) -> bool:
        """Vectors at coordinates, or several elements of a row."""
        return any(m.elements > 1 or m.inner for m in self.members)

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return bytes_of(self.place.memref.type.element_type)

    @property
    def shifts(self) -> list[int]:
        """Those of the members from that of the first one."""
        return sorted({member.shift - self.members[0].shift for member in self.members})

    @property
    def _written(self) -> bool:
        return any(is_written(member.op) for member in self.members)

    def columns(self, policy: Policy) -> Columns | None:
        """What is touched of a row, if that is known before the loop."""
        parts = [self._part(member) for member in self.members]
        known = [part for part in parts if part is not None]
        exact = [part for part in known if isinstance(part.length, int)]
        if len(exact) == len(parts) and len({part.base for part in exact}) == 1:
            lower = min(part.lower for part in exact)
            upper = max(part.lower + part.length for part in exact)
            return Columns(exact[0].base, lower, upper - lower)
        type_ = self.place.memref.type
        length = type_.shape[-1]
        if type_.rank > 1 and length != DYNAMIC and length * self.size < policy.long_row_bytes:
            return Columns((), 0, length)
        return max(known, key=lambda part: not isinstance(part.length, int), default=None)

    def _part(self, member: Member) -> Columns | None:
        lower = sum(part for part in member.column if isinstance(part, int))
        values = [part for part in member.column if not isinstance(part, int)]
        base = tuple(part for part in values if self.slices.is_outside(part))
        inner = [part.owner for part in values if part not in base]
        if not inner:
            return Columns(base, lower, member.elements)
        if len(inner) > 1 or not isinstance(inner[0], ir.Block):
            return None
        first, last, step, *_ = inner[0].owner.operation.operands
        low, up, by = constant_of(first), constant_of(last), constant_of(step)
        if low is not None and up is not None:
            # Of a loop that takes several elements at a time each access takes some.
            return Columns(base, lower + low, max(up - low - (by or 1) + member.elements, 0))
        if not self.slices.is_outside(first) or not self.slices.is_outside(last):
            return None
        with ir.InsertionPoint(self.slices.loop):
            return Columns((*base, first), lower, maximum(sub(last, first), 0))

    def emit(self, policy: Policy, row_bytes: Ix, others: Ix, columns: Columns | None) -> bool:
        """Prefetch what an iteration some way ahead touches, if that pays. `row_bytes` are those
        that one touches of all rows at coordinates, `columns` those of this one's, `others` the
        bytes of other memrefs at coordinates."""
        if policy.prefetch_level == 1 and self._is_taken:
            return False
        at_once = len(self.shifts)
        with ir.InsertionPoint(self.slices.loop):
            if self.is_row:
                ahead = distances.rows_ahead(policy, row_bytes)
            else:
                ahead = distances.elements_ahead(policy, at_once)
            if self._has_short_rows(columns):
                return False
            pays = self._pays(policy, mul(ahead, at_once), row_bytes, others)
            if pays is False:
                return False
            step = self.slices.step
            later = value(mul(ahead, step))
        enabled = None if pays is True else pays
        # Rows that are not read wait in the second cache: the first one is for what is.
        is_set = self.is_row and all(is_written(member.op) for member in self.members)
        level = 2 if is_set else policy.prefetch_level
        parts = self.slices.all_of(_flat(self.place.indices)) or []
        is_long = self.is_row and self._is_long(columns, policy.long_row_bytes)
        if any(part.inner for part in parts) or is_long:
            self._meanwhile(later, enabled, level)
            return True
        with ir.InsertionPoint(self._anchor):
            found = columns or Columns((), 0, 1)
            when(enabled, lambda: self._at_once(later, found, level))
        return True

    @property
    def _is_taken(self) -> bool:
        """Vectors of elements, of a coordinate each, are only stored. So little is between the
        loads that a core begins as many by itself as can be on their way to L1."""
        parts = self.slices.all_of(_flat(self.place.indices)) or []
        if self._written or sum(bool(part.coordinates) for part in parts) != 1:
            return False
        users = {use.owner for member in self.members for use in member.op.results[0].uses}
        stores = (use.owner for user in users for one in user.results for use in one.uses)
        return all(user.name == "vector.from_elements" for user in users) and all(
            store.name == "vector.store" for store in stores
        )

    @property
    def coordinates(self) -> dict[ir.Value, None]:
        """The memrefs of coordinates that lead to the place."""
        found = self.slices.all_of(_flat(self.place.indices)) or []
        return {memref: None for part in found for memref in part.coordinates}

    def _pays(self, policy: Policy, ahead: Ix, row_bytes: Ix, others: Ix) -> bool | ir.Value:
        coordinates = self.coordinates
        # A core starts later loads early, but for those behind a row of some lines.
        some_lines = not isinstance(row_bytes, int) or LINE <= row_bytes < policy.short_row_bytes
        waits = not coordinates or (self.is_row and some_lines)
        least: Ix = (policy.far_bytes if waits or others else policy.memory_bytes) + self.is_row
        if self.is_row and not isinstance(row_bytes, int) and not self._written:
            has_line = compare("sge", row_bytes, LINE)
            least = arith.select(has_line, value(least), value(policy.memory_bytes + 1))
        few = mul(ahead, policy.coordinates_per_ahead)
        pairs: list[tuple[Ix, Ix]] = [(bytes_in_lines(self.place.memref), least)]
        if others and not waits:
            # They share the caches.
            pairs.append((add(bytes_in_lines(self.place.memref), others), policy.memory_bytes))
        if self.is_row:
            # A longer row would leave the cache before it is read.
            pairs.append((policy.kept_row_bytes, row_bytes))
        if not coordinates:
            pairs.append((mul(self._step(), self.size), policy.long_row_bytes))
        return all_at_least([*pairs, *((elements_in(each), few) for each in coordinates)])

    def _step(self) -> Ix:
        """The elements from a row to the next one, in the one dimension that the loop moves."""
        shaped, dims = self.place.memref, self.slices.all_dims(self.place.indices) or []
        moving = [n for n, dim in enumerate(dims) if any(part.shift is not None for part in dim)]
        known = shaped.type.get_strides_and_offset()[0][moving[0]]
        if known >= 0:
            return known
        return memref.extract_strided_metadata(shaped)[2 + shaped.type.rank + moving[0]]

    def _has_short_rows(self, columns: Columns | None) -> bool:
        """An iteration reads several rows of less than a line: to find later ones takes as long."""
        if not self.is_row or columns is None or not isinstance(columns.length, int):
            return False
        return columns.length * self.size < LINE and len(self.shifts) > _FEW

    def _is_long(self, columns: Columns | None, least: int) -> bool:
        if columns is None:
            return True
        wide = any(m.elements * self.size >= LINE for m in self.members)
        known = isinstance(columns.length, int)
        length = columns.length * self.size * len(self.shifts) if known else least
        return wide and length >= least

    @property
    def _anchor(self) -> ir.Operation:
        """The op of the block that the first access is or is in: coordinates are known there."""
        return ancestor_in(self.block, self.members[0].op)

    def _later(self, position: Ix, within: bool = False) -> Indices:
        rest = iter(self.slices.later(_flat(self.place.indices), value(position), within))
        return [[next(rest) for _ in dim] for dim in self.place.indices]

    def _at_once(self, ahead: ir.Value, columns: Columns, level: int) -> None:
        """All of the rows or elements of an iteration."""
        here, last = add(self.slices.position, ahead), None
        if self.coordinates:
            last = self.slices.last
        if last is not None:
            here = minimum(here, last)
        shifts = self.shifts
        steps = {b - a for a, b in itertools.pairwise(shifts)}

        # A block inside may be left out of the last iteration, with what it alone loads.
        in_each = self.block == self.slices.body

        def prefetch(shift: Ix) -> None:
            within = last is not None and (in_each or (isinstance(shift, int) and shift == 0))
            self._lines(self._later(add(here, shift), within), columns, level)

        if len(shifts) <= _FEW or len(steps) != 1:
            for shift in shifts:
                prefetch(shift)
        else:
            loop(shifts[0], shifts[-1] + 1, steps.pop(), prefetch, "never")

    def _lines(self, where: Indices, columns: Columns, level: int) -> None:
        base, lower, count = columns
        begin = sum_of([*base, lower])
        step = max(1, LINE // self.size)

        def line(column: Ix) -> None:
            self._prefetch(where, [column], level)

        if isinstance(count, int) and count <= _FEW_LINES * step:
            for offset in range(0, count, step):
                line(add(begin, offset))
        else:
            loop(begin, add(begin, count), step, line)
        if count != 1 and step > 1:
            # A row that does not begin with a line ends in one more.
            line(sub(add(begin, count), 1))

    def _meanwhile(self, ahead: ir.Value, enabled: ir.Value | None, level: int) -> None:
        """What is touched of a later row, or at a later place, while the same is of this one."""
        with ir.InsertionPoint(self._anchor):
            here = add(self.slices.position, ahead)
            where = {shift: self._later(add(here, shift)) for shift in self.shifts}
        first = self.members[0].shift
        inner = [member for member in self.members if member.inner]
        for block in dict.fromkeys(member.op.block for member in inner):
            here = [member for member in inner if member.op.block == block]
            each = {(member.shift, *member.column): member for member in here}

            def prefetch(each: dict[tuple[Ix, ...], Member] = each) -> None:
                for member in each.values():
                    for offset in distances.lines_in(member.elements, self.size):
                        there = where[member.shift - first]
                        self._prefetch(there, [*member.column, offset], level)

            with ir.InsertionPoint(here[-1].op):
                when(enabled, prefetch)

    def _prefetch(self, where: Indices, column: Sequence[Ix], level: int) -> None:
        emit_prefetch(self.place.memref, [*where[:-1], [*where[-1], *column]], self._written, level)


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
    def bytes(self) -> int:
        """How far an iteration moves it; 0 if that is not known."""
        element = bytes_of(self.place.memref.type.element_type)
        return (constant_of(self.slices.step) or 0) * self.step * element

    def emit(self, distance: int, span: int) -> None:
        """Prefetch the lines that are touched `distance` bytes later, of `span` steps, if there is
        no more than a line between those of an iteration and of the next one."""
        element = bytes_of(self.place.memref.type.element_type)
        size = self.step * element
        if self.bytes > max(LINE, span * size):
            return
        # A step of more than a line touches several of them.
        columns = distances.lines_in(self.place.elements, element) if size > LINE else (0,)
        steps = distances.lines_in(span, size)
        with ir.InsertionPoint(self.op):
            for offset, column in itertools.product(steps, columns):
                where = [*self.place.indices]
                where[self.dim] = [*where[self.dim], distance // size + offset]
                where[-1] = [*where[-1], column]
                emit_prefetch(self.place.memref, where, is_written(self.op), 1)


def emit_prefetch(shaped: ir.Value, where: Indices, written: bool, level: int) -> None:
    """Prefetch the line at `where`. x86's prefetch for writing knows no level: to the second cache
    all lines come as if to read them."""
    indices = [value(sum_of(parts)) for parts in where]
    memref.prefetch(shaped, indices, written and level == 1, 4 - level, True)


def _flat(dims: Indices) -> list[Ix]:
    return [part for dim in dims for part in dim]
