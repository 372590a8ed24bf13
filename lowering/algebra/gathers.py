"""Patterns on gathers of gathers."""

from typing import Any

from mlir_gs.dialect import gather, gather_elements
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.named_maps import addressed_dims
from mlir_gs.dialect.shared import Bounds, batch_dims
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.ir.builders import producer
from mlir_gs.lowering.passes.explain import note


def _rank_of_rest(op: Any) -> int:
    return op.operands[0].type.rank - batch_dims(op) - len(addressed_dims(op))


def drops_dims(op: Any) -> bool:
    """The gathered dims are left out of the result."""
    return op.results[0].type.rank == op.operands[1].type.rank - 1 + _rank_of_rest(op)


@pattern("gs.gather")
def compose_gathers(outer: ir.OpView, rewriter: Any) -> bool:
    """A gather of gathered slices gathers the coordinates instead.

    before: `g = gather(x, i)`; `gather(g, k)` over all index dims of g but the batch dims
    after:  `gather(x, gather(i, k))`

    Applies when both drop the gathered dims, nothing else reads the inner one, it has no batch dims
    beyond those of the outer one, and the outer mode is promise_in_bounds, or clip where slices or
    coordinates are known not to be empty. Does not apply under fill, which fills slices and not
    coordinates, nor under error of either, whose message names one op. Where other dims are
    gathered, gs-fuse merges the two.
    """
    inner = producer(outer.operands[0], "gs.gather")
    if inner is None or not may_compose(outer, inner):
        return False
    indices, batch = inner.operands[1], batch_dims(outer)
    leading = indices.type.rank - 1
    if batch_dims(inner.opview) > batch or addressed_dims(outer) != list(range(batch, leading)):
        return False
    if not (drops_dims(outer) and drops_dims(inner)):
        return False
    if Bounds.of(outer).mode == "clip" and not _may_clip(outer, indices):
        return False
    coordinates = gather(
        indices,
        outer.operands[1],
        addressed_dims(outer),
        batch_dims=batch,
        **_bounds(outer),
        unique="unique" in outer.attributes,
    )
    _replace_by_composed(outer, inner, coordinates, rewriter)
    return True


def _may_clip(outer: ir.OpView, indices: ir.Value) -> bool:
    """There are coordinates to clip to; or slices have elements, so that `outer` needs them too."""
    batch, leading = batch_dims(outer), indices.type.rank - 1
    gathered = list(outer.operands[0].type.shape)
    counts, rest = list(indices.type.shape)[batch:leading], gathered[leading:]
    return any(not {0, DYNAMIC} & set(sizes) for sizes in (counts, rest))


@pattern("gs.gather_elements")
def compose_gathers_of_elements(outer: ir.OpView, rewriter: Any) -> bool:
    """A gather of gathered elements along the same dim gathers the coordinates instead.

    before: `gather_elements(gather_elements(x, i), k)` along one dim
    after:  `gather_elements(x, gather_elements(i, k))`

    Applies and does not apply as for gathers of slices; not along two different dims.
    """
    inner = producer(outer.operands[0], "gs.gather_elements")
    if inner is None or not may_compose(outer, inner):
        return False
    indices, dim = inner.operands[1], outer.attributes["dim"].value
    if inner.attributes["dim"].value != dim:
        return False
    if Bounds.of(outer).mode == "clip" and 0 in indices.type.shape:
        return False
    unique = "unique" in outer.attributes
    coordinates = gather_elements(indices, outer.operands[1], dim, **_bounds(outer), unique=unique)
    _replace_by_composed(outer, inner, coordinates, rewriter)
    return True


def may_compose(outer: ir.OpView, inner: ir.Operation) -> bool:
    """Coordinates can be read in the bounds of `outer`, `inner` reports none, and is not needed
    for anything else: its elements would be gathered twice."""
    users = [use.owner for use in inner.results[0].uses]
    if sum(user.operation.name != "tensor.dim" for user in users) > 1:
        return False
    modes = (Bounds.of(outer).mode, Bounds.of(inner.opview).mode)
    return modes[0] in ("promise_in_bounds", "clip") and modes[1] != "error"


def _bounds(op: ir.OpView) -> dict[str, Any]:
    bounds = Bounds.of(op)
    mode = None if bounds.mode == "promise_in_bounds" else bounds.mode
    return {"mode": mode, "wrap_negative": bounds.wrap_negative}


def _replace_by_composed(
    outer: ir.OpView, inner: ir.Operation, coordinates: ir.Value, rewriter: Any
) -> None:
    """`outer` becomes `inner` at `coordinates`."""
    names = ("gather_dims", "dim", "batch_dims", "mode", "wrap_negative", "fill_value")
    attributes = {name: inner.attributes[name] for name in names if name in inner.attributes}
    if "unique" in inner.attributes and "unique" in outer.attributes:
        attributes["unique"] = ir.UnitAttr.get()
    new = ir.Operation.create(
        inner.name,
        results=[outer.results[0].type],
        operands=[inner.operands[0], coordinates],
        attributes=attributes,
    )
    note(outer.operation, "rewrote", "gather of a gather: its coordinates are gathered")
    rewriter.replace_op(outer, [new.result])
