"""The exponential function as arithmetic, which runs in vector lanes."""

from functools import partial

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.lowering.ir.builders import arith, element_of, number_in, with_elements

math = dialect("math")

_LEAST, _MOST = -104.0, 89.0
"""What lies beyond has 0 and infinity as its exponential in f32."""

_SHIFT = 12582912.0
"""1.5 * 2^23: added to a float, the last bits are those of its nearest integer."""

_LN2 = (-6.93145752e-1, -1.42860677e-6)
"""The negative of ln 2, in two floats."""

_TERMS = (1.37805939e-3, 8.37312452e-3, 4.16695364e-2, 1.66664720e-1, 4.99999851e-1, 1.0, 1.0)
"""A polynomial for the exponential between -ln 2 / 2 and ln 2 / 2."""


def exponential(x: ir.Value) -> ir.Value:
    """e to the power of `x`, an f32, an f64 or a vector of these: of f32 by arithmetic, off by less
    than one unit in the last place; NaN, infinities and denormal results are as in C."""
    if not isinstance(element_of(x.type), ir.F32Type):
        return math.exp(x)
    i32 = with_elements(x.type, ir.IntegerType.get_signless(32))
    number, integer = partial(number_in, x.type), partial(number_in, i32)
    # NaN compares false and stays.
    below = arith.cmpf(arith.CmpFPredicate.OLT, x, number(_LEAST))
    above = arith.cmpf(arith.CmpFPredicate.OGT, x, number(_MOST))
    x = arith.select(below, number(_LEAST), arith.select(above, number(_MOST), x))
    shifted = math.fma(x, number(1.44269504), number(_SHIFT))
    whole = arith.subf(shifted, number(_SHIFT))
    rest = x
    for part in _LN2:
        rest = math.fma(whole, number(part), rest)
    first, *others = _TERMS
    found = number(first)
    for term in others:
        found = math.fma(found, rest, number(term))
    # Two powers of two: one alone may be out of the range of f32.
    power = arith.subi(arith.bitcast(i32, shifted), arith.bitcast(i32, number(_SHIFT)))
    half = arith.shrsi(power, integer(1))
    for exponent in (half, arith.subi(power, half)):
        bits = arith.shli(arith.addi(exponent, integer(127)), integer(23))
        found = arith.mulf(found, arith.bitcast(x.type, bits))
    return found
