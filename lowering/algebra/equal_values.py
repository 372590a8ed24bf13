"""Patterns on gathers and scatters of equal elements and of dims of one."""

from typing import Any

from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.named_maps import addressed_dims
from mlir_gs.dialect.shared import Bounds, batch_dims
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.algebra.windows import without_unit_dims
from mlir_gs.lowering.ir.builders import arith, dense_constant, dim_of, producer, tensor
from mlir_gs.lowering.passes.explain import note

linalg = dialect("linalg")


@pattern("gs.gather")
@pattern("gs.gather_elements")
def gather_of_one_value(op: ir.OpView, rewriter: Any) -> bool:
    """A gather from equal elements gives that element.

    before: `gather(dense<v>, i)`, `gather(fill(v), i)`
    after:  `dense<v>`, `fill(v)`

    Applies when the mode is promise_in_bounds or clip, and the result of a constant is static.
    Does not apply under fill and error, which depend on the coordinates.
    """
    source, moved = op.operands[0], op.results[0].type
    if Bounds.of(op).mode not in ("promise_in_bounds", "clip") or 0 in source.type.shape:
        return False
    filled = producer(source, "linalg.fill")
    value = _splat(source)
    if filled is not None:
        sizes = _sizes_of_result(op)
        if sizes is None:
            return False
        result = linalg.fill(filled.operands[0], outs=[tensor.empty(sizes, moved.element_type)])
        if result.type != moved:
            result = tensor.cast(moved, result)
    elif value is not None and DYNAMIC not in moved.shape:
        splat = ir.DenseElementsAttr.get_splat(moved, value.get_splat_value())
        result = arith.constant(moved, splat)
    else:
        return False
    note(op.operation, "rewrote", "gather from equal elements")
    rewriter.replace_op(op, [result])
    return True


@pattern("gs.scatter")
@pattern("gs.scatter_elements")
def scatter_of_one_value(op: ir.OpView, rewriter: Any) -> bool:
    """Equal elements that overwrite the same elements change nothing.

    before: `scatter(dense<v>, dense<v>, i)`, `scatter(fill(v), fill(v), i)`
    after:  `dense<v>`, `fill(v)`, the destination

    Applies when the scatter overwrites. Does not apply under error, nor with a combiner.
    """
    updates, dest, _ = op.operands
    if len(op.regions[0].blocks) or Bounds.of(op).mode == "error":
        return False
    fills = [producer(value, "linalg.fill") for value in (updates, dest)]
    if fills[0] is not None and fills[1] is not None:
        same = fills[0].operands[0] == fills[1].operands[0]
    else:
        values = [_splat(value) for value in (updates, dest)]
        if values[0] is None or values[1] is None:
            return False
        same = values[0].get_splat_value() == values[1].get_splat_value()
    if not same:
        return False
    note(op.operation, "rewrote", "scatter of equal elements into the same")
    rewriter.replace_op(op, [dest])
    return True


@pattern("gs.gather")
def gather_in_unit_dims(op: ir.OpView, rewriter: Any) -> bool:
    """A gather in dims of size 1 repeats the one slice.

    before: `gather(x, i)` where all gathered dims of x have size 1
    after:  `broadcast(collapse_shape x)` along the index dims

    Applies when the mode is promise_in_bounds or clip and the gathered dims are dropped, without
    batch dims. Does not apply under fill and error, which depend on the coordinates.
    """
    source, indices = op.operands
    dims, shape = addressed_dims(op), list(source.type.shape)
    rest = [d for d in range(len(shape)) if d not in dims]
    leading = indices.type.rank - 1
    if any(shape[d] != 1 for d in dims) or batch_dims(op) or leading == 0:
        return False
    if Bounds.of(op).mode not in ("promise_in_bounds", "clip"):
        return False
    if op.results[0].type.rank != leading + len(rest):
        return False
    one = without_unit_dims(source, rest)
    sizes = _sizes_of_result(op)
    if sizes is None:
        return False
    out = tensor.empty(sizes, source.type.element_type)
    (result,) = linalg.broadcast(one, outs=[out], dimensions=list(range(leading))).results
    if result.type != op.results[0].type:
        result = tensor.cast(op.results[0].type, result)
    note(op.operation, "rewrote", "the gathered dims have size 1")
    rewriter.replace_op(op, [result])
    return True


@pattern("gs.gather")
def gather_without_unit_batch(op: ir.OpView, rewriter: Any) -> bool:
    """A batch dim of size 1 is dropped.

    before: `gather(x, i) {batch_dims = 1, gather_dims = [d]}` where x and i have size 1 there
    after:  `expand_shape(gather(collapse_shape x, collapse_shape i) {gather_dims = [d - 1]})`

    Applies when the first batch dim has size 1 in both. Does not apply when that size is dynamic:
    it may be more than 1; nor under mode error, whose errors name dims and positions.
    """
    source, indices = op.operands
    if Bounds.of(op).mode == "error":
        return False
    if batch_dims(op) == 0 or source.type.shape[0] != 1 or indices.type.shape[0] != 1:
        return False
    if indices.type.rank < 2 or source.type.rank < 2:
        return False
    attributes = {
        name: op.attributes[name]
        for name in ("mode", "wrap_negative", "fill_value", "unique", "sorted")
        if name in op.attributes
    }
    if batch_dims(op) > 1:
        attributes["batch_dims"] = ir.IntegerAttr.get(
            op.attributes["batch_dims"].type, batch_dims(op) - 1
        )
    dims = [d - 1 for d in addressed_dims(op)]
    attributes["gather_dims"] = ir.DenseI64ArrayAttr.get(dims)
    moved = op.results[0].type
    shape = list(moved.shape)
    if len(shape) < 2:
        return False
    inner = ir.RankedTensorType.get(shape[1:], moved.element_type)
    new = ir.Operation.create(
        "gs.gather",
        results=[inner],
        operands=[_without_first(source), _without_first(indices)],
        attributes=attributes,
    ).result
    groups = [[0, 1], *([d] for d in range(2, len(shape)))]
    dynamic = [dim_of(new, d - 1) for d in range(1, len(shape)) if shape[d] == DYNAMIC]
    result = tensor.expand_shape(moved, new, groups, dynamic, shape)
    note(op.operation, "rewrote", "a batch of one")
    rewriter.replace_op(op, [result])
    return True


def _without_first(value: ir.Value) -> ir.Value:
    shape = list(value.type.shape)
    type_ = ir.RankedTensorType.get(shape[1:], value.type.element_type)
    groups = [[0, 1], *([d] for d in range(2, len(shape)))] if len(shape) > 1 else []
    return tensor.collapse_shape(type_, value, groups)


def _splat(value: ir.Value) -> ir.DenseElementsAttr | None:
    found = dense_constant(value)
    return found if found is not None and found.is_splat else None


def _sizes_of_result(op: ir.OpView) -> list[int | ir.Value] | None:
    """The sizes of the result of a gather, from those of its operands."""
    source, indices = op.operands
    moved = list(op.results[0].type.shape)
    if op.operation.name == "gs.gather_elements":
        return [dim_of(indices, d) if n == DYNAMIC else n for d, n in enumerate(moved)]
    leading, dims = indices.type.rank - 1, addressed_dims(op)
    rest = list(range(batch_dims(op), source.type.rank))
    if len(moved) != leading + len(rest):
        rest = [d for d in rest if d not in dims]
    places = [(indices, d) for d in range(leading)] + [(source, d) for d in rest]
    return [
        dim_of(*place) if size == DYNAMIC else size
        for size, place in zip(moved, places, strict=True)
    ]
