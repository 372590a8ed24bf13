"""Combiners whose updates may come in any order and grouping."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.prove.scalars import REGROUPED

_WITH_FLAG = ("arith.addf", "arith.mulf")


def may_regroup(value: ir.Value, current: ir.Value) -> bool:
    """`value` is `current` combined with what does not depend on it, by an op whose folds have the
    same bits in any order; a sum or product of floats needs `reassoc`."""
    op = value.owner
    if not isinstance(op, (ir.Operation, ir.OpView)):
        return False
    op = op.operation
    flags = {name: str(op.attributes[name]) for name in op.attributes}
    fast = flags.get("fastmath", "")
    allowed = op.name in REGROUPED or (
        op.name in _WITH_FLAG and ("reassoc" in fast or "fast>" in fast)
    )
    if not allowed or "none" not in flags.get("overflowFlags", "none"):
        return False
    operands = list(op.operands)
    return sum(operand == current for operand in operands) == 1 and not any(
        _hangs_on(operand, current) for operand in operands if operand != current
    )


def _hangs_on(value: Any, current: ir.Value) -> bool:
    if value == current:
        return True
    op = value.owner
    if not isinstance(op, (ir.Operation, ir.OpView)):
        return False
    op = op.operation
    return len(op.regions) > 0 or any(_hangs_on(operand, current) for operand in op.operands)
