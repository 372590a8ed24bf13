"""Pattern on `arith.select` by a mask that says which coordinates are in bounds."""

from collections.abc import Callable
from typing import Any

import numpy as np
from mlir_gs.dialect import gather
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.named_maps import addressed_dims
from mlir_gs.dialect.shared import Bounds, batch_dims
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.ir.builders import dense_constant, producer, tensor
from mlir_gs.lowering.ir.known import Known
from mlir_gs.lowering.passes.explain import note

# Of arith.cmpi.
_SLT, _SLE, _SGT, _SGE, _ULT, _ULE = 2, 3, 4, 5, 6, 7
_SWAPPED = {_SLT: _SGT, _SLE: _SGE, _SGT: _SLT, _SGE: _SLE}


@pattern("arith.select")
def select_in_bounds(op: ir.OpView, rewriter: Any) -> bool:
    """A select between a gather and a constant, by whether coordinates are in bounds, is a mode.

    before: `select(i >= 0 & i < n, gather(x, i or clamped i), dense<v>)`, n the size of x
    after:  `gather(x, i) {mode = "fill", fill_value = v}`

    Applies to gathers along one dim of static size in mode promise_in_bounds, clip or fill, also
    where the mask is broadcast over slices or is one unsigned comparison. Does not apply when the
    mask has other bounds, under error, nor when negative coordinates wrap.
    """
    if not isinstance(op.results[0].type, ir.RankedTensorType):
        return False
    mask, gathered, other = op.operands
    made, value = producer(gathered, "gs.gather"), dense_constant(other)
    if made is None or value is None or not isinstance(mask.type, ir.RankedTensorType):
        return False
    if not value.is_splat:
        return False
    bounds, dims = Bounds.of(made.opview), addressed_dims(made)
    if bounds.mode == "error" or bounds.wrap_negative or len(dims) != 1:
        return False
    source, indices = made.operands
    size = source.type.shape[dims[0]]
    if size == DYNAMIC or not _signed(indices.type.element_type):
        return False
    leading = indices.type.rank - 1
    mask = _unbroadcast(mask, leading)
    checked = _checked(mask, size)
    if checked is None or checked.type.rank != leading:
        return False
    coordinates = _with_column(indices, checked, mask, size)
    if coordinates is None:
        return False
    rank = source.type.rank - batch_dims(made.opview)
    result = gather(
        source,
        coordinates,
        dims,
        batch_dims=batch_dims(made.opview),
        keep_unit_dims=gathered.type.rank == leading + rank,
        mode="fill",
        fill_value=value.get_splat_value(),
        unique="unique" in made.attributes and coordinates == indices,
    )
    if result.type != gathered.type:
        result = tensor.cast(gathered.type, result)
    note(made, "rewrote", "select by whether coordinates are in bounds: a mode")
    rewriter.replace_op(op, [result])
    return True


def _signed(type_: ir.Type) -> bool:
    if isinstance(type_, ir.IndexType):
        return True
    return isinstance(type_, ir.IntegerType) and type_.is_signless and type_.width > 1


def _unbroadcast(mask: ir.Value, leading: int) -> ir.Value:
    """The mask per coordinate, where it was broadcast over slices."""
    wide = producer(mask, "linalg.broadcast")
    if wide is not None and mask.type.rank > leading:
        dims = list(wide.attributes["dimensions"])
        if dims == list(range(leading, mask.type.rank)):
            return wide.operands[0]
    return mask


def _checked(mask: ir.Value, size: int) -> ir.Value | None:
    """The coordinates i for which `mask` is 0 <= i < size; None if it is anything else."""
    both = producer(mask, "arith.andi")
    if both is None:
        found = _comparison(mask)
        if found is None:
            return None
        predicate, value, bound = found
        inside = (predicate == _ULT and bound == size) or (
            predicate == _ULE and bound == size - 1 >= 0
        )
        return value if inside else None
    one, other = (_comparison(operand) for operand in both.operands)
    if one is None or other is None or one[1] != other[1]:
        return None
    found = {(one[0], one[2]), (other[0], other[2])}
    least = {(_SGE, 0), (_SGT, -1)}
    most = {(_SLT, size), (_SLE, size - 1)}
    return one[1] if found & least and found & most else None


def _comparison(value: ir.Value) -> tuple[int, ir.Value, int] | None:
    """(predicate, i, bound) of a comparison with a known number, turned so that i comes first."""
    compare = producer(value, "arith.cmpi")
    if compare is None or not _signed(compare.operands[0].type.element_type):
        return None
    predicate, look = compare.attributes["predicate"].value, Known()
    for value, bound, turned in ((0, 1, False), (1, 0, True)):
        known = look(compare.operands[bound])
        if known is None or known.size == 0 or (known != known.flat[0]).any():
            continue
        if turned and predicate not in _SWAPPED:
            return None
        return (
            _SWAPPED[predicate] if turned else predicate,
            compare.operands[value],
            int(known.flat[0]),
        )
    return None


def _with_column(
    indices: ir.Value, checked: ir.Value, mask: ir.Value, size: int
) -> ir.Value | None:
    """`checked` in the shape of `indices`, which are the same or clamped; None if they are not."""
    expand = producer(indices, "tensor.expand_shape")
    if expand is None or indices.type.shape[indices.type.rank - 1] != 1:
        return None
    flat = expand.operands[0]
    if flat.type.rank != checked.type.rank:
        return None
    if flat == checked:
        return indices
    if flat.type != checked.type or _unclamped(flat, mask, size) != checked:
        return None
    groups = [[int(d.value) for d in group] for group in expand.attributes["reassociation"]]
    sizes = list(expand.operands)[1:]
    return tensor.expand_shape(indices.type, checked, groups, sizes, list(indices.type.shape))


def _unclamped(value: ir.Value, mask: ir.Value, size: int) -> ir.Value:
    """What the coordinates were before those out of bounds were moved to some place."""
    while True:
        below = producer(value, "arith.maxsi")
        above = producer(value, "arith.minsi")
        chosen = producer(value, "arith.select")
        if below is not None and _all(below.operands[1], lambda n: n <= 0):
            value = below.operands[0]
        elif above is not None and _all(above.operands[1], lambda n: n >= size - 1):
            value = above.operands[0]
        elif chosen is not None and chosen.operands[0] == mask:
            value = chosen.operands[1]
        else:
            return value


def _all(value: ir.Value, holds: Callable[[np.ndarray], np.ndarray]) -> bool:
    known = Known()(value)
    return known is not None and bool(holds(known).all())
