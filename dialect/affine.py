"""Affine expressions as linear forms: `s0 + 2 * d1 - 3`."""

from dataclasses import dataclass, field

from mlir_gs.dialect._bindings import ir


@dataclass(frozen=True)
class Linear:
    """`constant + sum(dims[d] * d) + sum(symbols[s] * s)`; zero coefficients are left out."""

    constant: int = 0
    dims: dict[int, int] = field(default_factory=dict)
    symbols: dict[int, int] = field(default_factory=dict)

    def plus(self, other: "Linear") -> "Linear":
        return Linear(
            self.constant + other.constant,
            _sum(self.dims, other.dims),
            _sum(self.symbols, other.symbols),
        )

    def times(self, factor: int) -> "Linear":
        if factor == 0:
            return Linear()
        return Linear(
            self.constant * factor,
            {d: c * factor for d, c in self.dims.items()},
            {s: c * factor for s, c in self.symbols.items()},
        )

    @property
    def is_constant(self) -> bool:
        return not self.dims and not self.symbols


def _sum(a: dict[int, int], b: dict[int, int]) -> dict[int, int]:
    total = {key: a.get(key, 0) + b.get(key, 0) for key in (*a, *b)}
    return {key: value for key, value in total.items() if value}


def linear(expr: ir.AffineExpr) -> Linear | None:
    """`expr` as a linear form; None where it holds mod, floordiv, ceildiv or a product of dims."""
    if isinstance(expr, ir.AffineConstantExpr):
        return Linear(expr.value)
    if isinstance(expr, ir.AffineDimExpr):
        return Linear(dims={expr.position: 1})
    if isinstance(expr, ir.AffineSymbolExpr):
        return Linear(symbols={expr.position: 1})
    if isinstance(expr, ir.AffineAddExpr):
        lhs, rhs = linear(expr.lhs), linear(expr.rhs)
        return None if lhs is None or rhs is None else lhs.plus(rhs)
    if isinstance(expr, ir.AffineMulExpr):
        lhs, rhs = linear(expr.lhs), linear(expr.rhs)
        if lhs is None or rhs is None:
            return None
        if rhs.is_constant:
            return lhs.times(rhs.constant)
        if lhs.is_constant:
            return rhs.times(lhs.constant)
    return None


def symbols_of(expr: ir.AffineExpr) -> dict[int, int]:
    """The symbols in `expr` and their coefficients; 0 stands for a use that is not linear."""
    if isinstance(expr, (ir.AffineDimExpr, ir.AffineConstantExpr)):
        return {}
    form = linear(expr)
    if form is not None:
        return dict(form.symbols)
    if isinstance(expr, ir.AffineAddExpr):
        lhs, rhs = symbols_of(expr.lhs), symbols_of(expr.rhs)
        return {**lhs, **rhs, **dict.fromkeys(lhs.keys() & rhs.keys(), 0)}
    if isinstance(expr, ir.AffineBinaryExpr):
        return dict.fromkeys({**symbols_of(expr.lhs), **symbols_of(expr.rhs)}, 0)
    return {}


def divides_by_positive(expr: ir.AffineExpr) -> bool:
    """Each mod, floordiv and ceildiv in `expr` is by a constant of 1 or more."""
    if not isinstance(expr, ir.AffineBinaryExpr):
        return True
    if isinstance(expr, (ir.AffineModExpr, ir.AffineFloorDivExpr, ir.AffineCeilDivExpr)):
        divisor = linear(expr.rhs)
        if divisor is None or not divisor.is_constant or divisor.constant < 1:
            return False
    return divides_by_positive(expr.lhs) and divides_by_positive(expr.rhs)


LIMIT = 1 << 62
"""The constants of a map, and all that a result with a division computes, are less in magnitude:
then a coordinate in bounds fits in 64 bits."""

DIVIDED = 1 << 31
"""The limit of dims for which LIMIT holds in results with a division."""


def fits(expr: ir.AffineExpr) -> bool:
    """`expr` does not overflow 64 bits: see LIMIT. Multiples of dims may: they wrap around, which
    changes no position within an operand. Their factors may not."""
    form = linear(expr)
    if not _has_small_constants(expr):
        return False
    return _values(expr) is not None if form is None else abs(form.constant) < LIMIT


def _has_small_constants(expr: ir.AffineExpr) -> bool:
    if isinstance(expr, ir.AffineBinaryExpr):
        return _has_small_constants(expr.lhs) and _has_small_constants(expr.rhs)
    return not isinstance(expr, ir.AffineConstantExpr) or abs(expr.value) < LIMIT


def _values(expr: ir.AffineExpr) -> tuple[int, int] | None:
    """A lower and an upper bound of `expr` for dims below DIVIDED and symbols of 0; None if a part
    of it may reach LIMIT."""
    if isinstance(expr, ir.AffineConstantExpr):
        ends = [expr.value]
    elif not isinstance(expr, ir.AffineBinaryExpr):
        ends = [0, DIVIDED - 1 if isinstance(expr, ir.AffineDimExpr) else 0]
    else:
        lhs, rhs = _values(expr.lhs), _values(expr.rhs)
        if lhs is None or rhs is None:
            return None
        ends = [_apply(expr, a, b) for a in lhs for b in rhs]
        if isinstance(expr, ir.AffineModExpr):
            ends = [0, rhs[1] - 1]
    return None if max(map(abs, ends)) >= LIMIT else (min(ends), max(ends))


def _apply(expr: ir.AffineBinaryExpr, a: int, b: int) -> int:
    if isinstance(expr, ir.AffineAddExpr):
        return a + b
    if isinstance(expr, ir.AffineMulExpr):
        return a * b
    if isinstance(expr, ir.AffineCeilDivExpr):
        return -(-a // b)
    return a // b


def plain_dim(expr: ir.AffineExpr) -> int | None:
    """d if `expr` is exactly the iteration dim d, else None."""
    return expr.position if isinstance(expr, ir.AffineDimExpr) else None
