"""Scalar arithmetic of the reference: arith, math and complex ops in their element type.

Every function takes arrays (0-d for a scalar) and works element by element, so it serves scalars,
slices and whole tensors alike. Each op rounds to its own type, as the hardware does.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior
from mlir_gs.dialect.reference.floats import FLOAT_BINARY, FLOAT_UNARY, fused, rounded
from mlir_gs.dialect.reference.types import constant_value, element_dtype, is_shaped, part_dtype

Array = np.ndarray
# (op, operands) -> its one result
Handler = Callable[[Any, list[Array]], Array]


def scalar_type(type_: ir.Type) -> ir.Type:
    return type_.element_type if is_shaped(type_) else type_


def width_of(type_: ir.Type) -> int:
    element = scalar_type(type_)
    return element.width if isinstance(element, ir.IntegerType) else 64


def unsigned(x: Array, width: int) -> Array:
    """The bits of integers, zero-extended to uint64."""
    wide = np.asarray(x).astype(np.uint64 if x.dtype.kind == "u" else np.int64).view(np.uint64)
    return wide if width == 64 else wide & np.uint64((1 << width) - 1)


def signed(x: Array, width: int) -> Array:
    """The bits of integers, sign-extended to int64; an i1 is 0 or -1."""
    shift = np.uint64(64 - width)
    return (unsigned(x, width) << shift).view(np.int64) >> shift.astype(np.int64)


def narrowed(bits: Array, type_: ir.Type) -> Array:
    """64-bit integers cut to the width of `type_`."""
    width, dtype = width_of(type_), element_dtype(type_)
    bits = np.asarray(bits).view(np.uint64)
    zero_extended = dtype == np.bool_ or str(scalar_type(type_)).startswith("u")
    return (unsigned if zero_extended else signed)(bits, width).astype(dtype)


def _integer(extend: Callable[[Array, int], Array], function: Callable[..., Array]) -> Handler:
    def apply(op: Any, operands: list[Array]) -> Array:
        type_ = op.results[0].type
        width = width_of(type_)
        return narrowed(function(*(extend(x, width) for x in operands)), type_)

    return apply


def _divide(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    def apply(a: Array, b: Array) -> Array:
        if not np.all(b):
            raise UndefinedBehavior("integer division by zero")
        return function(a, b)

    return apply


def _truncated_quotient(a: Array, b: Array) -> Array:
    # The least number has no opposite.
    is_rounded = ((a < 0) != (b < 0)) & (a % b != 0)
    return a // b + is_rounded.astype(a.dtype)


_INTEGERS: dict[str, Handler] = {
    "addi": _integer(unsigned, np.add),
    "subi": _integer(unsigned, np.subtract),
    "muli": _integer(unsigned, np.multiply),
    "andi": _integer(unsigned, np.bitwise_and),
    "ori": _integer(unsigned, np.bitwise_or),
    "xori": _integer(unsigned, np.bitwise_xor),
    "maxsi": _integer(signed, np.maximum),
    "minsi": _integer(signed, np.minimum),
    "maxui": _integer(unsigned, np.maximum),
    "minui": _integer(unsigned, np.minimum),
    "divui": _integer(unsigned, _divide(np.floor_divide)),
    "divsi": _integer(signed, _divide(_truncated_quotient)),
    "floordivsi": _integer(signed, _divide(np.floor_divide)),
    "ceildivsi": _integer(signed, _divide(lambda a, b: a // b + (a % b != 0).astype(a.dtype))),
    "ceildivui": _integer(unsigned, _divide(lambda a, b: a // b + (a % b != 0).astype(a.dtype))),
    "remui": _integer(unsigned, _divide(np.remainder)),
    "remsi": _integer(signed, _divide(np.fmod)),
    "shli": _integer(unsigned, np.left_shift),
    "shrui": _integer(unsigned, np.right_shift),
    "shrsi": _integer(signed, np.right_shift),
    "trunci": lambda op, x: narrowed(unsigned(x[0], 64), op.results[0].type),
    "extui": lambda op, x: narrowed(_from(op, x[0], unsigned), op.results[0].type),
    "extsi": lambda op, x: narrowed(_from(op, x[0], signed), op.results[0].type),
    "index_cast": lambda op, x: narrowed(_from(op, x[0], signed), op.results[0].type),
    "index_castui": lambda op, x: narrowed(_from(op, x[0], unsigned), op.results[0].type),
}


def _from(op: Any, x: Array, extend: Callable[[Array, int], Array]) -> Array:
    return extend(x, width_of(op.operands[0].type))


_COMPARE: list[tuple[Callable[..., Array], Callable[[Array, int], Array]]] = [
    (np.equal, unsigned),
    (np.not_equal, unsigned),
    (np.less, signed),
    (np.less_equal, signed),
    (np.greater, signed),
    (np.greater_equal, signed),
    (np.less, unsigned),
    (np.less_equal, unsigned),
    (np.greater, unsigned),
    (np.greater_equal, unsigned),
]


def compare_integers(predicate: int, width: int, operands: list[Array]) -> Array:
    """Predicates 0..9: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge."""
    function, extend = _COMPARE[predicate]
    return function(*(extend(x, width) for x in operands))


def _compare_integers(op: Any, operands: list[Array]) -> Array:
    predicate = op.attributes["predicate"].value
    return compare_integers(predicate, width_of(op.operands[0].type), operands)


_ORDERED = (np.equal, np.greater, np.greater_equal, np.less, np.less_equal, np.not_equal)


def _compare_floats(op: Any, operands: list[Array]) -> Array:
    """Predicates 0..15: false, oeq ogt oge olt ole one, ord, ueq ... une, uno, true."""
    predicate = op.attributes["predicate"].value
    a, b = operands
    nan = np.isnan(a) | np.isnan(b)
    if predicate in (0, 15):
        return np.full(np.broadcast(a, b).shape, predicate == 15)
    if predicate in (7, 14):
        return nan if predicate == 14 else ~nan
    if predicate < 7:
        return ~nan & _ORDERED[predicate - 1](a, b)
    return nan | _ORDERED[predicate - 8](a, b)


def _float(function: Callable[..., Array]) -> Handler:
    def apply(op: Any, operands: list[Array]) -> Array:
        return np.asarray(function(*operands)).astype(element_dtype(op.results[0].type))

    return apply


def _to_integer(op: Any, operands: list[Array]) -> Array:
    """fptosi and fptoui: towards zero; what does not fit has no defined result."""
    type_ = op.results[0].type
    x, width = np.trunc(np.asarray(operands[0]).astype(np.float64)), width_of(type_)
    low, high = (-(2.0 ** (width - 1)), 2.0 ** (width - 1))
    if op.name == "arith.fptoui":
        low, high = 0.0, 2.0**width
    if not np.all((x >= low) & (x < high)):
        raise UndefinedBehavior(f"a value that {width} bits do not hold")
    # Doubles past the signed range go by way of their distance from it.
    top = x >= 2.0**63
    wide = np.where(top, x - 2.0**63, x).astype(np.int64).view(np.uint64)
    return narrowed(np.where(top, wide + np.uint64(1 << 63), wide), type_)


def _to_float(op: Any, operands: list[Array]) -> Array:
    extend = signed if op.name == "arith.sitofp" else unsigned
    return rounded(_from(op, operands[0], extend), element_dtype(op.results[0].type))


def _bitcast(op: Any, operands: list[Array]) -> Array:
    source, target = op.operands[0].type, op.results[0].type
    if isinstance(target, ir.MemRefType):
        # The same memory.
        return operands[0].view(element_dtype(target))
    if all(isinstance(scalar_type(type_), ir.IntegerType) for type_ in (source, target)):
        # A width that no dtype has is held in a wider one, with its sign.
        return narrowed(_from(op, operands[0], unsigned), target)
    return np.asarray(operands[0]).view(element_dtype(target))


def _select(op: Any, operands: list[Array]) -> Array:
    condition, a, b = operands
    return np.where(condition, a, b).astype(a.dtype)


def _complex_multiply(op: Any, operands: list[Array]) -> Array:
    """(ar br - ai bi, ai br + ar bi), each product and sum rounded."""
    part = part_dtype(element_dtype(op.results[0].type))
    (ar, ai), (br, bi) = (_parts(x, part) for x in operands)
    return _complex((ar * br) - (ai * bi), (ai * br) + (ar * bi), op)


def _parts(x: Array, part: np.dtype) -> tuple[Array, Array]:
    pairs = np.ascontiguousarray(x).view(part).reshape(*x.shape, 2)
    return pairs[..., 0], pairs[..., 1]


def _complex(real: Array, imaginary: Array, op: Any) -> Array:
    dtype = element_dtype(op.results[0].type)
    pairs = np.stack([np.asarray(real), np.asarray(imaginary)], axis=-1).astype(part_dtype(dtype))
    return pairs.view(dtype)[..., 0]


def _complex_parts(function: Callable[[Array, Array], Array]) -> Handler:
    """An op that works on the real parts and the imaginary parts separately."""

    def apply(op: Any, operands: list[Array]) -> Array:
        part = part_dtype(element_dtype(op.results[0].type))
        (ar, ai), (br, bi) = (_parts(x, part) for x in operands)
        return _complex(function(ar, br), function(ai, bi), op)

    return apply


def _part(number: int) -> Handler:
    return lambda op, x: _parts(x[0], element_dtype(op.results[0].type))[number].copy()


ELEMENTWISE: dict[str, Handler] = {
    **{f"arith.{name}": handler for name, handler in _INTEGERS.items()},
    **{name: _float(function) for name, function in (FLOAT_UNARY | FLOAT_BINARY).items()},
    "arith.constant": lambda op, _: constant_value(op),
    "complex.constant": lambda op, _: constant_value(op),
    "arith.cmpi": _compare_integers,
    "arith.cmpf": _compare_floats,
    "arith.select": _select,
    "arith.bitcast": _bitcast,
    "tensor.bitcast": _bitcast,
    "builtin.unrealized_conversion_cast": _bitcast,
    "arith.extf": lambda op, x: x[0].astype(element_dtype(op.results[0].type)),
    "arith.convertf": lambda op, x: rounded(x[0], element_dtype(op.results[0].type)),
    "arith.truncf": lambda op, x: rounded(x[0], element_dtype(op.results[0].type)),
    "arith.sitofp": _to_float,
    "arith.uitofp": _to_float,
    "arith.fptosi": _to_integer,
    "arith.fptoui": _to_integer,
    **dict.fromkeys(("math.fma", "vector.fma"), lambda op, x: fused(*x)),
    "math.absi": _integer(signed, np.abs),
    "complex.add": _complex_parts(np.add),
    "complex.sub": _complex_parts(np.subtract),
    "complex.mul": _complex_multiply,
    "complex.create": lambda op, x: _complex(x[0], x[1], op),
    "complex.re": _part(0),
    "complex.im": _part(1),
    "complex.neg": lambda op, x: -x[0],
    "complex.conj": lambda op, x: np.conj(x[0]),
    "complex.eq": lambda op, x: np.equal(*x),
    "complex.neq": lambda op, x: np.not_equal(*x),
}
