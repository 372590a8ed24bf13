"""Combiners whose updates may come in any order and grouping."""

from collections.abc import Sequence
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import producer
from mlir_gs.prove.poison import flagged, flags_of
from mlir_gs.prove.scalars import REGROUPED

_WITH_FLAG = ("arith.addf", "arith.mulf")


def may_regroup(value: ir.Value, current: ir.Value, others: Sequence[ir.Value]) -> bool:
    """`value` is `current` combined with what depends neither on it nor on `others`, the current
    elements of other outputs, by an op whose folds have the same bits in any order; a sum or
    product of floats needs `reassoc`."""
    op = producer(value)
    if op is None:
        return False
    free = op.name in REGROUPED or (op.name in _WITH_FLAG and "reassoc" in flags_of(op))
    if not free or flagged(op):
        return False
    operands = list(op.operands)
    if sum(operand == current for operand in operands) != 1:
        return False
    return not _hang_on([each for each in operands if each != current], {current, *others})


def _hang_on(values: Sequence[Any], currents: set[Any]) -> bool:
    """One of `values` is computed from one of `currents`."""
    pending, seen = list(values), set()
    while pending:
        value = pending.pop()
        if value in currents:
            return True
        op = producer(value)
        if value in seen or op is None:
            continue
        seen.add(value)
        if len(op.regions):
            return True
        pending += op.operands
    return False
