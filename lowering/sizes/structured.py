"""The constraint on a linalg op that its maps state: each place is one of its operand."""

from collections.abc import Iterator

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.affine import Linear, linear, plain_dim
from mlir_gs.lowering.sizes.fit import Fit, Side, compared
from mlir_gs.lowering.sizes.size_forms import number

linalg = dialect("linalg")

_LARGEST = 1 << 56
"""More than any size of an array in memory; sums of such fit in 64 bits."""
_HALF = 1 << 60
"""As far as a map may go before it divides."""
_FAR = (1 << 62) + _HALF


def structured(op: ir.Operation) -> Iterator[Fit]:
    """Each dim has one size where it addresses an operand plainly; other places lie within."""
    maps = linalg.get_indexing_maps(op)
    first: dict[int, Side] = {}
    others: list[tuple[Side, ir.AffineExpr]] = []
    for number_, (value, attribute) in enumerate(zip(op.operands, maps or (), strict=False)):
        if not isinstance(value.type, ir.ShapedType):
            continue
        for position, expr in enumerate(attribute.value.results):
            side, dim = Side(f"operand #{number_}", value, position), plain_dim(expr)
            if dim is None:
                others.append((side, expr))
            elif dim in first:
                yield compared(side, "eq", first[dim])
            else:
                first[dim] = side
    for side, expr in others:
        yield from _places(side, expr, first)


def _places(side: Side, expr: ir.AffineExpr, sizes: dict[int, Side]) -> Iterator[Fit]:
    """The first and the last place of a linear form, which may be divided by a constant."""
    found = _divided(expr)
    if found is None:
        return
    form, by, is_rest = found
    nonempty = [size.form for size in sizes.values()]
    most = _LARGEST if by == 1 else _HALF // len(form.dims or "1")
    low, high = number(_near(form.constant)), number(_near(form.constant + 1))
    for dim, factor in form.dims.items():
        if abs(factor) > most >> 42:
            limit = ("sle", f"what {side} has places for", number(most // abs(factor) + 1))
            yield Fit(f"size of {sizes[dim]}", sizes[dim].form, *limit, nonempty)
        moved = sizes[dim].form.minus(number(1)).times(number(max(-most, min(factor, most))))
        low, high = (low, high.plus(moved)) if factor > 0 else (low.plus(moved), high)
    zero, times = number(0), f", times {by}," if by > 1 and not is_rest else ""
    yield Fit(f"the first place in {side}{times}", low, "sge", "0", zero, nonempty)
    size = f"size of {side}{times}"
    if is_rest:
        nonempty, high = [*nonempty, high.minus(side.form)], number(by)
    elif by > 1:
        reach = ("sge", "what its map reaches", high, nonempty)
        yield Fit(size, zero, *reach, (side.form, number(by)))
        return
    yield Fit(size, side.form, "sge", "what its map reaches", high, nonempty)


def _divided(expr: ir.AffineExpr) -> tuple[Linear, int, bool] | None:
    """`expr` as a linear form divided by a number, rounded down; or as what a division of a dim
    leaves, which the last says."""
    form = linear(expr)
    if form is not None:
        return form, 1, False
    if isinstance(expr, ir.AffineAddExpr):
        found, more = _divided(expr.lhs), linear(expr.rhs)
        if found is None or found[2] or more is None or not more.is_constant:
            return None
        return found[0].plus(more.times(found[1])), found[1], False
    if not isinstance(expr, ir.AffineModExpr | ir.AffineFloorDivExpr | ir.AffineCeilDivExpr):
        return None
    form, by = linear(expr.lhs), linear(expr.rhs)
    if form is None or by is None or not by.is_constant or by.constant < 1:
        return None
    if isinstance(expr, ir.AffineModExpr):
        is_rest = [*form.dims.values()] == [1] and 0 <= form.constant < by.constant
        return (form, by.constant, True) if is_rest else None
    up = by.constant - 1 if isinstance(expr, ir.AffineCeilDivExpr) else 0
    return form.plus(Linear(up)), by.constant, False


def _near(constant: int) -> int:
    """`constant`, or another one that is farther than any place."""
    return max(-_FAR, min(constant, _FAR))
