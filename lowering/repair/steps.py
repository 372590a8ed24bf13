"""Loops whose steps may go past the largest number, after which upstream's begin again."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.asserts import require
from mlir_gs.lowering.ir.builders import arith, producer
from mlir_gs.lowering.repair.divisions import constant_of
from mlir_gs.lowering.repair.loop_carried import one_empty_tensor_each
from mlir_gs.lowering.repair.repairs import repairs


@repairs("scf.for")
def loop_of_steps(op: Any) -> bool:
    """A loop that may step past the largest number of its type, or that may not move on.

    before: `scf.for %i = %lo to %hi step %s`
    after:  `scf.for %k = 0 to (%hi - %lo) ceildivui %s step 1`, with %lo + %k * %s for %i; a call
            with a step that is not positive raises an error

    Does not apply to a step of 1, nor to constant steps up to a size or a constant that is far
    enough below the largest number.
    """
    one_empty_tensor_each(op)
    low, high, step = list(op.operands)[:3]
    known = constant_of(step)
    if known is not None and (known == 1 or _is_far(high, known)):
        return False
    unsigned = "unsignedCmp" in op.attributes
    kind = low.type
    zero, one = arith.constant(kind, 0), arith.constant(kind, 1)
    predicate = arith.CmpIPredicate
    if known is None:
        order = predicate.ne if unsigned else predicate.sgt
        require(op, arith.cmpi(order, step, zero), "step must be positive")
    runs = arith.cmpi(predicate.ult if unsigned else predicate.slt, low, high)
    distance = arith.select(runs, arith.subi(high, low), zero)
    # The division may run before the error.
    positive = step if known else arith.maxui(step, one)
    for number, value in enumerate((zero, arith.ceildivui(distance, positive), one)):
        op.operands[number] = value
    if not isinstance(kind, ir.IndexType) and kind.width < 64:
        # Half of all numbers of a narrow type are more than its largest signed one.
        op.attributes["unsignedCmp"] = ir.UnitAttr.get()
    block = op.regions[0].blocks[0]
    counter = block.arguments[0]
    uses = [(use.owner, use.operand_number) for use in counter.uses]
    with ir.InsertionPoint.at_block_begin(block):
        place = arith.addi(low, arith.muli(counter, step))
    for user, number in uses:
        user.operands[number] = place
    return False


def _is_far(high: ir.Value, step: int) -> bool:
    """Whether a loop up to `high` ends before its type does."""
    if producer(high, "tensor.dim", "memref.dim") is not None:
        return step < 1 << 60
    end = constant_of(high)
    width = 64 if isinstance(high.type, ir.IndexType) else high.type.width
    return end is not None and end + step <= (1 << (width - 1))
