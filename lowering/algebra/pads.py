"""Patterns on gathers of padded tensors."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from mlir_gs.dialect import gather, gather_elements
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.named_maps import addressed_dims
from mlir_gs.dialect.shared import Bounds, batch_dims
from mlir_gs.lowering.algebra.gathers import drops_dims
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.fuse.loops import same_fill
from mlir_gs.lowering.ir.builders import arith, producer, tensor
from mlir_gs.lowering.ir.shifted import may_move, moved_down
from mlir_gs.lowering.passes.explain import note
from mlir_gs.lowering.repair.pads import has_natural_amounts


@dataclass(frozen=True)
class _Padded:
    """A tensor.pad of static widths with a constant."""

    op: ir.Operation
    source: ir.Value
    low: list[int]
    high: list[int]
    value: ir.Attribute

    @property
    def dims(self) -> set[int]:
        """The dims that have padding; a width that is not known is padding."""
        return {d for d, widths in enumerate(zip(self.low, self.high, strict=True)) if any(widths)}


def _padded(value: ir.Value) -> _Padded | None:
    pad = producer(value, "tensor.pad")
    if pad is None:
        return None
    # Negative widths cut.
    if not has_natural_amounts(pad):
        return None
    low, high = list(pad.attributes["static_low"]), list(pad.attributes["static_high"])
    constant = producer(list(pad.regions[0].blocks[0].operations)[-1].operands[0], "arith.constant")
    if constant is None:
        return None
    return _Padded(pad, pad.operands[0], low, high, constant.attributes["value"])


@pattern("gs.gather")
@pattern("gs.gather_elements")
def gather_of_padded(op: ir.OpView, rewriter: Any) -> bool:
    """A gather from the padding fills.

    before: `gather(pad(x, low, high, value v), i)` padded in the gathered dims
    after:  `gather(x, i - low) {mode = "fill", fill_value = v}`

    and so for gather_elements. Applies when the mode is promise_in_bounds, or fill with the same v.
    Does not apply when other dims are padded or negative coordinates wrap; with padding below the
    first element neither under fill, where i - low may overflow, nor where the coordinates have to
    be computed and are more than the padded elements, of an unknown number, or when something else
    reads what is padded.
    """
    pad, bounds = _padded(op.operands[0]), Bounds.of(op)
    if pad is None or bounds.wrap_negative or bounds.mode not in ("promise_in_bounds", "fill"):
        return False
    indices, dims = op.operands[1], addressed_dims(op)
    low = [pad.low[d] for d in dims]
    if not pad.dims <= set(dims) or DYNAMIC in low:
        return False
    if bounds.mode == "fill" and (any(low) or not same_fill(bounds.fill_value, pad.value)):
        return False
    if any(low):
        if not may_move(indices, pad.op) or not _fit(low, indices.type.element_type):
            return False
        indices = moved_down(indices, low)
    attributes: dict[str, Any] = {
        "mode": "fill",
        "fill_value": pad.value,
        "unique": "unique" in op.attributes,
    }
    if op.operation.name == "gs.gather_elements":
        result = gather_elements(pad.source, indices, dims[0], **attributes)
    else:
        result = gather(
            pad.source,
            indices,
            dims,
            batch_dims=batch_dims(op),
            keep_unit_dims=not drops_dims(op),
            sorted="sorted" in op.attributes,
            **attributes,
        )
    if result.type != op.results[0].type:
        result = tensor.cast(op.results[0].type, result)
    note(op.operation, "rewrote", "gather of a padded tensor: its padding is filled")
    rewriter.replace_op(op, [result])
    return True


def _fit(numbers: Sequence[int], type_: ir.Type) -> bool:
    """The numbers can be taken from a coordinate of 0 and more without an overflow."""
    return isinstance(type_, ir.IndexType) or max(numbers) < 1 << (type_.width - 1)


@pattern("gs.gather")
def padding_behind_gather(op: ir.OpView, rewriter: Any) -> bool:
    """Slices of a padded tensor are padded after the gather.

    before: `gather(pad(x, low, high, value v), i)` padded in dims of the slices, of fewer elements
            than the padded tensor has
    after:  `pad(gather(x, i), low, high, value v)`

    Applies when all sizes are static and nothing else reads what is padded. Does not apply where
    gathered or batch dims are padded too, under fill with another value, where gathered dims are
    kept, nor under error, which names one op.
    """
    pad, bounds = _padded(op.operands[0]), Bounds.of(op)
    if pad is None or not pad.dims or bounds.mode == "error" or not drops_dims(op):
        return False
    source, indices = op.operands
    moved, batch, dims = op.results[0].type, batch_dims(op), addressed_dims(op)
    if not all(type_.has_static_shape for type_ in (source.type, moved, pad.source.type)):
        return False
    rest = [d for d in range(batch, source.type.rank) if d not in dims]
    if not pad.dims <= set(rest) or len(list(source.uses)) != 1:
        return False
    if prod(moved.shape) >= prod(source.type.shape):
        return False
    if bounds.mode == "fill" and not same_fill(bounds.fill_value, pad.value):
        return False
    leading = indices.type.rank - 1
    shape = list(moved.shape)[:leading] + [pad.source.type.shape[d] for d in rest]
    inner = ir.Operation.create(
        "gs.gather",
        results=[ir.RankedTensorType.get(shape, moved.element_type)],
        operands=[pad.source, indices],
        attributes=dict(op.attributes),
    ).result
    low, high = ([0] * leading + [width[d] for d in rest] for width in (pad.low, pad.high))
    note(op.operation, "rewrote", "gather of padded slices: they are padded afterwards")
    rewriter.replace_op(op, [_pad(inner, moved, low, high, pad.value)])
    return True


def _pad(
    value: ir.Value,
    wanted: ir.RankedTensorType,
    low: Sequence[int],
    high: Sequence[int],
    filler: ir.Attribute,
) -> ir.Value:
    constant = arith.constant(wanted.element_type, filler)
    new = ir.Operation.create(
        "tensor.pad",
        results=[wanted],
        operands=[value],
        attributes={
            "static_low": ir.DenseI64ArrayAttr.get(low),
            "static_high": ir.DenseI64ArrayAttr.get(high),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 0, 0]),
        },
        regions=1,
    )
    block = new.regions[0].blocks.append(*[ir.IndexType.get()] * wanted.rank)
    with ir.InsertionPoint(block):
        tensor.yield_(constant)
    return new.result
