"""The least and the greatest value of an affine expression on an iteration space."""

from collections.abc import Mapping, Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import Linear, linear, symbols_of
from mlir_gs.dialect.structure import dims_in
from mlir_gs.lowering.builders import index
from mlir_gs.lowering.emit import Ix, add, affine, loop_carrying, maximum, minimum, mul, sub, value


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
    """The same of a linear form."""
    low: Ix = form.constant
    high: Ix = form.constant
    for dim, factor in form.dims.items():
        far = mul(sub(extents[dim], 1), factor)
        if factor < 0:
            low = add(low, far)
        else:
            high = add(high, far)
    return low, high
