"""Prefetch of what windows reach that meet lines of their own with each step.

To the hardware those lines are no stream, or one of long steps for each point of the window. What
comes to few lines with a step is asked for by `prefetch_fronts`.
"""

from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.ir.emit import Ix, add, loop, when
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.moving_window import moving_window
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import LINE
from mlir_gs.lowering.scf.prefetch.elements import Far, is_short
from mlir_gs.lowering.scf.prefetch.line import ask_for
from mlir_gs.lowering.scf.target import Asking

PAGE = 4096
"""Bytes of a page, mostly. Lines that are written in pages of their own are not asked for on a core
that rows come to the second cache of: sets of eight f64, 1,024 apart from step to step, take 1.07
times as long on a Zen 4 if they are, 512 apart as long, 256 apart 0.87 times; takes of the same 0.9
to 1.0 times, whatever the step. On a Zen 5, where rows come to the first one, such sets take 0.9
times as long on one thread, and as long on two."""


@dataclass(frozen=True)
class FarWindows:
    """Ask for what the windows in `reads` and `writes` reach so many `steps` later along the dim
    that moves them, at all points of the innermost dim `dim`. Lines come to the cache of this
    `level`.

    `enabled` is the condition under which it is worth it, None for always.
    """

    job: Job
    dim: int
    reads: tuple[Ref, ...]
    writes: tuple[Ref, ...]
    enabled: ir.Value | None
    level: int
    moving: int
    steps: int

    @property
    def refs(self) -> tuple[Ref, ...]:
        return self.reads + self.writes

    def emit(self, point: Point, position: Ix) -> None:
        """At the step `position`."""
        here = point.at(self.moving, position)

        def ask(at: Ix) -> None:
            there = here.at(self.dim, at)
            self.job.coordinates.load_raw_ready(there)
            # Coordinates are those of this step: others may depend on it, and end with the last.
            there.dims[self.moving] = add(position, self.steps)
            for refs, write in ((self.reads, False), (self.writes, True)):
                for ref in refs:
                    ask_for(ref.memref, ref.indices(there), write, self.level)

        when(self.enabled, lambda: loop(0, self.job.extents[self.dim], 1, ask))


def far_windows(
    job: Job, dim: int, far: Far | None, moving: int | None, asking: Asking
) -> dict[int, FarWindows]:
    """By the dim `moving` of the loop around that over `dim`, the prefetch of what is `far` and
    lies in windows that a step moves to as many lines as they have points, or more: all are new.
    Of what is written, on some cores only what lies in less than a page."""
    points, distance = job.extents[dim], asking.read_ahead
    if far is None or moving is None or not distance or not is_short(points, asking):
        return {}
    moved = {id(ref): _bytes_moved(job, ref, moving) for ref in (*far.reads, *far.writes)}
    new = {known: step for known, step in moved.items() if step and step >= points * LINE}
    if not new:
        return {}
    reads = tuple(ref for ref in far.reads if id(ref) in new)
    writes = tuple(
        ref for ref in far.writes if id(ref) in new and (asking.level == 1 or new[id(ref)] < PAGE)
    )
    if not reads and not writes:
        return {}
    steps = max(1, distance // max(new.values()))
    level = asking.element_level
    return {moving: FarWindows(job, dim, reads, writes, far.enabled, level, moving, steps)}


def _bytes_moved(job: Job, ref: Ref, dim: int) -> int:
    """By a step of `dim`, 0 where that moves no window in `ref`, or not that alone."""
    *others, last = ref.map.results
    window = moving_window(job, last, dim)
    if window is None or any(dim in dims_in(expr) for expr in others) or ref.last_stride != 1:
        return 0
    return window.step * bytes_of(ref.storage)
