"""Facts through arithmetic: of the elements of tensors, or of scalars at the points of loops."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.facts.numbers import Facts, element_of


def transfer(op: ir.Operation, parts: Sequence[Facts | None]) -> Facts | None:
    """The facts of the result of `op`, in numbers that do not wrap; None if nothing is known."""
    rule = _RULES.get(op.name)
    if rule is None or any(part is None for part in parts):
        return None
    return rule(op, *parts)


def _plain(low: int, high: int, like: Facts) -> Facts:
    return replace(
        like, low=low, high=high, below=frozenset(), distinct=False, ascending=False, along=None
    )


def _shifted(a: Facts, by: int) -> Facts:
    """`a` plus a number: as many are equal, in the same order."""
    below = a.below if by <= 0 else frozenset()
    return replace(a, low=a.low + by, high=a.high + by, below=below)


def _add(_: ir.Operation, a: Facts, b: Facts) -> Facts:
    for one, other in ((a, b), (b, a)):
        if other.constant is not None:
            return _shifted(one, other.constant)
    ascending = a.ascending and b.ascending
    distinct = ascending and (a.distinct or b.distinct)
    result = _plain(a.low + b.low, a.high + b.high, a)
    return replace(result, ascending=ascending, distinct=distinct)


def _sub(_: ir.Operation, a: Facts, b: Facts) -> Facts:
    if b.constant is not None:
        return _shifted(a, -b.constant)
    result = _plain(a.low - b.high, a.high - b.low, a)
    if a.constant is not None:
        return replace(result, distinct=b.distinct, along=b.along)
    return result


def _mul(_: ir.Operation, a: Facts, b: Facts) -> Facts:
    if a.constant is not None:
        a, b = b, a
    ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    result = _plain(min(ends), max(ends), a)
    factor = b.constant
    if not factor:
        return result
    return replace(result, distinct=a.distinct, along=a.along, ascending=a.ascending and factor > 0)


def _max(_: ir.Operation, a: Facts, b: Facts) -> Facts:
    result = _plain(max(a.low, b.low), max(a.high, b.high), a)
    return replace(result, ascending=a.ascending and b.ascending, below=a.below & b.below)


def _min(_: ir.Operation, a: Facts, b: Facts) -> Facts:
    result = _plain(min(a.low, b.low), min(a.high, b.high), a)
    return replace(result, ascending=a.ascending and b.ascending, below=a.below | b.below)


def _rem(op: ir.Operation, a: Facts, b: Facts) -> Facts | None:
    divisor = b.constant
    if divisor is None or divisor <= 0:
        return None
    if a.low >= 0:
        if a.high < divisor:
            return a
        return replace(_plain(0, divisor - 1, a), below=a.below)
    if op.name == "arith.remui":
        return _plain(0, divisor - 1, a)
    return _plain(-(divisor - 1), divisor - 1, a)


def _and(_: ir.Operation, a: Facts, b: Facts) -> Facts | None:
    masks = [part.high for part in (a, b) if part.low >= 0]
    return _plain(0, min(masks), a) if masks else None


def _div(_: ir.Operation, a: Facts, b: Facts) -> Facts | None:
    divisor = b.constant
    if divisor is None or divisor <= 0 or a.low < 0:
        return None
    result = _plain(a.low // divisor, a.high // divisor, a)
    return replace(result, ascending=a.ascending, below=a.below)


def _shift_left(op: ir.Operation, a: Facts, b: Facts) -> Facts | None:
    bits = b.constant
    if bits is None or not 0 <= bits < 63:
        return None
    return _mul(op, a, replace(b, low=1 << bits, high=1 << bits))


def _shift_right(op: ir.Operation, a: Facts, b: Facts) -> Facts | None:
    bits = b.constant
    if bits is None or not 0 <= bits < 63:
        return None
    return _div(op, a, replace(b, low=1 << bits, high=1 << bits))


def _same_number(op: ir.Operation, a: Facts) -> Facts | None:
    """A cast; the caller sees to it that the number is one of the new type."""
    element = element_of(op.operands[0].type)
    # The sign of a number of one bit is the number.
    return None if isinstance(element, ir.IntegerType) and element.width == 1 else a


def _unsigned(op: ir.Operation, a: Facts) -> Facts | None:
    """A number that was negative becomes a large one."""
    if a.low >= 0:
        return a
    element = element_of(op.operands[0].type)
    if not isinstance(element, ir.IntegerType):
        return None
    result = _plain(0, (1 << element.width) - 1, a)
    return replace(result, distinct=a.distinct, along=a.along)


def _compare(op: ir.Operation, a: Facts, b: Facts) -> Facts | None:
    """0 or 1, where the ranges decide."""
    predicate: int = op.attributes["predicate"].value
    element = element_of(op.operands[0].type)
    if predicate in _UNSIGNED and (a.low < 0 or b.low < 0):
        return None
    if isinstance(element, ir.IntegerType) and element.width == 1:
        return None
    less, more = a.high < b.low, a.low > b.high
    at_most, at_least = a.high <= b.low, a.low >= b.high
    true, false = {
        0: (a.constant is not None and a.constant == b.constant, less or more),
        1: (less or more, a.constant is not None and a.constant == b.constant),
        2: (less, at_least),
        3: (at_most, more),
        4: (more, at_most),
        5: (at_least, less),
    }[_UNSIGNED.get(predicate, predicate)]
    if not true and not false:
        return None
    return _plain(int(true), int(true), a)


def _select(_: ir.Operation, condition: Facts, a: Facts, b: Facts) -> Facts:
    if condition.constant is not None:
        return a if condition.constant else b
    return replace(_plain(min(a.low, b.low), max(a.high, b.high), a), below=a.below & b.below)


# The predicates of unsigned comparisons, by those that say the same of numbers from 0 on.
_UNSIGNED = {6: 2, 7: 3, 8: 4, 9: 5}
_RULES: dict[str, Callable[..., Facts | None]] = {
    "arith.addi": _add,
    "arith.subi": _sub,
    "arith.muli": _mul,
    "arith.maxsi": _max,
    "arith.minsi": _min,
    "arith.remsi": _rem,
    "arith.remui": _rem,
    "arith.andi": _and,
    "arith.divsi": _div,
    "arith.divui": _div,
    "arith.floordivsi": _div,
    "arith.shli": _shift_left,
    "arith.shrsi": _shift_right,
    "arith.shrui": _shift_right,
    "arith.extsi": _same_number,
    "arith.index_cast": _same_number,
    "arith.trunci": _same_number,
    "arith.extui": _unsigned,
    "arith.index_castui": _unsigned,
    "arith.cmpi": _compare,
    "arith.select": _select,
}
