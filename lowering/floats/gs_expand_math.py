"""`gs-expand-math`: exponentials and logarithms as arithmetic, which LLVM does in vectors."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import arith, element_of, number_in, walk_named, with_elements
from mlir_gs.lowering.passes.registry import register_pass

mlir_math = dialect("math")

_MAGIC = 1.5 * 2.0**52
"""Added to a small number, its integral part is in the low bits."""
_MAGIC_BITS = 0x4338 << 48
_ROOT_OF_HALF_BITS = 0x3FE6A09E << 32
_POWERS = (
    1.0, 0.5000000047117757, 0.1666666671899751, 0.04166635289677516, 0.008333298483754886,
    0.0013941108433972677, 0.00019899273958649366,
)  # fmt: skip
"""(e^x - 1) / x between the logarithms of the roots of 1/2 and 2, interpolated at Chebyshev's
nodes."""
_LOGARITHMS = (
    2.0000000000083595, 0.6666666524748752, 0.4000038467237519, 0.2853505103781631,
    0.23616359099145984,
)  # fmt: skip
"""log((1 + x) / (1 - x)) / x by x^2, for quotients between the roots of 1/2 and 2, likewise."""


@register_pass
@dataclass(frozen=True)
class GsExpandMath:
    """Write exp, expm1, tanh, log and log1p of f32, and of vectors of f32, as arithmetic of f64.

    libm would be called for each element. Results are rounded once, from polynomials with a
    relative error under 1e-9: nearly all are the nearest f32, the same in vectors and alone.
    """

    name: ClassVar[str] = "gs-expand-math"
    only_with: ClassVar[tuple[str, ...]] = ("math.",)

    def run(self, module: ir.Operation) -> None:
        for op in walk_named(module, *_EXPANDED):
            type_ = op.results[0].type
            if str(element_of(type_)) != "f32":
                continue
            with op.location, ir.InsertionPoint(op):
                expand, most = _EXPANDED[op.name]
                x = _limited(op.operands[0], most) if most else op.operands[0]
                wide = arith.extf(with_elements(type_, ir.F64Type.get()), x)
                found = arith.truncf(type_, expand(wide))
                op.results[0].replace_all_uses_with(found)
            op.erase()


def _number(x: ir.Value, number: float) -> ir.Value:
    """`number`, of the type of `x`: integers where that has them."""
    return number_in(x.type, number)


def _polynomial(x: ir.Value, coefficients: Sequence[float]) -> ir.Value:
    """The first coefficient is that of the least power, 0."""
    *rest, found = [_number(x, each) for each in coefficients]
    for each in reversed(rest):
        found = _fused(found, x, each)
    return found


def _fused(a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
    """a b + c, rounded once where the CPU does that in one instruction."""
    flags = arith.FastMathFlags.contract
    return arith.addf(arith.mulf(a, b, fastmath=flags), c, fastmath=flags)


def _compared(name: str, x: ir.Value, number: float) -> ir.Value:
    return arith.cmpf(getattr(arith.CmpFPredicate, name), x, _number(x, number))


def _limited(x: ir.Value, most: float) -> ir.Value:
    """`x` between -most and most; NaN stays."""
    for name, end in (("OGT", most), ("OLT", -most)):
        x = arith.select(_compared(name, x, end), _number(x, end), x)
    return x


def _parts(x: ir.Value) -> tuple[ir.Value, ir.Value]:
    """(n, r) with `x = n log(2) + r`, n in the low bits of a number, and r small."""
    shifted = _fused(x, _number(x, math.log2(math.e)), _number(x, _MAGIC))
    return shifted, _fused(arith.subf(shifted, _number(x, _MAGIC)), _number(x, -math.log(2)), x)


def _scaled(x: ir.Value, shifted: ir.Value) -> ir.Value:
    """x 2^n, both normal numbers: n is added to the exponent."""
    integers = with_elements(x.type, ir.IntegerType.get_signless(64))
    n, bits = arith.bitcast(integers, shifted), arith.bitcast(integers, x)
    return arith.bitcast(x.type, arith.addi(bits, arith.shli(n, _number(n, 52))))


def _exp(x: ir.Value) -> ir.Value:
    shifted, rest = _parts(x)
    return _scaled(_polynomial(rest, (1.0, *_POWERS)), shifted)


def _expm1(x: ir.Value) -> ir.Value:
    shifted, rest = _parts(x)
    scale = _scaled(_number(x, 1.0), shifted)
    part = arith.mulf(rest, _polynomial(rest, _POWERS))
    return mlir_math.copysign(_fused(scale, part, arith.subf(scale, _number(x, 1.0))), x)


def _tanh(x: ir.Value) -> ir.Value:
    found = _expm1(arith.addf(x, x))
    return arith.divf(found, arith.addf(found, _number(x, 2.0)))


def _log(x: ir.Value) -> ir.Value:
    bits = arith.bitcast(with_elements(x.type, ir.IntegerType.get_signless(64)), x)
    power = arith.shrsi(arith.subi(bits, _number(bits, _ROOT_OF_HALF_BITS)), _number(bits, 52))
    near = arith.bitcast(x.type, arith.subi(bits, arith.shli(power, _number(bits, 52))))
    count = arith.bitcast(x.type, arith.addi(power, _number(bits, _MAGIC_BITS)))
    count = arith.subf(count, _number(x, _MAGIC))
    one = _number(x, 1.0)
    s = arith.divf(arith.subf(near, one), arith.addf(near, one))
    series = _polynomial(arith.mulf(s, s), _LOGARITHMS)
    found = _fused(count, _number(x, math.log(2)), arith.mulf(s, series))
    below = _number(x, -math.inf)
    below = arith.select(_compared("OEQ", x, 0.0), below, _number(x, math.nan))
    found = arith.select(_compared("OGT", x, 0.0), found, below)
    return arith.select(_compared("OEQ", x, math.inf), x, found)


def _log1p(x: ir.Value) -> ir.Value:
    one = _number(x, 1.0)
    above = arith.addf(x, one)
    # What rounding took away is given back in proportion.
    scaled = arith.divf(arith.mulf(_log(above), x), arith.subf(above, one))
    is_exact = arith.ori(_compared("OEQ", above, 1.0), _compared("OEQ", x, math.inf))
    return arith.select(is_exact, x, scaled)


_EXPANDED: dict[str, tuple[Callable[[ir.Value], ir.Value], float | None]] = {
    "math.exp": (_exp, 200.0),
    "math.expm1": (_expm1, 200.0),
    "math.tanh": (_tanh, 30.0),
    "math.log": (_log, None),
    "math.log1p": (_log1p, None),
}
"""Larger arguments give what the number here gives, in f32."""
