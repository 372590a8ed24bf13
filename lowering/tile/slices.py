"""Slices of tensors with strides of 1: taken, and put back."""

from collections.abc import Sequence
from typing import NamedTuple

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import producer
from mlir_gs.lowering.ir.emit import Ix, dynamic_and_static, slice_operands, sliced, tensor


class Slice(NamedTuple):
    """Offsets and sizes of a slice, dim by dim."""

    offsets: Sequence[Ix]
    sizes: Sequence[Ix]


def slice_of(value: ir.Value, place: Slice | None) -> ir.Value:
    """The slice of a tensor; None for all of it. That of an empty tensor is an empty tensor."""
    # Upstream refuses offsets, also of 0, in dimensions of size 0.
    if place is None:
        return value
    type_ = value.type
    if 0 in type_.shape or producer(value, "tensor.empty") is not None:
        sizes, static = dynamic_and_static(place.sizes)
        result = ir.RankedTensorType.get(static, type_.element_type, type_.encoding)
        return ir.Operation.create("tensor.empty", results=[result], operands=sizes).result
    return sliced(value, *place)


def put_back(part: ir.Value, value: ir.Value, place: Slice | None) -> ir.Value:
    """`value` with `part` in this place; None for all of it."""
    if place is None:
        return part
    if 0 in value.type.shape:
        return value
    return tensor.insert_slice(part, value, *slice_operands(*place))


def put_back_in_parallel(part: ir.Value, value: ir.Value, place: Slice | None) -> None:
    """The same in an scf.forall.in_parallel, where `value` is shared."""
    assert place is not None
    if 0 not in value.type.shape:
        tensor.parallel_insert_slice(part, value, *slice_operands(*place))
