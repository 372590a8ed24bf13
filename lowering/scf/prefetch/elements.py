"""Indirect prefetch of single elements, where what they are in is far larger than the caches.

Out-of-order execution has many such reads on their way by itself, but stores are done in order: one
that waits for its line holds up all that follow.
"""

from collections.abc import Callable, Collection, Set
from dataclasses import dataclass
from typing import NamedTuple, TypeGuard

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import (
    Ix,
    Unroll,
    add,
    all_at_least,
    any_of,
    both,
    choose_all,
    compare,
    loop,
    loop_carrying,
    maximum,
    minimum,
    shift_right,
    sub,
    value,
    when,
)
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job, plain_dims_in, symbols_in
from mlir_gs.lowering.op.ranges import Range
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import bytes_reached
from mlir_gs.lowering.scf.prefetch.line import ask_for, by_level
from mlir_gs.lowering.scf.prefetch.rows import Ahead
from mlir_gs.lowering.scf.target import ELEMENTS_AHEAD, Asking

# Into the second-level cache, what threads own: on a Zen 4 sums in 1, 2 and 4 MiB take 1.1 to 1.2
# times as long with a prefetch, in 16 MiB 0.6 times.
FAR_OWNED = 8 << 20


@dataclass(frozen=True)
class FarElements:
    """Prefetch what `reads` and `writes` touch `distance` points later along the innermost `dim`.
    Lines come to the cache of this `level`; blocks of them to the first-level one where `near`
    holds.

    `enabled` is the condition under which it is worth it, None for always. Blocks of points are
    asked for that end at `until` or before: one comparison for a block, where the rest is known
    before the loop.
    """

    dim: int
    reads: tuple[Ref, ...]
    writes: tuple[Ref, ...]
    enabled: ir.Value | None
    level: int
    distance: Ix
    until: Ix
    near: ir.Value | bool

    @property
    def looks_far(self) -> bool:
        """Coordinates are read so far ahead that what is asked for in order is not there yet."""
        return not isinstance(self.distance, int) or self.distance > self.level * ELEMENTS_AHEAD

    def further(self) -> Ix:
        """How many points further coordinates are read than those of the points that run."""
        if self.enabled is None:
            return self.distance
        return arith.select(self.enabled, value(self.distance), value(0))

    def emit(self, job: Job, point: Point, position: Ix, count: int) -> None:
        """Ask for what the points [position, position + count) + distance touch, if all of them
        have coordinates."""

        def ask() -> None:
            first = add(position, self.distance)

            def into(level: int) -> None:
                # Unrolled it is not faster, and takes LLVM a quarter longer to compile.
                loop(0, count, 1, lambda at: self._ask(job, point, add(first, at), level), "never")

            by_level(self.near, 1, self.level, into)

        when(compare("sle", position, sub(self.until, count)), ask)

    def emit_one(
        self, job: Job, point: Point, position: Ix, upper: Ix, ahead: Ahead | None = None
    ) -> None:
        """Ask for what the point `position + distance` touches, or the last one that has
        coordinates. `ahead` is given where the loop skips points."""

        def ask() -> None:
            if ahead is not None:
                later = ahead(self.distance)
            else:
                end = job.coordinates.readable_end(self.dim, upper)
                later = minimum(add(position, self.distance), sub(end, 1))
            self._ask(job, point, later, self.level)

        when(self.enabled, ask)

    def loops(
        self,
        job: Job,
        point: Point,
        part: Range,
        upper: Ix,
        start: list[ir.Value],
        at: Callable[[Ix, list[ir.Value]], list[ir.Value]],
        unroll: Unroll,
    ) -> list[ir.Value]:
        """Those of `part` as `loop_carrying(..., at)`, the first of which asks for what the point
        at `distance` touches; `upper` ends what follows `part`."""

        def asking(position: Ix, carried: list[ir.Value]) -> list[ir.Value]:
            self._ask(job, point, add(position, self.distance), self.level)
            return at(position, carried)

        def far() -> list[ir.Value]:
            border = self._border(job, part, upper)
            news = loop_carrying(part.lower, border, start, asking, unroll=unroll)
            return [value(border), *news]

        if self.enabled is None:
            rest, *news = far()
        else:
            types = [ir.IndexType.get(), *(each.type for each in start)]
            near = [value(part.lower), *start]
            rest, *news = choose_all(self.enabled, types, far, lambda: near)
        return loop_carrying(rest, part.upper, news, at, unroll=unroll)

    def _border(self, job: Job, part: Range, upper: Ix) -> Ix:
        """Before which points of `part` have one to ask for."""
        end = sub(job.coordinates.readable_end(self.dim, upper), self.distance)
        return minimum(maximum(end, part.lower), part.upper)

    def _ask(self, job: Job, point: Point, later: Ix, level: int) -> None:
        symbols = {
            symbol: known
            for symbol, known in point.symbols.items()
            if self.dim not in job.coordinates.depends(symbol)
        }
        there = Point({**point.dims, self.dim: later}, symbols, {})
        job.coordinates.load_raw_ready(there)
        for refs, write in ((self.reads, False), (self.writes, True)):
            for ref in refs:
                ask_for(ref.memref, ref.indices(there), write, level)


class Far(NamedTuple):
    """What is worth being asked for, and the condition under which it is, None for always."""

    reads: tuple[Ref, ...]
    writes: tuple[Ref, ...]
    enabled: ir.Value | None


def find_far(
    job: Job,
    dim: int,
    bound: Set[int],
    others: Collection[Ref],
    *,
    asking: Asking,
    owned: bool = False,
    writes_too: bool = True,
) -> Far | None:
    """What coordinates address that differ from point to point of the innermost dim `dim`, in which
    the dims `bound` are known; `others` are asked for in another way.

    `writes_too`: each point writes what the outputs' coordinates address. `owned`: a thread skips
    the points of others.
    """
    bound = {*bound, *(d for d, extent in job.extents.items() if extent == 1)}

    def is_far(ref: Ref, least: int) -> bool:
        symbols = symbols_in(ref)
        known = plain_dims_in(ref).union(*(job.coordinates.depends(s) for s in symbols))
        if not any(dim in job.coordinates.depends(s) for s in symbols) or not known <= bound:
            return False
        if any(symbols_of(e) for s in symbols for e in job.structure.coordinates[s].map.results):
            return False
        size = bytes_reached(job, ref)
        return ref not in others and not (isinstance(size, int) and size < least)

    far = asking.far if writes_too else asking.far_reduced
    if owned and asking.element_level > 1:
        far = max(far, FAR_OWNED)
    in_order = writes_too and not any(symbols_in(ref) for ref in job.outputs)

    def least_of(ref: Ref) -> int:
        by_dim = [s for s in symbols_in(ref) if dim in job.coordinates.depends(s)]
        return asking.far_taken if in_order and len(by_dim) == 1 else far

    reads = [(ref, least_of(ref)) for ref in job.inputs if is_far(ref, least_of(ref))]
    writes = []
    for number, ref in enumerate(job.outputs if writes_too else [], len(job.inputs)):
        least = far if job.body.uses(number) else asking.far_set
        if is_far(ref, least):
            writes.append((ref, least))
    if not reads and not writes:
        return None
    sizes = [(bytes_reached(job, ref), least) for ref, least in (*reads, *writes)]
    enabled = any_of(
        [None if isinstance(size, int) else compare("sge", size, least) for size, least in sizes]
    )
    read, written = (tuple(ref for ref, _ in refs) for refs in (reads, writes))
    return Far(read, written, enabled)


def is_short(extent: Ix, asking: Asking) -> TypeGuard[int]:
    """Whether a loop over a dim of this extent ends before what it asks for comes."""
    return isinstance(extent, int) and extent < 2 * asking.element_level * ELEMENTS_AHEAD


def far_elements(
    job: Job, dim: int, far: Far | None, asking: Asking, *, near: bool = False
) -> FarElements | None:
    """The prefetch of what is `far` in a loop over `dim`. `near`: from no further ahead than all
    CPUs gain from."""
    extent = job.extents[dim]
    if far is None or is_short(extent, asking):
        return None
    level, enabled = asking.element_level, far.enabled
    end = job.coordinates.readable_end(dim, extent)
    if not isinstance(end, int):
        enabled = both(enabled, compare("sge", end, 2 * level * ELEMENTS_AHEAD))
    distance = level * ELEMENTS_AHEAD if near else _distance(end, level, asking.elements_ahead)
    until = sub(end, distance)
    if enabled is not None:
        until = arith.select(enabled, value(until), value(0))
    within: bool | ir.Value = False
    if level > 1 and asking.element_near and not far.writes:
        within = all_at_least([(asking.element_near, bytes_reached(job, r)) for r in far.reads])
    return FarElements(dim, far.reads, far.writes, enabled, level, distance, until, within)


def _distance(end: Ix, level: int, ahead: int) -> Ix:
    """Points ahead in a loop that ends at `end`: no more than a quarter of it, where it is not the
    least."""
    if ahead <= ELEMENTS_AHEAD:
        return level * ahead
    return minimum(level * ahead, maximum(level * ELEMENTS_AHEAD, shift_right(end, 2)))
