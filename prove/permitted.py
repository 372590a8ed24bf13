"""Fast-math flags as permissions: `before` computes what `after` does, where its flags allow that.

An op with flags has one of several results. For all ops of one form the same is chosen here: a
product and a sum in one step, a product with the inverse, a sum in another grouping, no change of
a zero's sign. What is chosen replaces the op in all that is known of `before`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import z3
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.types import dtype_of
from mlir_gs.prove.floats import TYPES, Floats
from mlir_gs.prove.meaning import Meaning
from mlir_gs.prove.scalars import floats_of, function
from mlir_gs.prove.terms import Element, parts_of, term_of
from mlir_gs.prove.values import Tensor

Term = z3.ExprRef
# The place of an operand, or a function and two groupings.
Grouping = Any
_GROUPED = ("addf", "mulf")


def permitted(before: Meaning, after: Meaning, context: Any) -> bool:
    """Replace ops with flags in `before` by what `after` makes of them, if it changes them."""
    terms: list[Term] = []
    _mapped([after.results, after.arguments, after.side.folds], terms.append)
    choice = _Choice(terms, context)
    for one, other in _pairs(before, after):
        choice.look(one, other)
    side = before.side
    side.facts, side.events, side.folds = map(choice.read, (side.facts, side.events, side.folds))
    before.results, before.arguments = map(choice.read, (before.results, before.arguments))
    return choice.has_changed


def _mapped(value: Any, each: Any) -> Any:
    """`value` with `each(term)` for its terms."""
    if isinstance(value, z3.ExprRef):
        new = each(value)
        return value if new is None else new
    if isinstance(value, Element):
        return Element(*(_mapped(part, each) for part in value))
    if isinstance(value, (list, tuple)):
        return type(value)(_mapped(part, each) for part in value)
    if isinstance(value, dict):
        return {name: _mapped(part, each) for name, part in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        new = {field.name: _mapped(getattr(value, field.name), each) for field in fields(value)}
        return replace(value, **new)
    return value


def _pairs(before: Meaning, after: Meaning) -> Iterator[tuple[Term, Term]]:
    """What may be the same, in the same variables."""
    for one, other in zip(before.results, after.results, strict=True):
        if isinstance(one, Tensor):
            point = [z3.Int(f"point.{d}") for d in range(len(one.shape))]
            one, other = one.at(point), other.at(point)
        yield term_of(one), term_of(other)


class _Choice:
    """What is chosen for each form of op."""

    def __init__(self, after: Sequence[Term], context: Any) -> None:
        parts = [part for part in parts_of(after) if z3.is_app(part) and part.num_args()]
        self.names = {part.decl().name() for part in parts}
        self.floats = {name: floats_of(ir.Type.parse(name, context)) for name in TYPES}
        self.has_inverse = any(_kind(part) == "divf" and self._is(part.arg(0), 1) for part in parts)
        self.groupings: dict[Any, Grouping] = {}
        self.known: dict[int, tuple[Term, Term]] = {}
        self.has_changed = False

    def look(self, one: Term, other: Term) -> None:
        """Find groupings of the sums and products of `one` in `other`."""
        theirs = [part for part in parts_of([other]) if _kind(part) in _GROUPED]
        for part in parts_of([one]):
            if not _is_grouped(part, _kind(part)):
                continue
            found = (_grouping(each, part) for each in theirs)
            grouping = next((each for each in found if each is not None), None)
            if grouping is not None:
                self.groupings.setdefault(_form(part, _kind(part)), grouping)

    def read(self, value: Any) -> Any:
        """`value` with what is chosen in its terms."""
        return _mapped(value, self._read)

    def _read(self, term: Term) -> Term:
        pending, swap, seen = [term], [], {}
        while pending:
            part = pending.pop()
            if part.get_id() in seen:
                continue
            seen[part.get_id()] = part
            if _flags(part):
                swap.append((part, self._chosen(part)))
            else:
                pending += [part.body()] if z3.is_quantifier(part) else part.children()
        return z3.substitute(term, *swap) if swap else term

    def _chosen(self, term: Term) -> Term:
        key = term.get_id()
        if key not in self.known:
            self.known[key] = self._choose(term), term
            self.has_changed |= not self.known[key][0].eq(term)
        return self.known[key][0]

    def _choose(self, term: Term) -> Term:
        kind, name = _kind(term), term.decl().name()
        grouping = self.groupings.get(_form(term, kind)) if _is_grouped(term, kind) else None
        if grouping is not None:
            return _grouped(grouping, [self._read(each) for each in _leaves(term, kind)])
        operands = [self._read(each) for each in term.children()]
        if name in self.names:
            return term.decl()(*operands)
        floats = self.floats.get(name.split(":")[-1])
        found = floats and self._allowed(term, kind, operands, floats)
        if found is not None:
            return found
        plain = floats and floats.apply(kind, operands, [])
        parts = name.split(":")
        parts[-len(operands) - 2] = ""
        return function(":".join(parts), operands, term.sort()) if plain is None else plain

    def _allowed(self, term: Term, kind: str, operands: list[Term], floats: Floats) -> Term | None:
        """What `after` has and the flags allow; None where that is nothing else."""
        flags, is_sum = _flags(term), kind in ("addf", "subf")
        types = [floats.name] * 4
        if is_sum and "contract" in flags and ":".join(["math.fma:", *types]) in self.names:
            fused = self._fused(term, kind, floats)
            if fused is not None:
                return fused
        if is_sum and "nsz" in flags:
            if self._is(operands[1], 0):
                return operands[0]
            if self._is(operands[0], 0):
                return operands[1] if kind == "addf" else floats.apply("negf", operands[1:], [])
        one = floats.spell(np.array(1.0, dtype_of(floats.type)))
        if "arcp" in flags and kind == "divf" and self.has_inverse:
            inverse = floats.apply("divf", [one, operands[1]], [])
            return floats.apply("mulf", [operands[0], inverse], [])
        root = ":".join(["math.sqrt:", *types[:2]])
        if "afn" in flags and kind == "rsqrt" and root in self.names:
            return floats.apply("divf", [one, function(root, operands, term.sort())], [])
        return None

    def _fused(self, term: Term, kind: str, floats: Floats) -> Term | None:
        """x * y + z in one step."""
        for n, one in enumerate(term.children()):
            if _kind(one) != "mulf" or "contract" not in _flags(one):
                continue
            x, y, z = map(self._read, (*one.children(), term.arg(1 - n)))
            if kind == "subf" and n == 0:
                z = floats.apply("negf", [z], [])
            elif kind == "subf":
                x = floats.apply("negf", [x], [])
            return floats.apply("fma", [x, y, z], [])
        return None

    def _is(self, term: Term, number: float) -> bool:
        """A constant of the IR, of either sign where that is 0."""
        floats = self.floats.get(str(term.sort()))
        found = floats.number(term, floats.type) if floats else None
        return found is not None and float(found) == number


def _name(term: Term) -> list[str]:
    is_op = z3.is_app(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED
    return term.decl().name().split(":") if is_op and term.num_args() else []


def _kind(term: Term) -> str:
    name = _name(term)
    return name[0].split(".")[-1] if name and name[0].startswith(("arith.", "math.")) else ""


def _flags(term: Term) -> set[str]:
    """The flags by which an op on floats may have other results."""
    name = _name(term)
    is_op = _kind(term) and len(name) >= term.num_args() + 3
    return set(name[-term.num_args() - 2].split(",")) - {""} if is_op else set()


def _is_grouped(term: Term, kind: str) -> bool:
    return kind in _GROUPED and _kind(term) == kind and "reassoc" in _flags(term)


def _sums(term: Term, kind: str) -> list[Term]:
    """The sums that may be grouped in another way, all with the same kind of op."""
    if not _is_grouped(term, kind):
        return []
    return [term, *(each for part in term.children() for each in _sums(part, kind))]


def _leaves(term: Term, kind: str) -> list[Term]:
    if not _is_grouped(term, kind):
        return [term]
    return [leaf for part in term.children() for leaf in _leaves(part, kind)]


def _form(term: Term, kind: str) -> Any:
    if not _is_grouped(term, kind):
        return ""
    return (term.decl().name(), *(_form(each, kind) for each in term.children()))


def _grouping(term: Term, sums: Term) -> Grouping | None:
    """The grouping that `term` is of what `sums` groups; its ops may do no more than those."""
    kind = _kind(sums)
    left = dict(enumerate(_leaves(sums, kind)))
    flags = set.intersection(*map(_flags, _sums(sums, kind)))

    def grouping(part: Term) -> Grouping | None:
        place = next((n for n, leaf in left.items() if leaf.eq(part)), None)
        if place is not None:
            del left[place]
            return place
        if _kind(part) != kind or not _flags(part) <= flags:
            return None
        inner = [grouping(each) for each in part.children()]
        return None if None in inner else (part.decl(), *inner)

    found = grouping(term)
    return found if not left else None


def _grouped(grouping: Grouping, leaves: Sequence[Term]) -> Term:
    if isinstance(grouping, int):
        return leaves[grouping]
    return grouping[0](*(_grouped(each, leaves) for each in grouping[1:]))
