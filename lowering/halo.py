"""Halos: threads share an output along which a window moves, such as `8 * i + offsets[j]`.

Windows of points that follow one another overlap, so points are to stay in order. Each thread runs
those whose window reaches its part of the output. Next to a border the window reaches beyond it:
these few points run on both sides, and each thread writes what is its own.
"""

from collections.abc import Callable
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.body import bytes_of
from mlir_gs.lowering.builders import arith
from mlir_gs.lowering.coordinates import Point
from mlir_gs.lowering.emit import (
    Ix,
    Unroll,
    add,
    affine,
    all_at_least,
    both,
    ceil_div,
    choose,
    compare,
    either,
    loop,
    maximum,
    minimum,
    mul,
    size_of,
    sub,
    value,
)
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.moving_window import MovingWindow, ends_of, moving_window
from mlir_gs.lowering.ranges import Range
from mlir_gs.lowering.refs import Ref
from mlir_gs.lowering.threads import SERIAL_BYTES
from mlir_gs.lowering.volume import LINE

At = Callable[[Ix], None]

WINDOWS = 8
"""Windows that a thread's part of the output holds, at least: those at its borders run twice."""


class Halo(NamedTuple):
    """The outputs' dimension `position`, along which `window` moves, is shared in pieces of
    `grain`."""

    window: MovingWindow
    position: int
    grain: int


def find_halo(job: Job, lanes_dim: int | None) -> Halo | None:
    """How threads can share the one output along a dim that moves a window in it."""
    if len(job.outputs) != 1:
        return None
    (output,) = job.outputs
    outer, _ = job.loop_order(lanes_dim)
    in_lanes = [] if lanes_dim is None else output.mentions(lanes_dim, job.coordinates)
    for position, expr in enumerate(output.map.results):
        # A dim of one point has no loop.
        moving = [] if position in in_lanes else [d for d in outer if job.extents[d] != 1]
        for dim in moving:
            window = moving_window(job, expr, dim)
            if window is not None:
                return Halo(window, position, _grain(output, position))
    return None


def _grain(output: Ref, position: int) -> int:
    """Threads do not write to the same line."""
    row: Ix = bytes_of(output.storage)
    for later in range(position + 1, len(output.map.results)):
        row = mul(row, size_of(output.memref, later))
    return max(1, LINE // row) if isinstance(row, int) and row else 1


def sharing_pays(job: Job, halo: Halo, work: Ix, threads: int) -> bool | ir.Value:
    """Whether there is enough to do, and a window is small beside a thread's part."""
    few = threads * WINDOWS
    enough = all_at_least([(work, SERIAL_BYTES), (job.extents[halo.window.dim], few)])
    (output,) = job.outputs

    def is_small() -> bool | ir.Value:
        least, greatest = ends_of(job, halo.window)
        width = add(sub(greatest, least), halo.window.step)
        return all_at_least([(size_of(output.memref, halo.position), mul(width, few))])

    if isinstance(enough, bool):
        return is_small() if enough else False
    return choose(enough, _bit_type(), lambda: _bit(is_small()), lambda: _bit(False))


def _bit(condition: bool | ir.Value) -> ir.Value:
    return arith.constant(_bit_type(), int(condition)) if isinstance(condition, bool) else condition


def _bit_type() -> ir.Type:
    return ir.IntegerType.get_signless(1)


class HaloShare:
    """One thread's part, [lower, upper) of the dimension `halo.position` of the output."""

    def __init__(self, job: Job, halo: Halo, lower: Ix, upper: Ix) -> None:
        window = halo.window
        self.dim = window.dim
        self.lower, self.upper = lower, upper
        self._address = job.outputs[0].map.results[halo.position]
        extent = job.extents[window.dim]
        least, greatest = ends_of(job, window)

        def first(place: Ix, offset: Ix) -> Ix:
            """The first point whose window has `offset` at `place` or later."""
            found = ceil_div(sub(place, offset), window.step)
            return minimum(maximum(found, 0), extent)

        self.points = Range(first(lower, greatest), first(upper, least))
        """The points along the dim whose windows reach the part."""
        self._whole = (first(lower, least), first(upper, greatest))

    def owns(self, point: Point) -> ir.Value | None:
        """Whether `point` writes to this part; None while a dim of its address is not bound."""
        if not dims_in(self._address) <= set(point.dims):
            return None
        address = affine(self._address, point.dims, point.symbols)
        return both(compare("sge", address, self.lower), compare("slt", address, self.upper))

    def loop(self, part: Range, inside: At, at_border: At, unroll: Unroll) -> None:
        """`inside(position)` for the points of `part` whose window lies within this part of the
        output, `at_border(position)` for those before and after them."""
        lower, upper = part.lower, part.upper
        first = minimum(maximum(self._whole[0], lower), upper)
        end = minimum(maximum(self._whole[1], first), upper)

        def run(number: Ix) -> None:
            is_left = compare("eq", number, 0)
            start = arith.select(is_left, value(lower), value(end))
            stop = arith.select(is_left, value(first), value(upper))
            either(
                compare("eq", number, 1),
                lambda: loop(first, end, 1, inside, unroll),
                lambda: loop(start, stop, 1, at_border, unroll="never"),
            )

        # One loop for both borders: the code is there twice, not three times.
        loop(0, 3, 1, run, unroll="never")
