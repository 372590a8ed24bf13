"""Prefetch of the lines that a window reaches next, as it moves along an output.

All else in the window has been reached before. One line is asked for in a step, however many
points the window has; see `prefetch_streams` for the CPUs that gain from it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.ir.emit import Ix, add, all_at_least, choose, mul, value, when
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job, symbols_in
from mlir_gs.lowering.op.moving_window import MovingWindow, ends_of, moving_window
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import LINE, bytes_in
from mlir_gs.lowering.scf.prefetch.line import ask_for

# In an output of 2 MiB a front cost a tenth, in one of 8 MiB it gained a fifth.
LARGE = 4 << 20

STEPS = 64
"""Steps that there are at least: all coordinates in a window are looked at before the first one."""


@dataclass(frozen=True)
class Front:
    """Ask for what `window` reaches in the last dimension of `ref` so many `steps` later.

    `greatest` is the last place in it; `enabled` is the condition under which it is worth it, None
    for always.
    """

    ref: Ref
    window: MovingWindow
    steps: int
    greatest: Ix
    enabled: ir.Value | None

    @property
    def refs(self) -> tuple[Ref, ...]:
        return (self.ref,)

    def emit(self, point: Point, position: Ix) -> None:
        """At the step `position`."""

        def ask() -> None:
            begin = mul(add(position, self.steps), self.window.step)
            # Beyond the end of the memory a prefetch does nothing.
            where = [*self.ref.indices_but_last(point), value(add(begin, self.greatest))]
            ask_for(self.ref.memref, where, True)

        when(self.enabled, ask)


def fronts_ahead(job: Job, loops: Sequence[int], distance: int) -> dict[int, Front]:
    """By dim, the front of the window that it moves along the one output, in a nest of loops over
    the dims `loops`; `distance` in bytes, 0 for never."""
    if not distance or len(job.outputs) != 1:
        return {}
    (ref,) = job.outputs
    # Inside of the innermost loop there is no window.
    for count, dim in enumerate(loops[:-1]):
        *others, last = ref.map.results or [None]
        window = None if last is None else moving_window(job, last, dim)
        if window is None or ref.last_stride != 1:
            continue
        step = window.step * bytes_of(ref.storage)
        known = set().union(*(dims_in(expr) for expr in others))
        if (
            step <= LINE
            and known <= set(loops[:count])
            and not symbols_in(ref) - set(window.rest.symbols)
        ):
            return _front(job, ref, window, distance // step)
    return {}


def _front(job: Job, ref: Ref, window: MovingWindow, steps: int) -> dict[int, Front]:
    least = [(bytes_in(ref.memref), LARGE), (job.extents[window.dim], STEPS)]
    worth = all_at_least(least)
    if isinstance(worth, bool):
        if not worth:
            return {}
        return {window.dim: Front(ref, window, steps, ends_of(job, window)[1], None)}
    greatest = choose(
        worth,
        ir.IndexType.get(),
        lambda: value(ends_of(job, window)[1]),
        lambda: value(0),
    )
    return {window.dim: Front(ref, window, steps, greatest, worth)}
