"""One thread's part of an output that threads share along a moving window, see `halo`."""

from collections.abc import Callable
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import (
    Ix,
    Unroll,
    affine,
    both,
    ceil_div,
    compare,
    either,
    loop,
    maximum,
    minimum,
    sub,
    value,
)
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.moving_window import MovingWindow, ends_of
from mlir_gs.lowering.op.ranges import Range

At = Callable[[Ix], None]


class Halo(NamedTuple):
    """The outputs' dimension `position`, along which `window` moves, is shared in pieces of
    `grain`."""

    window: MovingWindow
    position: int
    grain: int


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
