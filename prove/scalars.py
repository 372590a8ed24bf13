"""What arith, math and complex compute on one element.

Integers are exact. What floats compute is an uninterpreted function of the op, its attributes and
types: equal operands give equal bits, and no more, but for laws that hold for all bits (up to the
payload of a NaN, which MLIR leaves open).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import z3
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.math import index_predicate
from mlir_gs.dialect.reference.scalar import ELEMENTWISE, scalar_type
from mlir_gs.dialect.reference.types import attribute_value, dtype_of
from mlir_gs.prove.floats import Floats
from mlir_gs.prove.poison import (
    FLAGS,
    Flags,
    allowed,
    is_kept,
    kind_of,
    may_be_poison,
    may_be_undefined,
    poison,
    undefined,
)
from mlir_gs.prove.symbolic import stands_for
from mlir_gs.prove.terms import (
    INDEX_BITS,
    Item,
    as_number,
    element,
    every,
    from_number,
    is_bool,
    is_integer,
    is_power,
    is_unsigned,
    occurs,
    pick,
    poison_of,
    signed,
    some,
    sort_of,
    sum_of,
    term_of,
    unsigned,
    width_of,
)

Term = z3.ExprRef
# What `record` gets: a condition under which the op has no defined result.
Record = Callable[[z3.BoolRef], None]

DIALECTS = ("arith.", "math.", "complex.", "index.", "ub.", "vector.fma")
# Of the uninterpreted functions, those whose operands may be swapped.
COMMUTE = ("addi", "addf", "mulf", "maximumf", "minimumf", "muli", "andi", "ori", "xori", "oeq")
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
    return z3.Const(f"{type_}#{value.tobytes()[::-1].hex()}", sort_of(type_))


def attribute_literal(attribute: Any, type_: ir.Type) -> Term:
    """The number that an attribute of `type_` spells."""
    return literal(attribute_value(attribute, dtype_of(type_)), type_)


def function(name: str, operands: Sequence[Term], sort: z3.SortRef) -> Term:
    """`name(operands)`, about which nothing else is known."""
    if not operands:
        return z3.Const(name, sort)
    return z3.Function(name, *(term.sort() for term in operands), sort)(*operands)


def apply(op: Any, operands: Sequence[Item], record: Record, flags: Flags = True) -> Item:
    """The result of the elementwise `op` with one result, as if it had no flags but `flags`."""
    types = [scalar_type(value.type) for value in op.operands]
    terms = [term_of(operand) for operand in operands]
    poisons = [poison_of(operand) for operand in operands]
    if op.name == "arith.select":
        return element(pick(terms[0], operands[1], operands[2]), poisons[0])
    value = _value(op, terms, types, flags)
    read = _Terms(op, operands, types, value)
    if may_be_undefined(op):
        for condition in undefined(op, read):
            record(condition)
    if may_be_poison(op, flags):
        own = poison(op, read, is_kept(op, flags))
        # Not stated: the same for equal ops on equal operands.
        poisons += [read.unknown("poison of ")] if own is None else own
    return element(value, *map(z3.simplify, poisons))


@dataclass(frozen=True)
class _Terms:
    """The operands of an op, as `poison` reads them."""

    op: Any
    operands: Sequence[Item]
    types: Sequence[ir.Type]
    value: Term

    def signed(self, n: int) -> Any:
        return signed(term_of(self.operands[n]), self.types[n])

    def unsigned(self, n: int) -> Any:
        return unsigned(term_of(self.operands[n]), self.types[n])

    def shift(self) -> Any:
        found = z3.simplify(self.unsigned(1))
        width = width_of(scalar_type(self.op.results[0].type))
        return min(found.as_long(), width) if z3.is_int_value(found) else None

    def is_poison(self, n: int) -> z3.BoolRef:
        return poison_of(self.operands[n])

    def some_float(self, what: str) -> z3.BoolRef:
        result = scalar_type(self.op.results[0].type)
        values = [*zip(map(term_of, self.operands), self.types, strict=True), (self.value, result)]
        return some([_is(what, term, type_) for term, type_ in values if not is_integer(type_)])

    def is_beyond(self) -> z3.BoolRef:
        return self.unknown("beyond ")

    def unknown(self, of: str) -> z3.BoolRef:
        """A condition that is the same for equal ops on equal operands."""
        spelled = [f"{name}={self.op.attributes[name]}" for name in sorted(self.op.attributes)]
        name = ":".join([of + self.op.name, *spelled, str(self.op.results[0].type)])
        return function(name, [term_of(each) for each in self.operands], z3.BoolSort())

    def always(self) -> z3.BoolRef:
        return z3.BoolVal(True)


def _is(what: str, term: Term, type_: ir.Type) -> z3.BoolRef:
    """A float is a NaN (`nan`), or an infinity (`infinite`)."""
    known = _number(term, type_)
    if known is not None:
        tests = {"nan": np.isnan, "infinite": np.isinf}
        return z3.BoolVal(bool(tests[what](known.astype(np.complex128))))
    return function(f"{what}:{type_}", [term], z3.BoolSort())


def _value(op: Any, operands: Sequence[Term], types: Sequence[ir.Type], flags: Flags) -> Term:
    """The result where it is not poison."""
    kind = kind_of(op)
    result = scalar_type(op.results[0].type)
    if op.name in ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui",
                   "index.casts", "index.castu"):  # fmt: skip
        read = unsigned if op.name.endswith("u") or op.name.endswith("ui") else signed
        return from_number(read(operands[0], types[0]), result)
    if op.name in ("arith.trunci", "builtin.unrealized_conversion_cast"):
        return from_number(as_number(operands[0]), result)
    if op.name == "arith.cmpi":
        return _compare(op.attributes["predicate"].value, operands, types[0])
    if op.name == "index.cmp":
        return _compare(index_predicate(op), operands, types[0])
    if op.name in ("index.constant", "index.bool.constant"):
        return literal(np.array(op.attributes["value"].value), result)
    if op.name.startswith(("arith.", "index.")) and is_integer(result) and is_integer(types[0]):
        known = _integer(kind, operands, result)
        if known is not None:
            return known
    rounds = "roundingmode" in op.attributes
    is_plain = not (is_kept(op, flags) and allowed(op)) and not rounds
    known = _folded(op, operands, types) if is_plain else None
    if known is not None:
        return literal(known, result)
    if is_plain and op.name in ("arith.sitofp", "arith.uitofp"):
        # What is rounded is the number, whatever the integer's type.
        read = signed if op.name == "arith.sitofp" else unsigned
        number = read(operands[0], types[0])
        return function(f"arith.sitofp::int:{result}", [number], sort_of(result))
    if op.name == "arith.cmpf" and is_plain:
        return floats_of(types[0]).compare(op.attributes["predicate"].value, *operands)
    if op.name.startswith(("arith.", "math.", "vector.")) and not is_integer(result):
        # 0 + -0 is -0 where it is rounded downwards.
        is_sum = rounds and kind == "addf"
        simpler = None if is_sum else floats_of(result).apply(kind, operands, types, is_plain)
        if simpler is not None:
            return simpler
    return _uninterpreted(op, operands, types, result, flags)


def _folded(op: Any, operands: Sequence[Term], types: Sequence[ir.Type]) -> np.ndarray | None:
    """What an op of arith gives for floats that the IR spells."""
    handler = ELEMENTWISE.get(op.name) if op.name.startswith("arith.") and operands else None
    if handler is None or any(is_integer(type_) for type_ in types):
        return None
    known = [_number(*each) for each in zip(operands, types, strict=True)]
    if any(each is None for each in known):
        return None
    with np.errstate(all="ignore"):
        return np.asarray(handler(op, [np.asarray(each) for each in known]))


def laws(function: z3.FuncDeclRef) -> list[z3.BoolRef]:
    """What holds for an uninterpreted function of floats or integers.

    Of integers all but that operands may be swapped is said of numbers of their types alone: of
    others the op computes nothing.
    """
    name, count = function.name(), function.arity()
    kind, types = name.split(":")[0].split(".")[-1], name.split(":")[-count - 1 :]
    given = [z3.Const(f"x{n}", function.domain(n)) for n in range(count)]
    term, found = function(*given), []
    if (kind in COMMUTE and count == 2) or kind == "fma":
        swapped = function(given[1], given[0], *given[2:])
        found.append(z3.ForAll(given, term == swapped, patterns=[term]))
    if kind in ("maximumf", "minimumf") and "::" in name:
        x, y, z = *given, z3.Const("z", function.range())
        one, other = function(function(x, y), z), function(x, function(y, z))
        found.append(z3.ForAll([x, y, z], one == other, patterns=[one]))
        found.append(z3.ForAll([x], function(x, x) == x, patterns=[function(x, x)]))
    if function.range() != z3.IntSort() or not count or not name.startswith(DIALECTS):
        return found
    known = [_is_held(each, type_) for each, type_ in zip(given, types, strict=False)]
    said = [(_is_held(term, types[-1]), term, given)]
    x, y, z = given[0], given[-1], z3.Int("z")
    if kind in ("andi", "ori", "xori", "muli"):
        regrouped = function(function(x, y), z)
        known.append(_is_held(z, types[-1]))
        said.append((regrouped == function(x, function(y, z)), regrouped, [x, y, z]))
    if kind == "muli":
        ones = z3.And(z3.Implies(x == 0, term == 0), z3.Implies(x == 1, term == y))
        said.append((ones, term, given))
    elif kind in ("divsi", "divui"):
        said.append((z3.Implies(y == 1, term == x), term, given))
    for law, pattern, over in said:
        held = every([each for each in known if occurs(over, [each])])
        found.append(z3.ForAll(over, z3.Implies(held, law), patterns=[pattern]))
    return found


def _is_held(term: Term, type_: str) -> z3.BoolRef:
    """`term` is a number of an integer type without a sign."""
    if term.sort() != z3.IntSort() or not (type_ == "index" or type_[1:].isdigit()):
        return z3.BoolVal(True)
    end = 1 << ((INDEX_BITS if type_ == "index" else int(type_[1:])) - 1)
    return z3.And(term >= -end, term < end)


def floats_of(type_: ir.Type) -> Floats:
    return Floats(type_, function, _number, lambda value: literal(value, type_))


def _uninterpreted(
    op: Any, operands: Sequence[Term], types: Sequence[ir.Type], result: ir.Type, flags: Flags
) -> Term:
    """A function of the op, what it may do instead, and its operands."""
    attributes = [
        f"{name}={op.attributes[name]}"
        for name in sorted(op.attributes)
        if name not in (*FLAGS, "fastmath")
    ]
    allowed_ = ",".join(allowed(op)) if is_kept(op, flags) else ""
    spelled = f"arith.{kind_of(op)}" if op.name.startswith("index.") else op.name
    name = ":".join([spelled, *attributes, allowed_, *map(str, types), str(result)])
    return function(name, operands, sort_of(result))


def _number(term: Term, type_: ir.Type) -> np.ndarray | None:
    """The float that a constant spells; None for any other term."""
    prefix = f"{type_}#"
    if not z3.is_const(term) or not term.decl().name().startswith(prefix):
        return None
    bits = bytes.fromhex(term.decl().name().removeprefix(prefix))[::-1]
    return np.frombuffer(bits, dtype_of(type_))[0]


def _compare(predicate: int, operands: Sequence[Term], type_: ir.Type) -> Term:
    """eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge."""
    read = unsigned if predicate in (0, 1) or predicate >= 6 else signed
    a, b = (read(term, type_) for term in operands)
    if predicate < 2:
        same = operands[0] == operands[1]
        return same if predicate == 0 else z3.Not(same)
    return [a < b, a <= b, a > b, a >= b][(predicate - 2) % 4]


def _integer(kind: str, operands: Sequence[Term], type_: ir.Type) -> Term | None:
    """What integers compute; None for what stays a function of its operands."""
    if is_bool(type_) and kind in _BOOLEAN:
        return _BOOLEAN[kind](*operands)
    a, b = (as_number(term) for term in operands[:2]) if len(operands) > 1 else (None, None)
    if a is None or b is None or is_bool(type_):
        return None
    if kind in ("addi", "subi"):
        return sum_of(a + b if kind == "addi" else a - b, type_)
    if kind == "xori" and not is_unsigned(type_):
        for one, mask in ((a, b), (b, a)):
            if z3.is_int_value(mask) and mask.as_long() == -1:
                return -1 - one
    if kind == "muli" and (z3.is_int_value(a) or z3.is_int_value(b)):
        return from_number(a * b, type_)
    if kind == "andi" and not is_unsigned(type_):
        for one, mask in ((a, b), (b, a)):
            if z3.is_int_value(mask) and is_power(mask.as_long() + 1):
                return one % (mask.as_long() + 1)
    if kind in ("shli", "shrui", "shrsi") and z3.is_int_value(b) and not is_unsigned(type_):
        if not 0 <= b.as_long() < width_of(type_):
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
        return _divide(kind, a, b, type_)
    return None


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
    # Nothing is divided by 0, nor -1 by -1; nothing is shifted by 1.
    **dict.fromkeys(("divui", "ceildivui", "shli", "shrui", "shrsi"), lambda a, _: a),
    **dict.fromkeys(
        ("divsi", "ceildivsi", "floordivsi", "remui", "remsi"), lambda *_: z3.BoolVal(False)
    ),
}
