"""Indirect prefetch of single elements, where what they are in is far larger than the caches.

Out-of-order execution has many such reads on their way by itself, but stores are done in order: one
that waits for its line holds up all that follow.
"""

from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.asking import ELEMENTS_AHEAD, Asking, ask_for
from mlir_gs.lowering.body import bytes_of
from mlir_gs.lowering.builders import arith
from mlir_gs.lowering.coordinates import Point
from mlir_gs.lowering.emit import (
    Ix,
    add,
    any_of,
    both,
    compare,
    loop,
    maximum,
    minimum,
    shift_right,
    sub,
    value,
    when,
)
from mlir_gs.lowering.job import Job, plain_dims_in, symbols_in
from mlir_gs.lowering.moving_window import moving_window
from mlir_gs.lowering.prefetch import Ahead
from mlir_gs.lowering.refs import Ref
from mlir_gs.lowering.volume import LINE, bytes_in

# Into the second-level cache, what threads own: on a Zen 4 sums in 1, 2 and 4 MiB take 1.1 to 1.2
# times as long with a prefetch, in 16 MiB 0.6 times.
FAR_OWNED = 8 << 20


class Moved(NamedTuple):
    """So many `steps` later along the iteration dim `dim`."""

    dim: int
    steps: int


@dataclass(frozen=True)
class FarElements:
    """Prefetch what `reads` and `writes` touch `distance` points later along the innermost `dim`;
    of windows that a loop around it moves, what they touch at the same point when they have
    `moved`. Lines come to the cache of this `level`.

    `enabled` is the condition under which it is worth it, None for always.
    """

    dim: int
    reads: tuple[Ref, ...]
    writes: tuple[Ref, ...]
    enabled: ir.Value | None
    level: int
    distance: Ix
    moved: Moved | None = None

    @property
    def looks_far(self) -> bool:
        """Coordinates are read so far ahead that what is asked for in order is not there yet."""
        if self.moved is not None:
            return False
        return not isinstance(self.distance, int) or self.distance > self.level * ELEMENTS_AHEAD

    def further(self) -> Ix:
        """How many points further coordinates are read than those of the points that run."""
        if self.enabled is None:
            return self.distance
        return arith.select(self.enabled, value(self.distance), value(0))

    def emit(self, job: Job, point: Point, position: Ix, count: int, upper: Ix) -> None:
        """Ask for what the points [position, position + count) + distance touch, if all of them
        have coordinates; `upper` ends the loop over `dim`."""
        if self.moved is not None:
            last = add(position, count)
            when(
                self.enabled, lambda: loop(position, last, 1, lambda at: self._ask(job, point, at))
            )
            return
        end = job.coordinates.readable_end(self.dim, upper)
        fits = compare("sle", add(position, add(self.distance, count)), end)

        def ask() -> None:
            first = add(position, self.distance)
            # Unrolled it is not faster, and takes LLVM a quarter longer to compile.
            loop(first, add(first, count), 1, lambda at: self._ask(job, point, at), unroll=False)

        when(both(self.enabled, fits), ask)

    def emit_one(
        self, job: Job, point: Point, position: Ix, upper: Ix, ahead: Ahead | None = None
    ) -> None:
        """Ask for what the point `position + distance` touches, or the last one that has
        coordinates. `ahead` is given where the loop skips points."""

        def ask() -> None:
            if self.moved is not None:
                later = position
            elif ahead is not None:
                later = ahead(self.distance)
            else:
                end = job.coordinates.readable_end(self.dim, upper)
                later = minimum(add(position, self.distance), sub(end, 1))
            self._ask(job, point, later)

        when(self.enabled, ask)

    def _ask(self, job: Job, point: Point, later: Ix) -> None:
        symbols = {
            symbol: known
            for symbol, known in point.symbols.items()
            if self.dim not in job.coordinates.depends(symbol)
        }
        there = Point({**point.dims, self.dim: later}, symbols, {})
        job.coordinates.load_raw_ready(there)
        if self.moved is not None:
            # Coordinates are those of this step: others may depend on it, and end with the last.
            dim, steps = self.moved
            there.dims[dim] = add(there.dims[dim], steps)
        for refs, write in ((self.reads, False), (self.writes, True)):
            for ref in refs:
                ask_for(ref.memref, ref.indices(there), write, self.level)


def far_elements(
    job: Job,
    dim: int,
    bound: Set[int],
    others: Collection[Ref],
    *,
    around: int | None,
    asking: Asking,
    owned: bool = False,
    writes_too: bool = True,
) -> FarElements | None:
    """The prefetch of what coordinates address that differ from point to point of the innermost
    dim `dim`, in which the dims `bound` are known; `others` are asked for in another way.

    `writes_too`: each point writes what the outputs' coordinates address. `around` is the dim of
    the loop around that over `dim`. `owned`: a thread skips the points of others.
    """
    level = asking.element_level
    bound = {*bound, *(d for d, extent in job.extents.items() if extent == 1)}

    def is_far(ref: Ref, least: int) -> bool:
        symbols = symbols_in(ref)
        known = plain_dims_in(ref).union(*(job.coordinates.depends(s) for s in symbols))
        if not any(dim in job.coordinates.depends(s) for s in symbols) or not known <= bound:
            return False
        if any(symbols_of(e) for s in symbols for e in job.structure.coordinates[s].map.results):
            return False
        size = bytes_in(ref.memref)
        return ref not in others and not (isinstance(size, int) and size < least)

    extent = job.extents[dim]
    far = asking.far if writes_too else asking.far_reduced
    if owned and level > 1:
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
    moved = None
    if isinstance(extent, int) and extent < 2 * level * ELEMENTS_AHEAD:
        writes = []
        if around is not None and asking.read_ahead:
            moved = _moved(job, around, extent, [ref for ref, _ in reads], asking.read_ahead)
        if moved is None:
            return None
    if not reads and not writes:
        return None
    sizes = [(bytes_in(ref.memref), least) for ref, least in (*reads, *writes)]
    enabled = any_of(
        [None if isinstance(size, int) else compare("sge", size, least) for size, least in sizes]
    )
    end = job.coordinates.readable_end(dim, extent)
    if not isinstance(end, int):
        enabled = both(enabled, compare("sge", end, 2 * level * ELEMENTS_AHEAD))
    # Lists of owned points are short. Of what is only summed up, products of sparse matrices with
    # vectors take 1.02 to 1.07 times as long from further ahead on a Zen 5.
    near = owned or not writes_too
    distance = level * ELEMENTS_AHEAD if near else _distance(end, level, asking.elements_ahead)
    read, written = (tuple(ref for ref, _ in refs) for refs in (reads, writes))
    return FarElements(dim, read, written, enabled, level, distance, moved)


def _distance(end: Ix, level: int, ahead: int) -> Ix:
    """Points ahead in a loop that ends at `end`: no more than a quarter of it, where it is not the
    least."""
    if ahead <= ELEMENTS_AHEAD:
        return level * ahead
    return minimum(level * ahead, maximum(level * ELEMENTS_AHEAD, shift_right(end, 2)))


def _moved(job: Job, dim: int, points: int, refs: Sequence[Ref], read_ahead: int) -> Moved | None:
    """How far ahead a window of so many points is asked for that `dim` moves in all of `refs`, to
    lines that it has not met before: as many in a step as it has points, or more."""
    steps = []
    for ref in refs:
        others, last = list(ref.map.results)[:-1], ref.map.results[-1]
        window = moving_window(job, last, dim)
        if window is None or any(dim in dims_in(expr) for expr in others) or ref.last_stride != 1:
            return None
        steps.append(window.step * bytes_of(ref.storage))
    if not steps or min(steps) < points * LINE:
        return None
    return Moved(dim, max(1, read_ahead // max(steps)))
