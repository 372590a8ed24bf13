"""Lanes that share elements: maps that divide the dim in lanes, as packed elements have them and
scales of blocks.

`d0 floordiv 2` reads one element for two lanes, `d0 mod 2` two elements in turn. So a byte with two
numbers is loaded once, and each lane shifts out its own.
"""

from collections.abc import Sequence
from math import gcd

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import linear
from mlir_gs.dialect.structure import dims_in


def lane_offsets(expr: ir.AffineExpr, dim: int, width: int, multiple: int) -> Sequence[int] | None:
    """How far `expr` is in each of `width` lanes along `dim` from the first, which is at some
    multiple of `multiple`; None where that is not known.

    `expr` has no symbols that change along `dim`.
    """
    if dim not in dims_in(expr):
        return [0] * width
    form = linear(expr)
    if form is not None:
        return [form.dims[dim] * lane for lane in range(width)]
    if isinstance(expr, ir.AffineAddExpr):
        sides = [lane_offsets(side, dim, width, multiple) for side in (expr.lhs, expr.rhs)]
        return None if None in sides else [sum(pair) for pair in zip(*sides, strict=True)]
    if isinstance(expr, (ir.AffineFloorDivExpr, ir.AffineModExpr)):
        return _divided(expr, dim, width, multiple)
    return None


def _divided(
    expr: ir.AffineBinaryExpr, dim: int, width: int, multiple: int
) -> Sequence[int] | None:
    inner, by = linear(expr.lhs), linear(expr.rhs)
    if inner is None or by is None or not by.is_constant or inner.dims[dim] < 0:
        return None
    divisor, step = by.constant, inner.dims[dim]
    others = [factor for other, factor in inner.dims.items() if other != dim]
    # What is divided is a multiple of this in the first lane.
    first = gcd(step * multiple, inner.constant, *others, *inner.symbols.values())
    is_mod = isinstance(expr, ir.AffineModExpr)
    places = [step * lane for lane in range(width)]
    if first % divisor == 0:
        return [place % divisor if is_mod else place // divisor for place in places]
    if divisor % first == 0 and places[-1] < first:
        # All lanes are in one piece of the divisor.
        return places if is_mod else [0] * width
    return None
