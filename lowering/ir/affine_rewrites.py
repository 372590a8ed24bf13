"""Affine expressions of merged ops: dims and symbols replaced, maps composed."""

from collections.abc import Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import divides_by_positive, fits, linear, symbols_of

Exprs = tuple[ir.AffineExpr, ...]
_INT64 = range(-(1 << 63), 1 << 63)


def dim(number: int) -> ir.AffineExpr:
    return ir.AffineDimExpr.get(number)


def symbol(number: int) -> ir.AffineExpr:
    return ir.AffineSymbolExpr.get(number)


def constant(number: int) -> ir.AffineExpr:
    return ir.AffineConstantExpr.get(number)


def replace(
    expr: ir.AffineExpr, dims: Sequence[ir.AffineExpr], symbols: Sequence[ir.AffineExpr]
) -> ir.AffineExpr:
    """`expr` with `dims[d]` for each dim d and `symbols[s]` for each symbol s."""
    if isinstance(expr, ir.AffineDimExpr):
        return dims[expr.position]
    if isinstance(expr, ir.AffineSymbolExpr):
        return symbols[expr.position]
    if not isinstance(expr, ir.AffineBinaryExpr):
        return expr
    lhs, rhs = replace(expr.lhs, dims, symbols), replace(expr.rhs, dims, symbols)
    build = {
        ir.AffineAddExpr: ir.AffineExpr.get_add,
        ir.AffineMulExpr: ir.AffineExpr.get_mul,
        ir.AffineModExpr: ir.AffineExpr.get_mod,
        ir.AffineFloorDivExpr: ir.AffineExpr.get_floor_div,
        ir.AffineCeilDivExpr: ir.AffineExpr.get_ceil_div,
    }[type(expr)]
    return _exact(expr, lhs, rhs, build(lhs, rhs))


def _exact(
    expr: ir.AffineBinaryExpr, lhs: ir.AffineExpr, rhs: ir.AffineExpr, built: ir.AffineExpr
) -> ir.AffineExpr:
    """`built`, of the kind of `expr`; an expression that `is_map_result` refuses if a number in it
    overflowed. The bindings give a folded expression the class of the op that built it: what is
    returned has its own class."""
    built = built.maybe_downcast()
    one, other = linear(lhs), linear(rhs)
    if one is None or other is None:
        return built
    if isinstance(expr, ir.AffineAddExpr):
        total = one.plus(other)
    elif isinstance(expr, ir.AffineMulExpr):
        total = one.times(other.constant) if other.is_constant else other.times(one.constant)
    else:
        return built
    numbers = (total.constant, *total.dims.values(), *total.symbols.values())
    return built if all(number in _INT64 for number in numbers) else symbol(0) * 2


def add(lhs: ir.AffineExpr, rhs: ir.AffineExpr | int) -> ir.AffineExpr:
    rhs = constant(rhs) if isinstance(rhs, int) else rhs
    return _exact(dim(0) + dim(1), lhs, rhs, ir.AffineExpr.get_add(lhs, rhs))


def mul(lhs: ir.AffineExpr, factor: int) -> ir.AffineExpr:
    return _exact(dim(0) * 2, lhs, constant(factor), ir.AffineExpr.get_mul(lhs, factor))


def is_map_result(expr: ir.AffineExpr) -> bool:
    """A `gs.generic` may have this result: one symbol at most, with factor 1, and numbers that 64
    bits hold."""
    factors = symbols_of(expr)
    return (
        len(factors) <= 1
        and all(factor == 1 for factor in factors.values())
        and divides_by_positive(expr)
        and fits(expr)
    )


def identity(rank: int) -> Exprs:
    return tuple(dim(d) for d in range(rank))


def linearized(exprs: Sequence[ir.AffineExpr], sizes: Sequence[int]) -> ir.AffineExpr:
    """The position that `exprs` name in dimensions of these sizes, laid out row by row."""
    position = constant(0)
    for expr, size in zip(exprs, sizes, strict=True):
        position = add(mul(position, size), expr)
    return position


def delinearized(expr: ir.AffineExpr, sizes: Sequence[int]) -> Exprs:
    """Where position `expr` lies in dimensions of these sizes, of which the first may be any."""
    found: list[ir.AffineExpr] = []
    for number, size in reversed(list(enumerate(sizes))):
        if number == 0:
            found.append(expr)
        else:
            found.append(ir.AffineExpr.get_mod(expr, size).maybe_downcast())
            expr = ir.AffineExpr.get_floor_div(expr, size).maybe_downcast()
    return tuple(reversed(found))
