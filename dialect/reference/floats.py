"""Float functions of the reference: NumPy's where they round right, spelled out where not."""

import math
from collections.abc import Callable
from fractions import Fraction

import ml_dtypes
import numpy as np

Array = np.ndarray


def _min_max(greater: bool, nan_wins: bool) -> Callable[[Array, Array], Array]:
    """minimumf & co.: -0.0 is below 0.0, and a NaN wins or loses."""

    def apply(a: Array, b: Array) -> Array:
        # Of two equal values the one with the sign bit is the lower: this orders the zeros.
        below = (a < b) | ((a == b) & np.signbit(a))
        result = np.where(below != greater, a, b).astype(a.dtype)
        nan = np.where(np.isnan(a), a, b) if nan_wins else np.where(np.isnan(a), b, a)
        return np.where(np.isnan(a) | np.isnan(b), nan, result).astype(a.dtype)

    return apply


FLOAT_BINARY: dict[str, Callable[..., Array]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.remf": np.fmod,
    "arith.maximumf": _min_max(greater=True, nan_wins=True),
    "arith.minimumf": _min_max(greater=False, nan_wins=True),
    "arith.maxnumf": _min_max(greater=True, nan_wins=False),
    "arith.minnumf": _min_max(greater=False, nan_wins=False),
    "math.copysign": np.copysign,
    "math.powf": lambda a, b: _in_double(np.power)(a, b),
    "math.fpowi": lambda a, b: _in_double(np.power)(a, b),
    "math.atan2": lambda a, b: _in_double(np.arctan2)(a, b),
}


def _in_double(function: Callable[..., Array]) -> Callable[..., Array]:
    """A transcendental function: taken in double, rounded once."""

    def apply(*operands: Array) -> Array:
        wide = function(*(np.asarray(x).astype(np.float64) for x in operands))
        return rounded(np.asarray(wide), operands[0].dtype)

    return apply


def _half_away(x: Array) -> Array:
    """To the nearest integer; halves away from zero."""
    whole = np.trunc(x)
    return np.copysign(np.where(np.abs(x - whole) >= 0.5, whole + np.sign(x), whole), x)


FLOAT_UNARY: dict[str, Callable[..., Array]] = {
    "arith.negf": np.negative,
    "math.absf": np.abs,
    "math.sqrt": np.sqrt,
    "math.floor": np.floor,
    "math.ceil": np.ceil,
    "math.trunc": np.trunc,
    "math.round": lambda x: _half_away(x),
    "math.roundeven": np.rint,
    "math.rsqrt": _in_double(lambda x: 1.0 / np.sqrt(x)),
    **{
        f"math.{name}": _in_double(function)
        for name, function in {
            "exp": np.exp,
            "exp2": np.exp2,
            "expm1": np.expm1,
            "log": np.log,
            "log2": np.log2,
            "log10": np.log10,
            "log1p": np.log1p,
            "sin": np.sin,
            "cos": np.cos,
            "tan": np.tan,
            "tanh": np.tanh,
            "acos": np.arccos,
            "acosh": np.arccosh,
            "asin": np.arcsin,
            "asinh": np.arcsinh,
            "atan": np.arctan,
            "atanh": np.arctanh,
            "cbrt": np.cbrt,
            "cosh": np.cosh,
            "erf": np.vectorize(math.erf, otypes=[np.float64]),
            "erfc": np.vectorize(math.erfc, otypes=[np.float64]),
            "sinh": np.sinh,
        }.items()
    },
}


def rounded(x: Array, dtype: np.dtype) -> Array:
    """`x` (a float or 64-bit integer array) rounded once, to nearest even, to `dtype`.

    NumPy and ml_dtypes go by way of float32, and round twice: what is cut off on the way is kept
    in the last bit (rounding to odd), which makes the second rounding right.
    """
    x = np.asarray(x)
    if dtype == np.float64 or (dtype == np.float32 and x.dtype.kind == "f"):
        return x.astype(dtype)
    if x.dtype.kind in "iu":
        x = _integers_to_odd_double(x)
    if x.dtype != np.float64 or dtype == np.float32:
        return x.astype(dtype)
    nearest = x.astype(np.float32)
    bits = nearest.view(np.uint32)
    inexact = (nearest.astype(np.float64) != x) & np.isfinite(nearest) & np.isfinite(x)
    # An inexact float32 with an even last bit has an odd neighbour on the other side of x.
    away = np.abs(nearest.astype(np.float64)) > np.abs(x)
    even = inexact & (bits & 1 == 0)
    step = np.where(away, np.uint32(0xFFFFFFFF), np.uint32(1))
    return np.where(even, bits + step, bits).astype(np.uint32).view(np.float32).astype(dtype)


def _integers_to_odd_double(x: Array) -> Array:
    """64-bit integers as doubles that any shorter float rounds the same."""
    magnitude = np.abs(x).view(np.uint64) if x.dtype.kind == "i" else x
    cut = magnitude & np.uint64(0x7FF)
    large = magnitude >= np.uint64(1 << 53)
    sticky = (magnitude & ~np.uint64(0x7FF)) | np.where(cut != 0, np.uint64(0x800), np.uint64(0))
    double = np.where(large, sticky, magnitude).astype(np.float64)
    return np.where(x < 0, -double, double)


def fused(a: Array, b: Array, c: Array) -> Array:
    """a * b + c, rounded once."""
    a, b, c = np.broadcast_arrays(a, b, c)
    out = np.empty(a.shape, a.dtype)
    for i in np.ndindex(a.shape):
        out[i] = _fused(float(a[i]), float(b[i]), float(c[i]), a.dtype)
    return out


def _fused(a: float, b: float, c: float, dtype: np.dtype) -> Array:
    exact = Fraction(0)
    if np.isfinite([a, b, c]).all():
        exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:  # also not a number, infinities, and the sign of a zero
        with np.errstate(all="ignore"):
            return np.asarray(np.float64(a) * np.float64(b) + np.float64(c)).astype(dtype)
    return _nearest(exact, dtype)


def _nearest(exact: Fraction, dtype: np.dtype) -> Array:
    """The float of `dtype` nearest to a fraction, ties to even."""
    limits = ml_dtypes.finfo(dtype)
    digits, lowest = int(limits.nmant) + 1, int(limits.minexp)
    size = abs(exact)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= Fraction(2) ** exponent > size
    unit = Fraction(2) ** (max(exponent, lowest) - digits + 1)
    value = round(exact / unit) * unit
    if abs(value) > Fraction(float(limits.max)):
        return np.array(np.inf if exact > 0 else -np.inf).astype(dtype)
    return np.array(math.copysign(value, exact)).astype(dtype)
