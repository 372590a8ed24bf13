"""`gs-prefetch`: what loops will load and store is prefetched some iterations ahead.

Ainsworth and Jones, "Software prefetching for indirect memory accesses", CGO 2017.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import walk_named
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.passes.registry import register_pass
from mlir_gs.lowering.scf.prefetch import policy
from mlir_gs.lowering.scf.prefetch.accesses import (
    READS,
    WRITES,
    Place,
    is_nontemporal,
    is_written,
    place_of,
)
from mlir_gs.lowering.scf.prefetch.groups import (
    Group,
    Member,
    Stream,
    static_bytes,
    total_row_bytes,
)
from mlir_gs.lowering.scf.prefetch.slices import (
    Nesting,
    Slice,
    Slices,
    constant_of,
    folded_sum,
    shifts_apart,
)
from mlir_gs.lowering.scf.target import Asking
from mlir_gs.lowering.scf.targets import facts

_THROUGH = ("scf.for", "scf.if", "scf.execute_region", "memref.alloca_scope")
"""Ops around an access, within the loop that leads to it."""


@register_pass
@dataclass(frozen=True)
class GsPrefetch:
    """Prefetch what scf.for loops load and store at coordinates that are loaded themselves.

    before: `for i { x[idx[i]] }`
    after:  `for i { prefetch x[idx[min(i + ahead, last)]]; x[idx[i]] }`

    The arithmetic and the loads that lead from the induction variable to an address are cloned for
    a later iteration. Loads of coordinates stay within their memref, which the loop has loaded from
    in the same iteration. Applies to elements, vectors, rows that a loop inside goes through and
    copies of rows, at coordinates in a memref that is defined before the loop, where the memref is
    larger than the target's caches; sizes that are not known are compared before the loop. What the
    loop reads and writes in order beside those is prefetched where the target says how far ahead.
    Does not apply to addresses that depend on values that a loop carries, nor to non-temporal
    stores.
    """

    name: ClassVar[str] = "gs-prefetch"
    target: str = field(
        default="generic",
        metadata={
            "help": "the machine: a preset or a file with facts, and facts to override, as in "
            "'generic:far-bytes=1048576'"
        },
    )

    def __post_init__(self) -> None:
        facts(self.target)

    def run(self, module: ir.Operation) -> None:
        target = facts(self.target).target(1)
        if target.uses("prefetch"):
            _Prefetching(target.asking).run(module)


class _Prefetching:
    """What is found in one walk, by loop."""

    def __init__(self, facts_: Asking) -> None:
        self.facts = facts_
        self.nesting = Nesting()
        self.slices: dict[ir.Operation, Slices] = {}
        self.groups: dict[ir.Operation, dict[Hashable, Group]] = {}
        self.waiting: set[ir.Operation] = set()
        self.streams: dict[Hashable, list[Stream]] = {}

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, *READS, *WRITES):
            place = None if is_nontemporal(op) else place_of(op)
            if place is not None:
                self._look(op, place)
        for loop, groups in self.groups.items():
            self._emit(loop, list(groups.values()))
        for streams in self.streams.values():
            self._emit_stream(streams)

    def _look(self, op: ir.Operation, place: Place) -> None:
        """Find the loop that leads to `op` through a load, from the innermost one outwards."""
        stream = None
        for around in reversed(self.nesting.around(op.block)):
            if around.name not in _THROUGH:
                break
            if around.name != "scf.for":
                continue
            if not isinstance(around.operands[0].type, ir.IndexType):
                break
            slices = self.slices.setdefault(around, Slices(around, self.nesting))
            if not slices.is_outside(place.memref):
                break
            found = [slices.all_of(dim) for dim in place.indices]
            if None in found:
                break
            dims = [dim for dim in found if dim is not None]
            if any(each.coordinates for dim in dims for each in dim):
                self._group(op, place, slices, dims)
                return
            if stream is None:
                stream = self._stream(op, place, slices, dims)
        if stream is not None:
            key = stream.slices.loop, is_written(op), place.memref, stream.key
            self.streams.setdefault(key, []).append(stream)

    def _group(
        self, op: ir.Operation, place: Place, slices: Slices, dims: Sequence[Sequence[Slice]]
    ) -> None:
        *others, last = dims
        along = place.indices[-1]
        # What is beside the position of the loop is a shift.
        fixed = any(part.key == "position" for part in last)
        columns = [] if fixed else [n for n, part in enumerate(last) if part.shift is None]
        kept = [n for n in range(len(last)) if n not in columns]
        rest = [*place.indices[:-1], [along[n] for n in kept]]
        kept_dims = [*others, [last[n] for n in kept]]
        sums = [folded_sum(dim, given) for dim, given in zip(kept_dims, rest, strict=True)]
        shift, keys = shifts_apart([part for dim in sums for part in dim])
        parts = [part for dim in kept_dims for part in dim]
        blocks = [part.block for part in parts if part.block is not None]
        block = max([slices.body, *blocks], key=lambda b: len(self.nesting.around(b)))
        shape = tuple(map(len, sums))
        groups = self.groups.setdefault(slices.loop, {})
        group = groups.setdefault(
            (place.memref, keys, shape, block, op.name == "memref.copy"),
            Group(slices, place._replace(indices=rest), block),
        )
        inner = any(part.inner for dim in dims for part in dim)
        group.members.append(Member(op, place, [along[n] for n in columns], shift or 0, inner))

    def _stream(
        self, op: ir.Operation, place: Place, slices: Slices, dims: Sequence[Sequence[Slice]]
    ) -> Stream | None:
        """The access, if an iteration moves it by less than a line, or by its own elements."""
        sums = [folded_sum(dim, given) for dim, given in zip(dims, place.indices, strict=True)]
        moving = [(n, part) for n, dim in enumerate(sums) for part in dim if part.shift is not None]
        steps, _ = place.memref.type.get_strides_and_offset()
        by = constant_of(slices.loop.operands[2])
        if len(moving) != 1 or moving[0][1].key != "position" or by is None:
            return None
        dim, part = moving[0]
        size = bytes_of(place.memref.type.element_type)
        # Of a step that is not known the number is far below 0.
        if not 0 < steps[dim] * by * size <= max(policy.LINE, place.elements * size):
            return None
        _, key = shifts_apart([part for dim in sums for part in dim])
        return Stream(slices, op, place, dim, steps[dim], part.shift or 0, key)

    def _emit(self, loop: ir.Operation, groups: Sequence[Group]) -> None:
        columns = [group.columns() if group.is_row else None for group in groups]
        with ir.InsertionPoint(loop):
            row_bytes = total_row_bytes(groups, columns)
        reduced = len(loop.results) > 0
        for group, found in zip(groups, columns, strict=True):
            if group.emit(self.facts, row_bytes, found, reduced):
                self.waiting.add(loop)

    def _emit_stream(self, streams: Sequence[Stream]) -> None:
        """Where a loop around, or the loop itself, has accesses at coordinates: what is in order
        waits for memory as these do. Sums wait for each other."""
        first = min(streams, key=lambda each: each.shift)
        loop = first.slices.loop
        size = static_bytes(first.place.memref.type)
        distance = policy.stream_ahead(self.facts, is_written(first.op), size)
        around = self.nesting.around(first.slices.body)
        if distance and not loop.results and any(one in self.waiting for one in around):
            first.emit(distance, max(each.end for each in streams) - first.shift)
