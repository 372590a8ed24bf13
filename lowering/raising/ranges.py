"""Integers of few bits in loops: whether their arithmetic may wrap around."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.facts.arithmetic import transfer
from mlir_gs.lowering.facts.numbers import Facts, anything, fitting
from mlir_gs.lowering.ir.builders import constant_of, made_in, producer

CASTS = (
    *("arith.index_cast", "arith.extsi", "index.casts"),
    *("arith.index_castui", "arith.extui", "index.castu"),
)


class Ranges:
    """What is known of the integers in `op`."""

    def __init__(self, op: ir.Operation) -> None:
        self._op = op
        self._found: dict[ir.Value, Facts | None] = {}

    def count(self, counter: ir.Value, lower: Any, upper: Any) -> None:
        """Know a counter of scf by its bounds."""
        low, high = (self.of(x) if isinstance(x, ir.Value) else None for x in (lower, upper))
        if low is not None and high is not None:
            self._found[counter] = Facts(low.low, max(low.low, high.high - 1))

    def of(self, number: ir.Value) -> Facts | None:
        """What is known of `number`; None of what is no integer."""
        if number not in self._found:
            known = constant_of(number)
            found = None if known is None else Facts(known, known)
            if known is None and made_in(number, self._op):
                found = self._computed(number)
            self._found[number] = found or anything(number.type)
        return self._found[number]

    def _computed(self, number: ir.Value) -> Facts | None:
        made = producer(number)
        if made is None or len(made.regions):
            return None
        return fitting(transfer(made, [self.of(each) for each in made.operands]), number.type)

    def keep(self, op: ir.Operation) -> bool:
        """The arithmetic is that of index: on 64 bits, or on fewer that it stays in, as is promised
        or as the ranges say."""
        flags = str(op.attributes["overflowFlags"]) if "overflowFlags" in op.attributes else ""
        is_wide = width(op.results[0].type) == 64
        divides = any(word in op.name for word in ("div", "rem"))
        return is_wide or divides or "nsw" in flags or self._computed(op.results[0]) is not None


def width(type_: ir.Type) -> int:
    """The bits of an integer or index."""
    return 64 if isinstance(type_, ir.IndexType) else type_.width


def uncast(number: ir.Value) -> ir.Value:
    """What `number` is another type of, with the same sign."""
    while (made := producer(number, *CASTS[:3])) is not None:
        if width(made.operands[0].type) > width(number.type):
            break
        number = made.operands[0]
    return number
