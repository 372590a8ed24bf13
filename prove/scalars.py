"""What arith, math and complex compute on one element.

Integers are exact. What floats compute is an uninterpreted function of the op, its attributes and
types: equal operands give equal bits, and no more, but for laws that hold for all bits (up to the
payload of a NaN, which MLIR leaves open).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import z3
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.scalar import scalar_type
from mlir_gs.dialect.reference.types import attribute_value, dtype_of
from mlir_gs.prove.poison import FLAGS, broken, flagged
from mlir_gs.prove.symbolic import stands_for
from mlir_gs.prove.terms import (
    as_number,
    bounds_of,
    from_number,
    is_bool,
    is_integer,
    is_unsigned,
    signed,
    sort_of,
    sum_of,
    unsigned,
    width_of,
)

Term = z3.ExprRef
# What `record` gets: a condition under which the op has no defined result.
Record = Callable[[z3.BoolRef], None]

DIALECTS = ("arith.", "math.", "complex.", "index.")
# Of the uninterpreted functions, those whose operands may be swapped.
# An integer sum is one only where it is poison.
COMMUTE = ("addi", "addf", "mulf", "maximumf", "minimumf", "muli", "andi", "ori", "xori")
# On bits, folds with these give the same in any order and grouping.
REGROUPED = (
    *("arith.addi", "arith.muli", "arith.andi", "arith.ori", "arith.xori"),
    *("arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui"),
    *("arith.maximumf", "arith.minimumf"),
)


def literal(value: np.ndarray, type_: ir.Type) -> Term:
    """A number that the IR spells; of a float or complex type, the one constant of these bits."""
    if is_bool(type_):
        return z3.BoolVal(bool(value))
    if is_integer(type_):
        return from_number(stands_for(int(value)), type_)
    return z3.Const(_spelled(value, type_), sort_of(type_))


def attribute_literal(attribute: Any, type_: ir.Type) -> Term:
    """The number that an attribute of `type_` spells."""
    return literal(attribute_value(attribute, dtype_of(type_)), type_)


def _spelled(value: np.ndarray, type_: ir.Type) -> str:
    return f"{type_}#{value.tobytes()[::-1].hex()}"


def function(name: str, operands: Sequence[Term], sort: z3.SortRef) -> Term:
    """`name(operands)`, about which nothing else is known."""
    return z3.Function(name, *(term.sort() for term in operands), sort)(*operands)


def apply(op: Any, operands: Sequence[Term], record: Record, poisons: bool = True) -> Term:
    """The result of the elementwise `op` with one result; without `poisons`, as if it had no
    flags."""
    kind = op.name.split(".", 1)[1]
    types = [scalar_type(value.type) for value in op.operands]
    result = scalar_type(op.results[0].type)
    if op.name == "arith.select":
        return z3.If(operands[0], operands[1], operands[2])
    if poisons and flagged(op):
        return _or_poison(op, operands, types, record)
    if op.name in ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui"):
        read = unsigned if op.name.endswith("ui") else signed
        return from_number(read(operands[0], types[0]), result)
    if op.name in ("arith.trunci", "builtin.unrealized_conversion_cast"):
        return from_number(as_number(operands[0]), result)
    if op.name == "arith.cmpi":
        return _compare(op.attributes["predicate"].value, operands, types[0])
    if op.name.startswith("arith.") and is_integer(result) and is_integer(types[0]):
        known = _integer(kind, operands, result, record)
        if known is not None:
            return known
    simpler = _identity(kind, operands, result)
    if simpler is not None:
        return simpler
    return _uninterpreted(op, operands, types, result)


def _or_poison(op: Any, operands: Sequence[Term], types: Sequence[ir.Type], record: Record) -> Term:
    """The result where the flags hold, else a value of which nothing is known but that it is the
    same for equal ops on equal operands."""
    result = scalar_type(op.results[0].type)
    shift = z3.simplify(as_number(operands[-1])) if len(operands) > 1 else None
    known = shift.as_long() if shift is not None and z3.is_int_value(shift) else None
    conditions = broken(
        op,
        lambda n: signed(operands[n], types[n]),
        lambda n: unsigned(operands[n], types[n]),
        known if known is not None and 0 <= known < width_of(result) else None,
    )
    if conditions is None:
        return _uninterpreted(op, operands, types, result, flags=True)
    value = apply(op, operands, record, poisons=False)
    poison = _uninterpreted(op, operands, types, result, "poison of ", flags=True)
    return z3.If(z3.Or(*conditions), poison, value)


def laws(function: z3.FuncDeclRef) -> list[z3.BoolRef]:
    """What holds for an uninterpreted function of floats or integers."""
    kind = function.name().split(":")[0].split(".")[-1]
    if kind not in COMMUTE or function.arity() != 2:
        return []
    x, y = z3.Consts("x y", function.domain(0))
    found = [function(x, y) == function(y, x)]
    if kind == "muli":
        found += [z3.Implies(x == 0, function(x, y) == 0), z3.Implies(x == 1, function(x, y) == y)]
    if kind == "andi":
        found.append(z3.Implies(y >= 0, z3.And(function(x, y) >= 0, function(x, y) <= y)))
    return [z3.ForAll([x, y], law, patterns=[function(x, y)]) for law in found]


def _uninterpreted(
    op: Any,
    operands: Sequence[Term],
    types: Sequence[ir.Type],
    result: ir.Type,
    of: str = "",
    flags: bool = False,
) -> Term:
    attributes = [
        f"{name}={op.attributes[name]}"
        for name in sorted(op.attributes)
        if (flags or name not in FLAGS)
        and str(op.attributes[name]) not in ("#arith.fastmath<none>", "#arith.overflow<none>")
    ]
    name = ":".join([of + op.name, *attributes, *map(str, types), str(result)])
    return function(name, operands, sort_of(result))


def _identity(kind: str, operands: Sequence[Term], type_: ir.Type) -> Term | None:
    """x * 1 and x + -0, which have the bits of x."""
    neutral = {"mulf": 1.0, "addf": -0.0}.get(kind)
    if neutral is None:
        return None
    name = _spelled(np.array(neutral).astype(dtype_of(type_)), type_)
    for one, other in (operands, operands[::-1]):
        if z3.is_const(one) and one.decl().name() == name:
            return other
    return None


def _compare(predicate: int, operands: Sequence[Term], type_: ir.Type) -> Term:
    """eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge."""
    read = unsigned if predicate in (0, 1) or predicate >= 6 else signed
    a, b = (read(term, type_) for term in operands)
    if predicate < 2:
        same = operands[0] == operands[1]
        return same if predicate == 0 else z3.Not(same)
    return [a < b, a <= b, a > b, a >= b][(predicate - 2) % 4]


def _integer(kind: str, operands: Sequence[Term], type_: ir.Type, record: Record) -> Term | None:
    """What integers compute; None for what stays a function of its operands."""
    if is_bool(type_) and kind in _BOOLEAN:
        return _BOOLEAN[kind](*operands)
    a, b = (as_number(term) for term in operands[:2]) if len(operands) > 1 else (None, None)
    if a is None or b is None or is_bool(type_):
        return None
    if kind in ("addi", "subi"):
        return sum_of(a + b if kind == "addi" else a - b, type_)
    if kind == "muli" and (z3.is_int_value(a) or z3.is_int_value(b)):
        return from_number(a * b, type_)
    if kind == "andi" and not is_unsigned(type_):
        for one, mask in ((a, b), (b, a)):
            if z3.is_int_value(mask) and mask.as_long() >= 0 and _is_power(mask.as_long() + 1):
                return one % (mask.as_long() + 1)
    if kind in ("shli", "shrui", "shrsi") and z3.is_int_value(b) and not is_unsigned(type_):
        if not 0 <= b.as_long() < width_of(type_):
            record(z3.BoolVal(True))
            return None
        factor = 1 << b.as_long()
        if kind == "shli":
            return from_number(a * factor, type_)
        return from_number((unsigned(a, type_) if kind == "shrui" else a) / factor, type_)
    if kind in ("maxsi", "minsi", "maxui", "minui"):
        read = unsigned if kind.endswith("ui") else signed
        x, y = read(a, type_), read(b, type_)
        return z3.If(x >= y if kind.startswith("max") else x <= y, a, b)
    if kind in ("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"):
        record(b == 0)
        if kind in ("divsi", "floordivsi", "ceildivsi", "remsi"):
            record(z3.And(a == bounds_of(type_)[0], b == -1))
        return _divide(kind, a, b, type_)
    return None


def _is_power(number: int) -> bool:
    return number & (number - 1) == 0


def _divide(kind: str, a: Term, b: Term, type_: ir.Type) -> Term | None:
    """Division by a known positive number."""
    if not z3.is_int_value(b) or b.as_long() < 1 or is_unsigned(type_) or is_bool(type_):
        return None
    if kind in ("divui", "remui", "ceildivui"):
        a = unsigned(a, type_)
    if kind in ("divui", "floordivsi"):
        return from_number(a / b, type_)
    if kind == "remui":
        return from_number(a % b, type_)
    if kind in ("ceildivsi", "ceildivui"):
        return from_number(-((-a) / b), type_)
    quotient = z3.If(a >= 0, a / b, -((-a) / b))
    return quotient if kind == "divsi" else a - b * quotient


_BOOLEAN: dict[str, Callable[[Any, Any], Any]] = {
    "andi": z3.And,
    "ori": z3.Or,
    "xori": z3.Xor,
    "muli": z3.And,
    "addi": z3.Xor,
    "subi": z3.Xor,
    # The i1 1 is -1 to signed comparisons.
    "maxui": z3.Or,
    "minui": z3.And,
    "maxsi": z3.And,
    "minsi": z3.Or,
}
