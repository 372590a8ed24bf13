"""The rest of upstream's scalar ops in the reference: counting bits, powers, complex functions."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior
from mlir_gs.dialect.reference.scalar import (
    ELEMENTWISE,
    Handler,
    compare_integers,
    narrowed,
    signed,
    unsigned,
    width_of,
)
from mlir_gs.dialect.reference.types import element_dtype

Array = np.ndarray
_OFTEN = np.vectorize


def _bits(count: Callable[[int, int], int]) -> Handler:
    """An op on the bits of integers: of (their value without a sign, the width)."""

    def apply(op: Any, operands: list[Array]) -> Array:
        type_ = op.results[0].type
        width = width_of(type_)
        found = _OFTEN(lambda x: count(int(x), width), otypes=[np.uint64])
        return narrowed(found(unsigned(operands[0], width)), type_)

    return apply


def _integer_power(op: Any, operands: list[Array]) -> Array:
    type_ = op.results[0].type
    width = width_of(type_)

    def power(base: int, exponent: int) -> int:
        if exponent >= 0:
            return pow(base, exponent, 1 << width)
        if base == 0:
            raise UndefinedBehavior("zero to a negative power")
        return base ** (-exponent) & ((1 << width) - 1) if base in (1, -1) else 0

    found = _OFTEN(lambda a, b: power(int(a), int(b)), otypes=[object])
    result = found(*(signed(x, width) for x in operands))
    return narrowed(np.asarray(result).astype(np.uint64), type_)


def _complex_function(function: Callable[..., Array]) -> Handler:
    """Taken in double, each part rounded once."""

    def apply(op: Any, operands: list[Array]) -> Array:
        wide = (np.asarray(x).astype(np.complex128) for x in operands)
        return np.asarray(function(*wide)).astype(element_dtype(op.results[0].type))

    return apply


_INDEX_CASTS = {"index.casts": "arith.index_cast", "index.castu": "arith.index_castui"}
# The ops of index, as arith has them.
INDEX = {
    **{name: f"{name}i" for name in ("add", "sub", "mul", "and", "or", "xor")},
    **{f"{name}{s}": f"{name}{s}i" for name in ("div", "rem", "max", "min", "shr") for s in "su"},
    "ceildivs": "ceildivsi",
    "ceildivu": "ceildivui",
    "floordivs": "floordivsi",
    "shl": "shli",
}
_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def index_predicate(op: Any) -> int:
    """The predicate of index.cmp as arith.cmpi counts them."""
    (name,) = re.findall(r"\b[a-z]+(?=>)", str(op.attributes["pred"]))
    return _PREDICATES.index(name)


def _poison(op: Any, _: list[Array]) -> Array:
    """Any value is right for one that nothing may depend on."""
    return np.zeros((), element_dtype(op.results[0].type))


MATH: dict[str, Handler] = {
    "math.clampf": lambda op, x: np.minimum(np.maximum(x[0], x[1]), x[2]),
    "math.ctlz": _bits(lambda x, width: width - x.bit_length()),
    "math.ctpop": _bits(lambda x, _: x.bit_count()),
    "math.cttz": _bits(lambda x, width: (x & -x).bit_length() - 1 if x else width),
    "math.ipowi": _integer_power,
    "math.isfinite": lambda op, x: np.isfinite(x[0]),
    "math.isinf": lambda op, x: np.isinf(x[0]),
    "math.isnan": lambda op, x: np.isnan(x[0]),
    **{
        f"complex.{name}": _complex_function(function)
        for name, function in {
            "abs": np.abs,
            "angle": np.angle,
            "cos": np.cos,
            "div": np.divide,
            "exp": np.exp,
            "expm1": np.expm1,
            "log": np.log,
            "log1p": np.log1p,
            "pow": np.power,
            "rsqrt": lambda x: 1.0 / np.sqrt(x),
            "sign": lambda x: np.where(x == 0, x, x / np.where(x == 0, 1, np.abs(x))),
            "sin": np.sin,
            "sqrt": np.sqrt,
            "tan": np.tan,
            "tanh": np.tanh,
        }.items()
    },
    **{f"index.{name}": ELEMENTWISE[f"arith.{same}"] for name, same in INDEX.items()},
    **{name: ELEMENTWISE[same] for name, same in _INDEX_CASTS.items()},
    "index.bool.constant": lambda op, _: np.array(op.attributes["value"].value),
    "index.cmp": lambda op, x: compare_integers(index_predicate(op), 64, x),
    "index.constant": lambda op, _: np.array(op.attributes["value"].value, np.int64),
    "index.sizeof": lambda op, _: np.array(64, np.int64),
    "ub.poison": _poison,
}


def _with_overflow(function: Callable[[int, int], int], extend: Any) -> Callable[..., Any]:
    """Two results: the low bits, and whether more were needed (addui) or the high bits (mul)."""

    def apply(_: Any, op: Any, operands: list[Array]) -> tuple[Array, Array]:
        low, high = (result.type for result in op.results)
        width = width_of(low)
        exact = _OFTEN(lambda a, b: function(int(a), int(b)), otypes=[object])
        found = np.asarray(exact(*(extend(x, width) for x in operands)), object)
        mask = (1 << 64) - 1
        parts = (found & mask, (found >> width) & mask)
        narrow = [np.asarray(part).astype(np.uint64) for part in parts]
        return narrowed(narrow[0], low), narrowed(narrow[1], high)

    return apply


EXTENDED = {
    "arith.addui_extended": _with_overflow(lambda a, b: a + b, unsigned),
    "arith.mulsi_extended": _with_overflow(lambda a, b: a * b, signed),
    "arith.mului_extended": _with_overflow(lambda a, b: a * b, unsigned),
    "arith.subui_extended": _with_overflow(lambda a, b: a - b, unsigned),
}
