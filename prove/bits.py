"""Questions about integers as bit vectors, beside those about mathematical integers.

An integer becomes a vector that is wide enough for it, with a sign, so that nothing wraps around
but where the ops do. What is not of integers stays open. So no is no, and yes says nothing.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import z3
from mlir_gs.prove.terms import INDEX_BITS, is_power, parts_of

_WIDEST = 192
_RING: dict[str, Callable[[Any, Any], Any]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
}
_OPS: dict[str, Callable[..., Any]] = {
    **_RING,
    "shli": lambda a, b: a << b,
    "shrui": z3.LShR,
    "shrsi": lambda a, b: a >> b,
    "divui": z3.UDiv,
    "divsi": lambda a, b: a / b,
    "remui": z3.URem,
    "remsi": z3.SRem,
    "absi": lambda a: z3.If(a < 0, -a, a),
    "ctpop": lambda a: sum(z3.ZeroExt(a.size() - 1, z3.Extract(n, n, a)) for n in range(a.size())),
}
_COMPARED: dict[int, Callable[[Any, Any], Any]] = {
    z3.Z3_OP_LE: lambda a, b: a <= b,
    z3.Z3_OP_LT: lambda a, b: a < b,
    z3.Z3_OP_GE: lambda a, b: a >= b,
    z3.Z3_OP_GT: lambda a, b: a > b,
}
_JOINED = {z3.Z3_OP_AND: z3.And, z3.Z3_OP_OR: z3.Or, z3.Z3_OP_NOT: z3.Not, z3.Z3_OP_XOR: z3.Xor,
           z3.Z3_OP_IMPLIES: z3.Implies, z3.Z3_OP_ITE: z3.If}  # fmt: skip


class _Open(Exception):
    """A term that is not bounded, or too wide."""


def question(known: Sequence[z3.BoolRef], goal: z3.BoolRef) -> list[z3.BoolRef]:
    """What cannot hold on bits only if `goal` follows from `known`; nothing where bits say no more
    than integers do."""
    if not any(_kind(part) in _OPS for part in parts_of([goal])):
        return []
    bits = _Bits(_ranges(known))
    try:
        found = [z3.Not(bits.condition(goal))]
        of_goal = set(bits.leaves)
        for fact in known:
            bits.leaves = set()
            with suppress(_Open):
                said = bits.condition(fact)
                found += [said] if bits.leaves <= of_goal else []
    except (_Open, RecursionError):
        return []
    return [z3.simplify(each, som=True) for each in found]


def _kind(term: z3.ExprRef) -> str:
    """The op of `arith` or `math` on integers that an uninterpreted function is."""
    if not z3.is_int(term) or not z3.is_app(term) or not term.num_args():
        return ""
    name, _, types = term.decl().name().partition("::")
    given = set(types.split(":"))
    is_one = len(given) == 1 and _width(types.split(":")[0]) > 0
    return name.split(".")[-1] if is_one and name.startswith(("arith.", "math.")) else ""


def _width(type_: str) -> int:
    if type_ == "index":
        return INDEX_BITS
    return int(type_[1:]) if type_[:1] == "i" and type_[1:].isdigit() else 0


def _ranges(known: Sequence[z3.BoolRef]) -> dict[int, tuple[z3.ExprRef, int, int]]:
    """Between which numbers terms and functions are, by the declaration of each."""
    found: dict[int, tuple[z3.ExprRef, int, int]] = {}
    for fact in known:
        said = fact.body() if z3.is_quantifier(fact) and fact.is_forall() else fact
        ends = said.children() if z3.is_and(said) and said.num_args() == 2 else []
        if not ends or not z3.is_ge(ends[0]) or not (z3.is_le(ends[1]) or z3.is_lt(ends[1])):
            continue
        term, least, most = *ends[0].children(), ends[1].arg(1)
        is_it = z3.is_app(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED
        places = term.children() if is_it else []
        # Of a function, all of it: each place is another variable.
        is_all = is_it and all(z3.is_var(each) for each in places)
        is_all &= len({each.get_id() for each in places}) == len(places)
        if is_all and ends[1].arg(0).eq(term) and z3.is_int_value(least) and z3.is_int_value(most):
            end = most.as_long() - z3.is_lt(ends[1])
            found[term.decl().get_id()] = (term, least.as_long(), end)
    return found


class _Bits:
    """Terms of integers as bit vectors."""

    def __init__(self, ranges: dict[int, Any]) -> None:
        self.ranges = ranges
        # Terms that stay as they are, by their numbers.
        self.leaves: set[int] = set()
        # What terms became, by their numbers and widths; held, as else another gets the number.
        self.known: dict[tuple[int, int], tuple[z3.ExprRef, z3.ExprRef]] = {}

    def _once(self, term: z3.ExprRef, width: int, make: Callable[[], z3.ExprRef]) -> Any:
        key = (term.get_id(), width)
        if key not in self.known:
            self.known[key] = (make(), term)
        return self.known[key][0]

    def condition(self, term: z3.BoolRef) -> z3.BoolRef:
        return self._once(term, 0, lambda: self._condition(term))

    def _condition(self, term: z3.BoolRef) -> z3.BoolRef:
        kind = term.decl().kind() if z3.is_app(term) else z3.Z3_OP_UNINTERPRETED
        if z3.is_true(term) or z3.is_false(term):
            return term
        if kind in _JOINED:
            return _JOINED[kind](*map(self.condition, term.children()))
        if kind in _COMPARED:
            return _COMPARED[kind](*self._alike(*term.children()))
        if kind in (z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT) and term.num_args() == 2:
            same = self._same(*term.children())
            return same if kind == z3.Z3_OP_EQ else z3.Not(same)
        return self._leaf(term, z3.BoolSort())

    def _same(self, a: z3.ExprRef, b: z3.ExprRef) -> z3.BoolRef:
        if z3.is_bool(a):
            return self.condition(a) == self.condition(b)
        if z3.is_int(a):
            one, other = self._alike(a, b)
            return one == other
        if a.eq(b):
            return z3.BoolVal(True)
        for one, other in ((a, b), (b, a)):
            if z3.is_app_of(one, z3.Z3_OP_ITE):
                each = [self._same(part, other) for part in one.children()[1:]]
                return z3.If(self.condition(one.arg(0)), *each)
        first, second = sorted((a, b), key=lambda each: each.get_id())
        return self._leaf(first == second, z3.BoolSort())

    def _alike(self, a: z3.ArithRef, b: z3.ArithRef) -> list[z3.BitVecRef]:
        width = max(self.number(a).size(), self.number(b).size())
        return [self.low(each, width) for each in (a, b)]

    def number(self, term: z3.ArithRef) -> z3.BitVecRef:
        """`term` with a sign, as wide as it needs to be."""
        found = self._once(term, 0, lambda: self._number(term))
        if found.size() > _WIDEST:
            raise _Open
        return found

    def low(self, term: z3.ArithRef, width: int) -> z3.BitVecRef:
        """The low bits of `term`; of sums and products, the sums and products of low bits."""
        return self._once(term, width, lambda: self._low(term, width))

    def _low(self, term: z3.ArithRef, width: int) -> z3.BitVecRef:
        inner = self._wrapped(term)
        if inner is not None:
            held = self.low(inner[0], min(width, inner[1]))
            return z3.SignExt(width - held.size(), held)
        if z3.is_int_value(term):
            return z3.BitVecVal(term.as_long(), width)
        if z3.is_add(term) or z3.is_sub(term) or z3.is_mul(term):
            first, *rest = (self.low(each, width) for each in term.children())
            name = "addi" if z3.is_add(term) else "subi" if z3.is_sub(term) else "muli"
            for each in rest:
                first = _RING[name](first, each)
            return first
        kind = _kind(term)
        if kind in _RING and width <= _width(term.decl().name().split(":")[-1]):
            return _RING[kind](*(self.low(each, width) for each in term.children()))
        if z3.is_app_of(term, z3.Z3_OP_ITE):
            each = [self.low(part, width) for part in term.children()[1:]]
            return z3.If(self.condition(term.arg(0)), *each)
        whole = self.number(term)
        more = width - whole.size()
        return z3.SignExt(more, whole) if more > 0 else z3.Extract(width - 1, 0, whole)

    def _number(self, term: z3.ArithRef) -> z3.BitVecRef:
        if z3.is_int_value(term):
            return z3.BitVecVal(term.as_long(), term.as_long().bit_length() + 1)
        inner = self._wrapped(term)
        if inner is not None:
            return self.low(*inner)
        parts = term.children()
        if z3.is_app_of(term, z3.Z3_OP_ITE):
            extended = self._without_sign(term)
            if extended is not None:
                return extended
            width = max(self.number(each).size() for each in parts[1:])
            return self.low(term, width)
        if z3.is_add(term) or z3.is_sub(term):
            width = max(self.number(each).size() for each in parts)
            return self.low(term, width + (len(parts) - 1).bit_length())
        if z3.is_mul(term):
            return self.low(term, sum(self.number(each).size() for each in parts))
        if z3.is_idiv(term) or z3.is_mod(term):
            return self._divided(parts[0], parts[1], z3.is_idiv(term))
        kind = _kind(term)
        if kind in _OPS:
            width = _width(term.decl().name().split(":")[-1])
            return _OPS[kind](*(self.low(each, width) for each in parts))
        if not z3.is_app(term) or term.decl().kind() != z3.Z3_OP_UNINTERPRETED:
            raise _Open
        if term.decl().get_id() not in self.ranges:
            raise _Open
        _, least, most = self.ranges[term.decl().get_id()]
        width = max(least.bit_length(), most.bit_length()) + 1
        if least == -(1 << (width - 2)) and most < 1 << (width - 2):
            width -= 1
        return self._leaf(term, z3.BitVecSort(width))

    def _divided(self, a: z3.ArithRef, b: z3.ArithRef, quotient: bool) -> z3.BitVecRef:
        """Rounded down, by a power of two."""
        bits = b.as_long().bit_length() - 1 if z3.is_int_value(b) else -1
        if bits < 0 or b.as_long() != 1 << bits:
            raise _Open
        whole = self.number(a)
        if quotient:
            return whole >> bits
        return z3.ZeroExt(1, self.low(a, bits)) if bits else z3.BitVecVal(0, 1)

    def _without_sign(self, term: z3.ArithRef) -> z3.BitVecRef | None:
        """Of `x < 0 ? x + 2^n : x`, x of n bits."""
        condition, _, x = term.children()
        if not z3.is_lt(condition) or not condition.arg(0).eq(x) or str(condition.arg(1)) != "0":
            return None
        whole = self.number(x)
        difference = z3.simplify(term.arg(1) - x)
        is_it = z3.is_int_value(difference) and difference.as_long() == 1 << whole.size()
        return z3.ZeroExt(1, whole) if is_it else None

    def _leaf(self, term: z3.ExprRef, sort: z3.SortRef) -> Any:
        self.leaves.add(term.get_id())
        return self._once(term, -1, lambda: z3.Const(f"open{term.get_id()}", sort))

    def _wrapped(self, term: z3.ArithRef) -> tuple[z3.ArithRef, int] | None:
        found = _wrapped(term)
        if found is None or z3.is_and(term.arg(0)):
            return found
        # A sum wraps around once.
        parts = found[0].children()
        fits = len(parts) == 2 and all(self.number(each).size() <= found[1] for each in parts)
        return found if fits else None


def _wrapped(term: z3.ArithRef) -> tuple[z3.ArithRef, int] | None:
    """(x, n) of the number with a sign of the low n bits of x, as `from_number` and `sum_of` make
    it."""
    if not z3.is_app_of(term, z3.Z3_OP_ITE):
        return None
    condition, inner, other = term.children()
    if z3.is_and(condition) and condition.num_args() == 2:
        # (x - least) % span + least, where x is out of the range.
        ends = [each.arg(1) for each in condition.children() if each.num_args() == 2]
        if len(ends) < 2 or not all(map(z3.is_int_value, ends)):
            return None
        number, (low, high) = inner, (each.as_long() for each in ends)
        if not condition.eq(z3.And(number >= low, number <= high)):
            return None
        span, expected = high - low + 1, (number - low) % (high - low + 1) + low
        is_it = other.eq(expected) and is_power(span) and low == -(span // 2)
        return (number, span.bit_length() - 1) if is_it else None
    if z3.is_gt(condition) and z3.is_int_value(condition.arg(1)):
        number, most = condition.children()
        span = 2 * (most.as_long() + 1)
        expected = z3.If(number < -span // 2, number + span, number)
        is_it = z3.is_add(number) or z3.is_sub(number)
        is_it &= inner.eq(number - span) and other.eq(expected) and is_power(span)
        return (number, span.bit_length() - 1) if is_it else None
    return None
