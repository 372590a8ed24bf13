"""Windows that an iteration dim moves along a tensor: addresses such as `8 * i + offsets[j]`."""

from collections.abc import Sequence
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import Linear, linear
from mlir_gs.lowering.ir.builders import index
from mlir_gs.lowering.ir.emit import Ix, add, loop_carrying, maximum, minimum, value
from mlir_gs.lowering.ir.reach import NEAR, NEAR_FACTOR, is_near, reach_of
from mlir_gs.lowering.op.constants import constants_of
from mlir_gs.lowering.op.coordinates import Point
from mlir_gs.lowering.op.job import Job


class MovingWindow(NamedTuple):
    """The address `step * dim + rest`, with `step` of 1 or more: each step of the iteration dim
    `dim` moves the window by `step` elements."""

    dim: int
    step: int
    rest: Linear


def moving_window(job: Job, expr: ir.AffineExpr, dim: int) -> MovingWindow | None:
    """`expr` as a window that `dim` moves; None if it is none.

    None under fill_or_drop as well: a dropped coordinate has no bound, nor would the window.
    """
    form = linear(expr)
    if form is None:
        return None
    step = form.dims.get(dim, 0)
    rest = form.plus(Linear(dims={dim: -step}))
    if not 1 <= step <= NEAR_FACTOR or abs(rest.constant) > NEAR or not is_near(rest, job.extents):
        return None
    if any(dim in job.coordinates.depends(symbol) for symbol in rest.symbols):
        return None
    if any(job.structure.modes[symbol] == "fill_or_drop" for symbol in rest.symbols):
        return None
    return MovingWindow(dim, step, rest)


def ends_of(job: Job, window: MovingWindow) -> tuple[Ix, Ix]:
    """A lower and an upper bound of `rest`; meaningless if there are no points. Emits loops over
    all its coordinates that are not constants."""
    least, greatest = reach_of(window.rest, job.extents)
    for symbol in window.rest.symbols:
        low, high = _ends_of_symbol(job, symbol)
        least, greatest = add(least, low), add(greatest, high)
    return least, greatest


def _ends_of_symbol(job: Job, symbol: int) -> tuple[Ix, Ix]:
    constants = constants_of(job.structure.coordinates[symbol].value)
    if constants is not None and constants.size and job.coordinates.is_plain(symbol):
        # Includes constants that the map does not read: the window may be taken as wider.
        least, greatest = int(constants.min()), int(constants.max())
        if least > -NEAR and greatest < NEAR:
            return least, greatest

    def level(dims: Sequence[int], point: Point, found: list[ir.Value]) -> list[ir.Value]:
        job.coordinates.load_ready(point)
        if not dims:
            here = point.symbols[symbol]
            return [value(minimum(found[0], here)), value(maximum(found[1], here))]
        dim, rest = dims[0], dims[1:]
        return loop_carrying(
            0, job.extents[dim], found, lambda at, inner: level(rest, point.at(dim, at), inner)
        )

    dims = sorted(job.coordinates.depends(symbol))
    low, high = level(dims, Point(), [index((1 << 63) - 1), index(-(1 << 63))])
    return low, high
