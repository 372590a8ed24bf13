"""Laws of floats that hold for all bits, but those of a NaN beyond that it is one.

An op is brought to one of several forms that give the same: a difference is a sum with the sign of
the second operand swapped, a comparison is made of `olt` and `oeq`.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import z3
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.types import dtype_of

Term = z3.ExprRef
# (name, operands, sort) -> the uninterpreted function of that name.
Make = Callable[[str, Sequence[Term], z3.SortRef], Term]

# IEEE's, with a sign of zero.
TYPES = ("f16", "bf16", "f32", "f64")
# The types that hold all numbers of one.
_HELD = {"f16": ("f32", "f64"), "bf16": ("f32", "f64"), "f32": ("f64",)}
# x * 1 and x + -0 have the bits of x.
_NEUTRAL = {"mulf": "1.0", "addf": "-0.0"}


class Floats:
    """Ops on floats of `type_`; `number` reads a constant and `spell` makes one."""

    def __init__(self, type_: ir.Type, make: Make, number: Any, spell: Any) -> None:
        self.name, self.type, self.make = str(type_), type_, make
        self.number, self.spell = number, spell

    def apply(
        self, kind: str, operands: Sequence[Term], types: Sequence[ir.Type], is_plain: bool = True
    ) -> Term | None:
        """The form of an op on floats whose result is of the type; None for one that has none.
        `is_plain`: no flag or attribute allows another result."""
        is_of_two = kind in _NEUTRAL
        found = self._other(operands[0], operands[1], _NEUTRAL[kind]) if is_of_two else None
        if found is not None or not is_plain:
            return found
        if kind == "bitcast" or self.name not in TYPES:
            return self._back(kind, operands[0])
        opposite = self._inner(operands[0], "negf") if kind in ("extf", "truncf") else None
        if opposite is not None:
            found = self.apply(kind, [opposite], types)
            name = f"arith.{kind}::{types[0]}:{self.name}"
            sort = z3.DeclareSort(self.name)
            return self._negf(self.make(name, [opposite], sort) if found is None else found)
        source = self._inner(operands[0], "extf") if kind in ("extf", "truncf") else None
        if source is not None and kind == "truncf":
            source = source if self.name in _HELD.get(_source(operands[0]), ()) else None
        if source is not None:
            name = f"arith.extf::{_source(operands[0])}:{self.name}"
            return self.make(name, operands[0].children(), z3.DeclareSort(self.name))
        if kind == "truncf":
            return self._back(kind, operands[0])
        rule = getattr(self, f"_{kind}", None)
        return None if rule is None else rule(*operands)

    def _back(self, kind: str, term: Term) -> Term | None:
        """What was converted from this type, without a loss, and is converted back."""
        source = self._inner(term, {"truncf": "extf"}.get(kind, kind))
        loses = kind not in ("truncf", "bitcast") or self.name == "f8E8M0FNU"
        return None if source is None or loses or _source(term) != self.name else source

    def compare(self, predicate: int, a: Term, b: Term) -> Term:
        """cmpf: false, oeq ogt oge olt ole one, ord, ueq ugt uge ult ule une, uno, true."""
        if predicate >= 8:
            # Those that NaN makes true are the opposites of the others.
            opposite = {8: 6, 9: 5, 10: 4, 11: 3, 12: 2, 13: 1, 14: 7, 15: 0}[predicate]
            return z3.Not(self.compare(opposite, a, b))
        # Zeros are equal whatever their signs.
        a, b = (self.spell(np.abs(each)) if each == 0 else term
                for term in (a, b) for each in [self.number(term, self.type)])  # fmt: skip
        less, more = (self._function("cmpf.olt", *pair) for pair in ((a, b), (b, a)))
        equal = self._function("cmpf.oeq", a, b)
        is_ordered = z3.Not(z3.Or(*(self._function("nan", each) for each in (a, b))))
        if a.eq(b):
            less, more, equal = z3.BoolVal(False), z3.BoolVal(False), is_ordered
        return [z3.BoolVal(False), equal, more, z3.Or(more, equal), less, z3.Or(less, equal),
                z3.Or(less, more), is_ordered][predicate]  # fmt: skip

    def _function(self, name: str, *operands: Term) -> z3.BoolRef:
        return self.make(f"{name}:{self.name}", operands, z3.BoolSort())

    def _op(self, kind: str, *operands: Term) -> Term:
        types = ":".join([self.name] * (len(operands) + 1))
        return self.make(f"arith.{kind}::{types}", operands, operands[0].sort())

    def _inner(self, term: Term, kind: str) -> Term | None:
        """What `term` is this op of."""
        name = f"arith.{kind}::" if kind != "absf" else "math.absf::"
        is_it = z3.is_app(term) and term.num_args() == 1 and term.decl().name().startswith(name)
        return term.arg(0) if is_it else None

    def _negf(self, a: Term) -> Term:
        inner, known = self._inner(a, "negf"), self.number(a, self.type)
        if known is not None:
            return self.spell(np.negative(known))
        return self._op("negf", a) if inner is None else inner

    def _subf(self, a: Term, b: Term) -> Term:
        return self._addf(a, self._negf(b))

    def _addf(self, a: Term, b: Term) -> Term:
        other, opposite = self._other(a, b, "-0.0"), self._inner(b, "negf")
        found = self._op("addf", a, b) if other is None else other
        if opposite is None or not opposite.eq(a):
            return found
        # x - x is a NaN or 0.
        zero = self.spell(np.zeros((), dtype_of(self.type)))
        return z3.If(self._function("nan", found), found, zero)

    def _mulf(self, a: Term, b: Term) -> Term:
        positive = self._inner(a, "absf")
        if positive is not None and a.eq(b):
            return self._mulf(positive, positive)
        factors = {"1.0": lambda x: x, "-1.0": self._negf, "2.0": lambda x: self._addf(x, x)}
        for number, product in factors.items():
            other = self._other(a, b, number)
            if other is not None:
                return product(other)
        return self._signed("mulf", a, b)

    def _divf(self, a: Term, b: Term) -> Term:
        known = self.number(b, self.type)
        if known is not None and np.isfinite(known) and abs(np.frexp(float(known))[0]) == 0.5:
            inverse = 1.0 / float(known)
            limits = np.finfo(np.float16) if self.name == "f16" else np.finfo(np.float32)
            # The inverse of a power of two is one, where it is a normal number.
            if float(limits.tiny) <= abs(inverse) <= float(limits.max):
                return self._mulf(a, self.spell(np.array(inverse).astype(dtype_of(self.type))))
        return self._signed("divf", a, b)

    def _signed(self, kind: str, a: Term, b: Term) -> Term:
        """A product or quotient, with the signs of both in front."""
        inner = [self._opposite(each) for each in (a, b)]
        plain = [each if i is None else i for each, i in zip((a, b), inner, strict=True)]
        found = self._op(kind, *plain)
        return found if sum(i is not None for i in inner) != 1 else self._op("negf", found)

    def _fma(self, a: Term, b: Term, c: Term) -> Term:
        """With the sign of the product at its first factor; a sum for x * 1, a product for -0."""
        other, none = self._other(a, b, "1.0"), self._other(c, c, "-0.0")
        if other is not None or none is not None:
            return self._mulf(a, b) if other is None else self._addf(other, c)
        inner = [self._opposite(each) for each in (a, b)]
        a, b = (each if i is None else i for each, i in zip((a, b), inner, strict=True))
        a = self._op("negf", a) if sum(i is not None for i in inner) == 1 else a
        return self.make(f"math.fma::{':'.join([self.name] * 4)}", [a, b, c], c.sort())

    def _other(self, a: Term, b: Term, number: str) -> Term | None:
        """The operand beside one that is `number`."""
        for one, other in ((a, b), (b, a)):
            known = self.number(one, self.type)
            if known is not None and str(float(known)) == number:
                return other
        return None

    def _opposite(self, term: Term) -> Term | None:
        """What `term` is the opposite of: of the operand of negf, or of a positive constant."""
        known = self.number(term, self.type)
        if known is not None and known < 0:
            return self.spell(np.negative(known))
        return self._inner(term, "negf")

    def _absf(self, a: Term) -> Term:
        inner = self._inner(a, "negf")
        if self._inner(a, "absf") is not None:
            return a
        name = f"math.absf::{self.name}:{self.name}"
        return self.make(name, [a if inner is None else inner], a.sort())

    def _copysign(self, a: Term, b: Term) -> Term:
        # The sign that it has is lost.
        a = self._absf(a).arg(0)
        return self.make(f"math.copysign::{':'.join([self.name] * 3)}", [a, b], a.sort())

    def _maximumf(self, a: Term, b: Term) -> Term | None:
        return a if a.eq(b) else None

    _minimumf = _maximumf


def _source(term: Term) -> str:
    """The type from which `term` is converted."""
    return str(term.decl().name()).split(":")[2]
