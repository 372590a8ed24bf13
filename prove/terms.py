"""Elements as terms of the solver.

An integer or index is a mathematical integer in the range of its type, and arithmetic on it wraps
around at its width: `i1` is a Boolean. A float or complex number is an element of a sort of which
nothing is known but what `scalars` says.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import z3
from mlir_gs.dialect._bindings import ir

INDEX_BITS = 64
NEVER = z3.BoolVal(False)


class Element(NamedTuple):
    """A value that is poison where `poison` holds."""

    term: z3.ExprRef
    poison: z3.BoolRef


Item = z3.ExprRef | Element


def element(term: Item, *poisons: z3.BoolRef) -> Item:
    """`term`, which is poison where one of `poisons` holds as well."""
    if isinstance(term, Element):
        term, poisons = term.term, (term.poison, *poisons)
    kept = [each for each in poisons if not z3.is_false(each)]
    return Element(term, kept[0] if len(kept) == 1 else z3.Or(*kept)) if kept else term


def term_of(value: Item) -> z3.ExprRef:
    return value.term if isinstance(value, Element) else value


def poison_of(value: Item) -> z3.BoolRef:
    return value.poison if isinstance(value, Element) else NEVER


def pick(condition: z3.BoolRef, a: Item, b: Item) -> Item:
    """`a` where `condition` holds, else `b`."""
    term = z3.If(condition, term_of(a), term_of(b))
    poisons = poison_of(a), poison_of(b)
    if all(map(z3.is_false, poisons)):
        return term
    return Element(term, z3.If(condition, *poisons))


def parts_of(
    terms: Sequence[z3.ExprRef], seen: dict[int, z3.ExprRef] | None = None
) -> Iterator[z3.ExprRef]:
    """All terms in `terms` that are not in `seen`, each once: they share parts, and may be large
    written out."""
    seen = {} if seen is None else seen
    pending = list(terms)
    while pending:
        term = pending.pop()
        if term.get_id() not in seen:
            # A number stays one term's as long as that is held.
            seen[term.get_id()] = term
            yield term
            pending += [term.body()] if z3.is_quantifier(term) else term.children()


def occurs(constants: Sequence[z3.ExprRef], terms: Sequence[z3.ExprRef]) -> bool:
    """One of `constants` is in one of `terms`."""
    wanted = {each.get_id() for each in constants}
    return any(part.get_id() in wanted for part in parts_of(terms))


def is_integer(type_: ir.Type) -> bool:
    return isinstance(type_, (ir.IntegerType, ir.IndexType))


def width_of(type_: ir.Type) -> int:
    return type_.width if isinstance(type_, ir.IntegerType) else INDEX_BITS


def is_bool(type_: ir.Type) -> bool:
    return isinstance(type_, ir.IntegerType) and type_.width == 1 and type_.is_signless


def is_unsigned(type_: ir.Type) -> bool:
    return isinstance(type_, ir.IntegerType) and type_.is_unsigned


def sort_of(type_: ir.Type) -> z3.SortRef:
    if is_bool(type_):
        return z3.BoolSort()
    return z3.IntSort() if is_integer(type_) else z3.DeclareSort(str(type_))


def bounds_of(type_: ir.Type) -> tuple[int, int]:
    """The least and the greatest number of an integer type."""
    width = width_of(type_)
    if is_unsigned(type_):
        return 0, (1 << width) - 1
    return -(1 << (width - 1)), (1 << (width - 1)) - 1


def in_range(term: z3.ExprRef, type_: ir.Type) -> list[z3.BoolRef]:
    """That `term` is a number of `type_`, where that says anything."""
    if not is_integer(type_) or is_bool(type_):
        return []
    least, most = bounds_of(type_)
    return [z3.And(term >= least, term <= most)]


def as_number(term: z3.ExprRef) -> z3.ArithRef:
    """An integer element as a coordinate: a Boolean counts as 0 or 1."""
    return z3.If(term, z3.IntVal(1), z3.IntVal(0)) if z3.is_bool(term) else term


def is_power(number: int) -> bool:
    return number > 0 and number & (number - 1) == 0


def from_number(number: z3.ArithRef, type_: ir.Type) -> z3.ExprRef:
    """Any mathematical integer cut to the width of `type_`."""
    if is_bool(type_):
        return number % 2 == 1
    least, most = bounds_of(type_)
    span = most - least + 1
    if z3.is_int_value(number):
        return z3.IntVal((number.as_long() - least) % span + least)
    return z3.If(z3.And(number >= least, number <= most), number, (number - least) % span + least)


def sum_of(number: z3.ArithRef, type_: ir.Type) -> z3.ExprRef:
    """A sum or difference of two numbers of `type_`, wrapped around."""
    least, most = bounds_of(type_)
    span = most - least + 1
    if z3.is_int_value(number):
        return from_number(number, type_)
    return z3.If(number > most, number - span, z3.If(number < least, number + span, number))


def signed(term: z3.ExprRef, type_: ir.Type) -> z3.ArithRef:
    """The number that the bits of `term` mean with a sign; the `i1` 1 is -1."""
    if z3.is_bool(term):
        return z3.If(term, z3.IntVal(-1), z3.IntVal(0))
    if is_unsigned(type_):
        half = 1 << (width_of(type_) - 1)
        return z3.If(term >= half, term - 2 * half, term)
    return term


def unsigned(term: z3.ExprRef, type_: ir.Type) -> z3.ArithRef:
    """The number that the bits of `term` mean without a sign."""
    if z3.is_bool(term) or is_unsigned(type_):
        return as_number(term)
    return z3.If(term < 0, term + (1 << width_of(type_)), term)


def least_of(numbers: Sequence[z3.ArithRef]) -> z3.ArithRef:
    """The least of `numbers`, each considered once."""
    found: z3.ArithRef | None = None
    seen: list[z3.ArithRef] = []
    for number in map(z3.simplify, numbers):
        if any(number.eq(each) for each in seen):
            continue
        seen.append(number)
        if found is None:
            found = number
        elif z3.is_int_value(found) and z3.is_int_value(number):
            found = z3.IntVal(min(found.as_long(), number.as_long()))
        else:
            found = z3.If(found <= number, found, number)
    assert found is not None
    return found


def clamped(number: z3.ArithRef, lower: z3.ArithRef, upper: z3.ArithRef) -> z3.ArithRef:
    """`max(min(number, upper), lower)`."""
    below = z3.If(number > upper, upper, number)
    return z3.If(below < lower, lower, below)


def inside(indices: Sequence[z3.ArithRef], sizes: Sequence[z3.ArithRef]) -> list[z3.BoolRef]:
    return [z3.And(i >= 0, i < n) for i, n in zip(indices, sizes, strict=True)]


def every(conditions: Sequence[z3.BoolRef]) -> z3.BoolRef:
    return z3.And(*conditions) if conditions else z3.BoolVal(True)


def some(conditions: Sequence[z3.BoolRef]) -> z3.BoolRef:
    return z3.Or(*conditions) if conditions else z3.BoolVal(False)


def equal(a: Sequence[z3.ExprRef], b: Sequence[z3.ExprRef]) -> z3.BoolRef:
    return every([x == y for x, y in zip(a, b, strict=True)])


def comes_before(a: Sequence[z3.ArithRef], b: Sequence[z3.ArithRef]) -> z3.BoolRef:
    """`a` is less than `b` in lexicographic order."""
    less = z3.BoolVal(False)
    for x, y in zip(reversed(a), reversed(b), strict=True):
        less = z3.Or(x < y, z3.And(x == y, less))
    return less
