"""The least and the greatest value of an affine expression on an iteration space."""

from collections.abc import Mapping, Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import LIMIT, Linear, linear, symbols_of
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.ir.builders import arith, index
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    affine,
    compare,
    loop_carrying,
    maximum,
    minimum,
    mul,
    sub,
    value,
)

MOST = LIMIT - 1
"""The farthest that dims move an address in either direction. What goes farther leaves every
operand, and is clamped to this: then no sum with a constant and a size overflows."""

NEAR_FACTOR = 1 << 14
"""Factors up to this do not take the dims that memory has room for that far."""

NEAR = 1 << 47
"""The largest distance in elements that memory has room for."""


def reach(expr: ir.AffineExpr, extents: Mapping[int, Ix]) -> tuple[Ix, Ix]:
    """(least, greatest) of `expr` where its symbols are 0; meaningless if an extent is 0.

    Without mod and divisions that is arithmetic on the extents, else loops that try all points.
    """
    form = linear(expr)
    if form is not None:
        return reach_of(form, extents)
    dims = sorted(dims_in(expr))
    symbols: dict[int, Ix] = dict.fromkeys(symbols_of(expr), 0)

    def level(rest: Sequence[int], at: Mapping[int, Ix], found: list[ir.Value]) -> list[ir.Value]:
        if not rest:
            here = affine(expr, at, symbols)
            return [value(minimum(found[0], here)), value(maximum(found[1], here))]
        return loop_carrying(
            0, extents[rest[0]], found, lambda i, inner: level(rest[1:], {**at, rest[0]: i}, inner)
        )

    low, high = level(dims, {}, [index((1 << 63) - 1), index(-(1 << 63))])
    return low, high


def reach_of(form: Linear, extents: Mapping[int, Ix]) -> tuple[Ix, Ix]:
    """The same of a linear form; no farther from its constant than MOST."""
    low: Ix = form.constant
    high: Ix = form.constant
    if is_near(form, extents):
        for dim, factor in form.dims.items():
            far = mul(sub(extents[dim], 1), factor)
            if factor < 0:
                low = add(low, far)
            else:
                high = add(high, far)
        return low, high
    down = [_far(extents[dim], -factor) for dim, factor in form.dims.items() if factor < 0]
    up = [_far(extents[dim], factor) for dim, factor in form.dims.items() if factor > 0]
    return sub(low, _sum(down)), add(high, _sum(up))


def is_near(form: Linear, extents: Mapping[int, Ix]) -> bool:
    """Nothing that memory has room for takes the dims of `form` far enough to wrap around."""
    for dim, factor in form.dims.items():
        extent = extents[dim]
        if abs(factor) > NEAR_FACTOR:
            return False
        if isinstance(extent, int) and extent * abs(factor) > NEAR:
            return False
    return True


def _far(extent: Ix, factor: int) -> Ix:
    """How far a dim of this extent moves an address by steps of `factor`."""
    steps = sub(extent, 1)
    if isinstance(steps, int):
        return min(max(steps, 0) * factor, MOST)
    beyond = compare("sgt", steps, MOST // factor)
    return arith.select(beyond, value(MOST), value(mul(steps, factor)))


def _sum(distances: Sequence[Ix]) -> Ix:
    total: Ix = 0
    for distance in distances:
        total = minimum(add(total, distance), MOST)
    return total
