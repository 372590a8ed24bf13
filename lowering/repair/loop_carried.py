"""Loops that carry one empty tensor twice, which upstream bufferizes to one buffer for both."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import producer
from mlir_gs.lowering.repair.repairs import repairs


@repairs("scf.while")
def one_empty_tensor_each(op: ir.Operation) -> None:
    """Give each carried tensor an empty one of its own.

    before: `scf.for ... iter_args(%a = %empty, %b = %empty)`
    after:  `scf.for ... iter_args(%a = %empty, %b = %other)`

    CSE makes one of two. Where a result of the loop is not used, One-Shot Bufferize sees no reason
    to keep them apart, since nothing is in them before: what one carries is lost to the other.
    """
    seen: list[ir.Value] = []
    for number, operand in enumerate(op.operands):
        empty = producer(operand, "tensor.empty")
        if empty is None:
            continue
        if operand in seen:
            op.operands[number] = empty.clone().results[0]
        seen.append(operand)
