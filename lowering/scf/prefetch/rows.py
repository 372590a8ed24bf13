"""Indirect prefetch: the row that some iterations ahead will read is asked for now.

Ainsworth and Jones, "Software prefetching for indirect memory accesses", CGO 2017.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    all_at_least,
    both,
    ceil_div,
    compare,
    floor_div,
    loop,
    maximum,
    minimum,
    mul,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.coordinates_beyond import point_beyond
from mlir_gs.lowering.op.job import Job, plain_dims_in, symbols_in
from mlir_gs.lowering.op.ranges import Range
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import LINE, bytes_in
from mlir_gs.lowering.scf.prefetch.line import ask_for, by_level
from mlir_gs.lowering.scf.target import Asking

MOST_ROWS = 32
# Rows of so many bytes would fill the queues of the memory system if all were asked for at once.
SPREAD_BYTES = 2048
# Rows of so many bytes, at least, that only move come to the second-level cache where a core has
# more lines on their way to that one. On a Xeon with 480 MiB of L3 takes of rows of 256 bytes from
# it take 1.2 times as long like that, of 384 0.95, of 512 0.83; sets of rows of 128 bytes 1.15 to
# 1.25 times, of 256 0.8.
MOVED_BYTES = 384
SET_BYTES = 256
# What the second-level cache holds is not worth asking for.
CACHED = 1 << 20

Ahead: TypeAlias = Callable[[Ix], Ix]


@dataclass(frozen=True)
class Prefetch:
    """Prefetch the rows of `reads` and `writes` that the point `dim + distance` touches.

    Past the end of `dim` it is the rows that coordinates behind name (see `coordinates_beyond`), or
    else those at the start of the next point of `outer`.
    `enabled` is the condition under which it is worth it, None for always. `spread`: the rows are
    so long that their lines are asked for one by one, some bytes before they are needed; at the end
    of a row, or instead of it where rows have less than so many bytes, those of the row at that
    distance. Rows of a memref that is small are left out, unless they are so long. `only_ends`: of
    each row it is the first and the last line. Where `second` holds they come from memory, and to
    the second-level cache; the distance is one for that there.
    """

    dim: int
    outer: int | None
    distance: Ix
    vector_dim: int
    reads: tuple[Ref, ...]
    writes: tuple[Ref, ...]
    enabled: ir.Value | None
    spread: bool
    asking: Asking
    only_ends: bool = False
    second: ir.Value | bool = False

    def nearer(self) -> "Prefetch":
        """Beside stores past the caches: lines that are asked for one by one, half as many rows
        ahead."""
        return replace(self, distance=ceil_div(self.distance, 2)) if self.spread else self

    def of_ends(self, but_for: ir.Value | Literal[False]) -> "Prefetch | None":
        """For the first and the last line of what is written of short rows, but not where
        `but_for` holds."""
        if not self.writes or self.spread:
            return None
        enabled = self.enabled
        if but_for is not False:
            enabled = both(enabled, compare("eq", but_for, arith.constant(but_for.type, 0)))
        return replace(self, reads=(), enabled=enabled, only_ends=True)

    def emit(
        self,
        job: Job,
        point: Point,
        position: Ix,
        upper: Ix,
        outer_upper: Ix | None,
        lower: Ix,
        extent: Ix,
        ahead: Ahead | None = None,
    ) -> None:
        """Ask for elements [lower, lower + extent) along the vector dim of the rows ahead.

        The other arguments are those of `there`.
        """

        def ask() -> None:
            self.ask(self.there(job, point, position, upper, outer_upper, ahead), lower, extent)

        when(self.enabled, ask)

    def there(
        self,
        job: Job,
        point: Point,
        position: Ix,
        upper: Ix,
        outer_upper: Ix | None = None,
        ahead: Ahead | None = None,
    ) -> Point:
        """The point whose rows are asked for at `point`, which is at `position` along the dim.

        `upper` and `outer_upper` end the loops over `dim` and `outer`; coordinates that are a slice
        are read beyond it. `ahead` is given where the loop over `dim` skips points.
        """
        dims = dict(point.dims)
        next_position = add(position, self.distance)
        if ahead is None:
            refs = (*self.reads, *self.writes)
            beyond = point_beyond(job, refs, self.dim, point, next_position)
            if beyond is not None:
                return beyond
        if ahead is not None:
            dims[self.dim] = ahead(self.distance)
        elif self.outer is None or outer_upper is None:
            end = job.coordinates.readable_end(self.dim, upper)
            dims[self.dim] = minimum(next_position, sub(end, 1))
        else:
            past = compare("sge", next_position, upper)
            wrapped = minimum(sub(next_position, upper), sub(upper, 1))
            dims[self.dim] = arith.select(past, value(wrapped), value(next_position))
            here = dims[self.outer]
            following = minimum(add(here, 1), sub(outer_upper, 1))
            dims[self.outer] = arith.select(past, value(following), value(here))
        symbols = {
            symbol: known
            for symbol, known in point.symbols.items()
            if self.outer not in job.coordinates.depends(symbol)
        }
        there = Point(dims, symbols, {})
        job.coordinates.load_raw_ready(there)
        return there

    def ask(self, there: Point, lower: Ix, extent: Ix) -> None:
        """Ask for elements [lower, lower + extent) of the rows at `there`."""
        by_level(
            self.second,
            2,
            self.asking.level,
            lambda level: self._rows(there, lower, extent, level),
        )

    def _rows(self, there: Point, lower: Ix, extent: Ix, level: int) -> None:
        alone = len(self.reads) + len(self.writes) == 1
        for refs, write in ((self.reads, False), (self.writes, True)):
            for ref in refs:
                worth_it = True if alone else _one_has([ref], CACHED + 1)
                if worth_it is not False:
                    when(
                        None if worth_it is True else worth_it,
                        lambda r=ref, w=write: self._lines(r, there, w, lower, extent, level),
                    )

    def ask_for_copied(self, there: Point, row: Range, moved: Ix) -> None:
        """For what is read of the rows at `there`, before those of the point are copied: their part
        `row`, but no more than the machine says. Not where the `moved` bytes that move in all are
        as few as a cache may hold."""
        enough = all_at_least([(moved, self.asking.copied_least)])
        if not self.reads or not self.asking.copied_ahead or enough is False:
            return
        widest = max(bytes_of(ref.storage) for ref in self.reads)
        extent = minimum(row.size, self.asking.copied_ahead // widest)
        reads = replace(self, writes=())
        when(
            self.enabled if enough is True else both(self.enabled, enough),
            lambda: reads.ask(there, row.lower, extent),
        )

    def ask_line(self, here: Point, there: Point, position: Ix, elements: int, row: Range) -> None:
        """For what is `lines_ahead` of `elements` elements from `position` on; `row` is the part of
        the vector dim, which the row at `here` ends with, and the one at `there` goes on."""
        widest = max(bytes_of(ref.storage) for ref in (*self.reads, *self.writes))
        asking = self.asking
        ahead = _chosen(
            self.second,
            lambda: asking.moved_ahead // widest,
            lambda: asking.lines_ahead // widest,
        )
        later = add(position, minimum(row.size, ahead))
        past = compare("sge", later, row.upper)
        later = arith.select(past, value(sub(later, row.size)), value(later))

        def ask(level: int) -> None:
            for refs, write in ((self.reads, False), (self.writes, True)):
                for ref in refs:
                    for offset in range(0, elements, LINE // bytes_of(ref.storage)):
                        column = add(later, offset)
                        places = (ref.indices(p.at(self.vector_dim, column)) for p in (there, here))
                        where = [
                            a if a == b else arith.select(past, a, b)
                            for a, b in zip(*places, strict=True)
                        ]
                        ask_for(ref.memref, where, write, level)

        by_level(self.second, 2, asking.level, ask)

    def _lines(
        self, ref: Ref, there: Point, write: bool, lower: Ix, extent: Ix, level: int
    ) -> None:
        step = LINE // bytes_of(ref.storage)

        def line(position: Ix) -> None:
            where = ref.indices(there.at(self.vector_dim, position))
            ask_for(ref.memref, where, write, level)

        if self.only_ends:
            line(lower)
        elif isinstance(extent, int) and extent <= 16 * step:
            for offset in range(0, extent, step):
                line(add(lower, offset))
        else:
            loop(lower, add(lower, extent), step, line)
        if step > 1:
            # A row that does not begin with a line ends in one more: NumPy's large arrays begin 16
            # bytes after one. Of 64 bytes it is half of what is read, and a branch around it is no
            # faster where rows do begin with one.
            line(sub(add(lower, extent), 1))


def row_prefetches(
    job: Job,
    vector_dim: int,
    asking: Asking,
    skipping: int | None,
    in_segments: bool,
) -> tuple[Prefetch, ...]:
    """The prefetch for rows along `vector_dim`, whose place the innermost other loop decides;
    several where their length is not known, each for some lengths.

    Points of the dim `skipping` are left out, so that rows at its plain positions are no sequence.
    `in_segments`: that loop runs inside of one over vectors, and stays at one row of the outputs.
    """
    outer_dims, inner = job.loop_order(vector_dim)
    loops = [dim for dim in (*outer_dims, *inner) if job.extents[dim] != 1]
    if not loops:
        return ()
    dim = loops[-1]
    outer = loops[-2] if inner and len(loops) > 1 else None

    def is_row(ref: Ref) -> bool:
        symbols = symbols_in(ref)
        if not ref.steps_with(vector_dim, job.coordinates):
            return False
        if not symbols and skipping == dim and skipping in plain_dims_in(ref):
            return True
        if any(symbols_of(e) for s in symbols for e in job.structure.coordinates[s].map.results):
            return False
        known = set(loops) | {vector_dim}
        return any(dim in job.coordinates.depends(s) for s in symbols) and all(
            d in known or job.extents[d] == 1 for d in plain_dims_in(ref)
        )

    reads = tuple(ref for ref in job.inputs if is_row(ref))
    writes = tuple(ref for ref in job.outputs if is_row(ref) and not in_segments)
    if not reads and not writes:
        return ()
    extent = job.extents[vector_dim]
    refs = (*reads, *writes)
    row_bytes = mul(extent, sum(bytes_of(ref.storage) for ref in refs))
    if isinstance(row_bytes, int) and row_bytes < LINE // 2:
        return ()
    worth_it = _one_has(refs, CACHED + 1)
    if worth_it is False:
        return ()
    enabled = None if worth_it is True else worth_it
    second = _from_memory(job, reads, writes, row_bytes, asking)
    distance = _chosen(
        second,
        lambda: _rows_ahead(row_bytes, asking.moved_ahead, 2 * MOST_ROWS),
        lambda: _rows_ahead(row_bytes, asking.row_ahead),
    )
    by_rows = Prefetch(
        dim, outer, distance, vector_dim, reads, writes, enabled, False, asking, second=second
    )
    if in_segments or dim not in outer_dims:
        return (by_rows,)
    kinds = [(0, by_rows), (SPREAD_BYTES, _by_lines(by_rows, row_bytes))]
    if asking.moved_ahead and job.body.moves_only:
        ahead = asking.moved_ahead
        moved = asking._replace(level=2, row_ahead=ahead, lines_ahead=ahead)
        distance = _rows_ahead(row_bytes, ahead)
        far = replace(by_rows, distance=distance, asking=moved, second=False)
        least = MOVED_BYTES if reads else SET_BYTES
        kinds[1:] = [(least, far), (SPREAD_BYTES, _by_lines(far, row_bytes))]
    return _by_length(row_bytes, kinds)


def _by_length(row_bytes: Ix, kinds: Sequence[tuple[int, Prefetch]]) -> tuple[Prefetch, ...]:
    """Of `kinds`, each for rows of so many bytes and more, those that rows of `row_bytes` may
    need."""
    if isinstance(row_bytes, int):
        return ([kind for least, kind in kinds if row_bytes >= least][-1],)
    found = []
    for number, (least, kind) in enumerate(kinds):
        enabled = kind.enabled
        if least:
            enabled = both(enabled, compare("sge", row_bytes, least))
        if number + 1 < len(kinds):
            enabled = both(enabled, compare("slt", row_bytes, kinds[number + 1][0]))
        found.append(replace(kind, enabled=enabled))
    return tuple(found)


def _from_memory(
    job: Job, reads: Sequence[Ref], writes: Sequence[Ref], row_bytes: Ix, asking: Asking
) -> bool | ir.Value:
    """Whether rows that are read or updated are of a memref that no cache holds: known now, or a
    condition, but of one memref alone. For two LLVM took an eighth longer."""
    updates = [ref for ref in writes if job.body.uses(len(job.inputs) + job.outputs.index(ref))]
    kinds = ((reads, asking.memory_rows), (updates, asking.memory_updates))
    found = [
        all_at_least([(bytes_in(ref.memref), least), (row_bytes, 2 * LINE)])
        for refs, least in kinds
        for ref in refs
        if least
    ]
    if len(reads) + len(writes) == 1 and found:
        return found[0]
    return any(one is True for one in found)


def _chosen(condition: bool | ir.Value, then: Callable[[], Ix], otherwise: Callable[[], Ix]) -> Ix:
    """`then()` where the condition holds, else `otherwise()`."""
    if isinstance(condition, bool):
        return then() if condition else otherwise()
    return arith.select(condition, value(then()), value(otherwise()))


def _rows_ahead(row_bytes: Ix, ahead: int, most: int = MOST_ROWS) -> Ix:
    """How many rows ahead rows of so many bytes are asked for, if `ahead` bytes are on their way,
    but of no more than `most` rows."""
    return maximum(1, minimum(most, floor_div(ahead, maximum(row_bytes, 1))))


def _by_lines(rows: Prefetch, row_bytes: Ix) -> Prefetch:
    """`rows` line by line. Those of 2 KiB are taken 1.3 to 2 times as fast on a Zen 5 as by those
    of the next one."""

    def lines(ahead: int) -> Ix:
        return maximum(1, floor_div(ahead, maximum(row_bytes, 1)))

    asking = rows.asking
    distance = _chosen(
        rows.second, lambda: lines(asking.moved_ahead), lambda: lines(asking.lines_ahead)
    )
    return replace(rows, distance=distance, spread=True)


def _one_has(refs: Sequence[Ref], least: int) -> bool | ir.Value:
    """Whether one of them is of `least` bytes: known now, or a condition."""
    largest = functools.reduce(maximum, [bytes_in(ref.memref) for ref in refs])
    return all_at_least([(largest, least)])
