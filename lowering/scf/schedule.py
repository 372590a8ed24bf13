"""`gs.schedule`: an attribute of an op that says which strategies its loops use, with numbers.

    gs.schedule = {threads = 2, vector_bytes = 64, cuts = {column_bytes = 256}, masked_reads = {}}

`gs-schedule` writes it, users and tests may; `convert-gs-to-scf` obeys. A strategy that is not
named is not used; one that is named is used where it applies and pays. Numbers that are left out
are those of the pass's target, as are those of plain loops and of prefetches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.passes.options import nearest
from mlir_gs.lowering.passes.registry import fail
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.strategy import Strategy
from mlir_gs.lowering.scf.table import EVERY
from mlir_gs.lowering.scf.target import MOST, MOST_VECTOR_BYTES

ATTRIBUTE = "gs.schedule"
COMMON = ("threads", "vector_bytes")
"""What all loops read of a policy."""

MOST_THREADS = 1 << 16


def key(strategy: Strategy[Any, Any]) -> str:
    """The name of a strategy as the attribute spells it, without quotes."""
    return strategy.name.replace("-", "_")


def write(op: ir.Operation, policy: Policy, strategies: Sequence[Strategy[Any, Any]]) -> None:
    """Give `op` the schedule that these strategies have by a policy."""
    entries: dict[str, ir.Attribute] = {name: _attribute(getattr(policy, name)) for name in COMMON}
    for strategy in strategies:
        numbers = {name: _attribute(getattr(policy, name)) for name in strategy.numbers}
        entries[key(strategy)] = ir.DictAttr.get(numbers)
    op.attributes[ATTRIBUTE] = ir.DictAttr.get(entries)


def read(op: ir.Operation, default: Policy) -> Policy:
    """The policy of the loops of `op`: `default`, if it has no schedule. Fails at the op where that
    names what is no strategy or number, or has a number out of its bounds."""
    if ATTRIBUTE not in op.attributes:
        return default
    known = {key(strategy): strategy for strategy in EVERY}
    given = _entries(op, op.attributes[ATTRIBUTE], ATTRIBUTE, [*COMMON, *known])
    numbers = {name: _number(op, name, given[name]) for name in COMMON if name in given}
    for name, strategy in known.items():
        if name in given:
            entries = _entries(op, given[name], name, strategy.numbers)
            numbers |= {number: _number(op, number, value) for number, value in entries.items()}
    left_out = {strategy.name for name, strategy in known.items() if name not in given}
    _check(op, numbers)
    return replace(default, **numbers, disabled=tuple(sorted({*default.disabled, *left_out})))


def _entries(
    op: ir.Operation, attribute: ir.Attribute, name: str, known: Sequence[str]
) -> Mapping[str, ir.Attribute]:
    if not isinstance(attribute, ir.DictAttr):
        fail(op, f"'{op.name}' op has '{name}' that is no dictionary: {attribute!s:.80}")
    found = {named.name: named.attr for named in attribute}
    for one in found:
        if one not in known:
            there = nearest(one, known) or f" (there are: {', '.join(known) or 'none'})"
            fail(op, f"'{op.name}' op has '{name}' with an unknown entry '{one}'{there}")
    return found


def _attribute(value: Any) -> ir.Attribute:
    if isinstance(value, bool):
        return ir.BoolAttr.get(value)
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def _number(op: ir.Operation, name: str, attribute: ir.Attribute) -> Any:
    """The value of the field `name` of a policy. What it is shows the type."""
    is_bool = isinstance(getattr(Policy(), name), bool)
    kind = ir.BoolAttr if is_bool else ir.IntegerAttr
    if kind is ir.IntegerAttr and isinstance(attribute, ir.BoolAttr):
        attribute = ir.UnitAttr.get()
    if not isinstance(attribute, kind):
        words = "a bool" if is_bool else "an integer"
        fail(op, f"'{op.name}' op has '{ATTRIBUTE}' whose '{name}' is not {words}: {attribute}")
    value = attribute.value
    if isinstance(value, int) and not isinstance(value, bool) and not 0 <= value <= MOST:
        fail(op, f"'{op.name}' op has '{ATTRIBUTE}' whose '{name}' is {value}, not 0 to {MOST}")
    return value


def _check(op: ir.Operation, numbers: Mapping[str, Any]) -> None:
    threads, size = numbers.get("threads", 1), numbers.get("vector_bytes", 64)
    wrong = None
    if not 1 <= threads <= MOST_THREADS:
        wrong = f"'threads' is {threads}, not 1 to {MOST_THREADS}"
    elif not 8 <= size <= MOST_VECTOR_BYTES or size.bit_count() != 1:
        wrong = f"'vector_bytes' is {size}, no power of 2 from 8 to {MOST_VECTOR_BYTES}"
    if wrong is not None:
        fail(op, f"'{op.name}' op has '{ATTRIBUTE}' whose {wrong}")
