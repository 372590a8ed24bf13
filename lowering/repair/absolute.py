"""`complex.abs`, which upstream lowers to a plain root of squares: they overflow and vanish."""

from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import arith, number_in
from mlir_gs.lowering.repair.repairs import repairs

complex_ = dialect("complex")
math = dialect("math")

_FAR = 500
"""Squares of numbers from 2^-500 to 2^500 and their sum are normal numbers of f64."""


@repairs("complex.abs", where=lambda op: op.results[0].type.width <= 64)
def root_of_scaled_squares(op: Any) -> ir.Value:
    """The root, taken in f64, of the squares of both parts, scaled by a power of two.

    before: `complex.abs z`
    after:  `sqrt((s * re z)^2 + (s * im z)^2) / s`, infinite where a part is
    """
    f64, type_ = ir.F64Type.get(), op.results[0].type
    parts = [made(op.operands[0]) for made in (complex_.re, complex_.im)]
    if type_ != f64:
        parts = [arith.extf(f64, part) for part in parts]
    parts = [math.absf(part) for part in parts]
    scale = None
    if type_ == f64:
        most, ordered = arith.maximumf(*parts), arith.CmpFPredicate
        scale = _number(1.0)
        for limit, compare in ((_FAR, ordered.OGT), (-_FAR, ordered.OLT)):
            is_far = arith.cmpf(compare, most, _number(2.0**limit))
            scale = arith.select(is_far, _number(2.0 ** (-1.25 * limit)), scale)
        parts = [arith.mulf(part, scale) for part in parts]
    root = math.sqrt(arith.addf(*(arith.mulf(part, part) for part in parts)))
    found = root if scale is None else arith.divf(root, scale)
    for part in parts:
        infinite = _number(float("inf"))
        is_infinite = arith.cmpf(arith.CmpFPredicate.OEQ, part, infinite)
        found = arith.select(is_infinite, infinite, found)
    return found if type_ == f64 else arith.truncf(type_, found)


def _number(value: float) -> ir.Value:
    return number_in(ir.F64Type.get(), value)
