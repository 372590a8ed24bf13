"""`ub.poison`, which upstream folds into offsets and sizes, where it cannot read it."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import constant_of, element_of, number_in
from mlir_gs.lowering.repair.repairs import repairs


def _is_number(op: Any) -> bool:
    element = element_of(op.results[0].type)
    return isinstance(element, (ir.IntegerType, ir.IndexType))


def _is_too_far(op: Any) -> bool:
    kind, by = op.operands[0].type, constant_of(op.operands[1])
    if by is None or not _is_number(op):
        return False
    width = 64 if isinstance(kind, ir.IndexType) else kind.width
    return not 0 <= by < width


@repairs("ub.poison", where=_is_number)
def any_number(op: Any) -> ir.Value:
    """before: `ub.poison : index`; after: `arith.constant 0 : index`, as good a number as any."""
    return number_in(op.results[0].type, 0)


@repairs("arith.shli", "arith.shrsi", "arith.shrui", where=_is_too_far)
def shift_by_too_much(op: Any) -> ir.Value:
    """before: `arith.shli x, 64 : index`, which folds to `ub.poison`; after: `arith.constant 0`."""
    return any_number(op)
