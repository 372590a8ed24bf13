"""Loops that carry one tensor twice, which upstream bufferizes to one buffer for both."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import producer
from mlir_gs.lowering.repair.repairs import repairs

_VIEWS = tuple(
    f"tensor.{name}"
    for name in ("cast", "expand_shape", "collapse_shape", "extract_slice", "reshape")
)


@repairs("scf.while")
def one_tensor_each(op: ir.Operation) -> None:
    """Give each carried tensor memory of its own, before the loop and in each iteration."""
    one_empty_tensor_each(op)
    last = _last(list(op.regions)[-1])
    seen = set[ir.Value]()
    for number, operand in enumerate(last.operands):
        if isinstance(operand.type, ir.RankedTensorType):
            origins = _origins(operand)
            if not seen.isdisjoint(origins):
                last.operands[number] = _copy(last, operand)
            seen |= origins


def _last(region: ir.Region) -> ir.Operation:
    return list(region.blocks[0].operations)[-1].operation


def _origins(value: ir.Value) -> set[ir.Value]:
    """The tensors whose memory this may be where nothing is copied."""
    found, left = set[ir.Value](), [value]
    while left:
        each = left.pop()
        if each not in found:
            found.add(each)
            left += _shown(each)
    return found


def _shown(value: ir.Value) -> list[ir.Value]:
    op = producer(value)
    if op is None:
        return []
    if op.name in ("scf.if", "scf.index_switch"):
        number = ir.OpResult(value).result_number
        return [_last(region).operands[number] for region in op.regions]
    return [op.operands[0]] if op.name in _VIEWS else []


def _copy(before: ir.Operation, value: ir.Value) -> ir.Value:
    """One-Shot Bufferize does not see that what is yielded twice is one buffer in the next
    iteration: what is written into one block argument was lost to the other."""
    with before.location, ir.InsertionPoint(before):
        return ir.Operation.create(
            "bufferization.alloc_tensor",
            results=[value.type],
            operands=[value],
            attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 1, 0])},
        ).results[0]


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
