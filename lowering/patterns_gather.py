"""Patterns on `gs.gather`: of gathers, of scatters, at known coordinates, of one value."""

from typing import Any

from mlir_gs.dialect import gather
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.shared import Bounds, batch_dims
from mlir_gs.lowering.builders import arith, tensor
from mlir_gs.lowering.explain import note
from mlir_gs.lowering.fuse_sizes import producer
from mlir_gs.lowering.known import Known
from mlir_gs.lowering.patterns import pattern


def gather_dims(op: Any) -> list[int]:
    return list(op.attributes["gather_dims"])


def made_by(value: ir.Value, name: str) -> ir.Operation | None:
    op = producer(value)
    return op if op is not None and op.name == name else None


def _rank_of_rest(op: Any) -> int:
    return op.operands[0].type.rank - batch_dims(op) - len(gather_dims(op))


def _drops_dims(op: Any) -> bool:
    """The gathered dims are left out of the result."""
    return op.results[0].type.rank == op.operands[1].type.rank - 1 + _rank_of_rest(op)


@pattern("gs.gather")
def compose_gathers(outer: ir.OpView, rewriter: Any) -> bool:
    """A gather of gathered slices gathers the coordinates instead.

    before: `g = gather(x, i)`; `gather(g, k)` over all index dims of g
    after:  `gather(x, gather(i, k))`

    Applies when neither has batch dims, both drop the gathered dims, and the outer mode is
    promise_in_bounds or clip. Does not apply under fill, which fills slices and not coordinates,
    nor under error of either, which blames an op and looks at all its coordinates.
    """
    inner = made_by(outer.operands[0], "gs.gather")
    if inner is None or Bounds.of(outer).mode not in ("promise_in_bounds", "clip"):
        return False
    if Bounds.of(inner.opview).mode == "error":
        return False
    indices = inner.operands[1]
    leading = indices.type.rank - 1
    if batch_dims(outer) or batch_dims(inner.opview) or gather_dims(outer) != list(range(leading)):
        return False
    if not (_drops_dims(outer) and _drops_dims(inner)):
        return False
    if Bounds.of(outer).mode == "clip" and 0 in list(indices.type.shape)[:leading]:
        return False
    bounds = Bounds.of(outer)
    mode = None if bounds.mode == "promise_in_bounds" else bounds.mode
    coordinates = gather(
        indices,
        outer.operands[1],
        gather_dims(outer),
        mode=mode,
        wrap_negative=bounds.wrap_negative,
        unique="unique" in outer.attributes,
    )
    attributes = {
        name: inner.attributes[name]
        for name in ("gather_dims", "mode", "wrap_negative", "fill_value")
        if name in inner.attributes
    }
    if "unique" in inner.attributes and "unique" in outer.attributes:
        attributes["unique"] = ir.UnitAttr.get()
    new = ir.Operation.create(
        "gs.gather",
        results=[outer.results[0].type],
        operands=[inner.operands[0], coordinates],
        attributes=attributes,
    )
    note(outer.operation, "rewrote", "gather of a gather: its coordinates are gathered")
    rewriter.replace_op(outer, [new.result])
    return True


@pattern("gs.gather")
def forward_scattered(op: ir.OpView, rewriter: Any) -> bool:
    """What was just scattered to unique places is not read back from there.

    before: `s = scatter(u, d, i) unique`; `gather(s, i)`
    after:  `u`

    Applies when both address the same dims in the same way, the gather promises in-bounds, and
    the scatter overwrites. Does not apply without `unique`, where a later update wins.
    """
    scatter = made_by(op.operands[0], "gs.scatter")
    if scatter is None or "unique" not in scatter.attributes:
        return False
    updates, _, indices = scatter.operands
    if indices != op.operands[1] or updates.type != op.results[0].type:
        return False
    if len(scatter.regions[0].blocks) or not same_places(scatter.opview, op):
        return False
    if Bounds.of(op).mode != "promise_in_bounds":
        return False
    if Bounds.of(scatter.opview).mode not in ("promise_in_bounds", "drop"):
        return False
    note(op.operation, "rewrote", "gather of what was scattered to the same coordinates")
    rewriter.replace_op(op, [updates])
    return True


def same_places(scatter: ir.OpView, op: ir.OpView) -> bool:
    """A scatter and a gather that address the same dims, batched and wrapped alike."""
    return (
        list(scatter.attributes["scatter_dims"]) == gather_dims(op)
        and batch_dims(scatter) == batch_dims(op)
        and Bounds.of(scatter).wrap_negative == Bounds.of(op).wrap_negative
    )


@pattern("gs.gather")
def slice_at_known_run(op: ir.OpView, rewriter: Any) -> bool:
    """Rows at known, evenly spaced coordinates are a slice.

    before: `gather(x, [[a], [a + s], [a + 2 s], ...]) {gather_dims = [0]}`
    after:  `extract_slice x[a, 0, ...] [n, ...] [s, 1, ...]`, or `x` if that is all of it

    Applies when the coordinates are known and in bounds, s is 1 or more, and all sizes are
    static. Does not apply to other dims, whose slices would be transposed.
    """
    source, indices = op.operands
    shape = list(source.type.shape)
    if gather_dims(op) != [0] or batch_dims(op) or indices.type.rank != 2 or DYNAMIC in shape:
        return False
    if not _drops_dims(op):
        return False
    known = Known()(indices)
    if known is None or known.size == 0 or known.min() < 0 or known.max() >= shape[0]:
        return False
    first, count = int(known[0, 0]), len(known)
    step = int(known[1, 0]) - first if count > 1 else 1
    if step < 1 or any(known[n, 0] != first + n * step for n in range(count)):
        return False
    type_ = op.results[0].type
    if first == 0 and step == 1 and count == shape[0]:
        result = source
    else:
        rest = [0] * (len(shape) - 1)
        sizes, strides = [count, *shape[1:]], [step, *(1 for _ in rest)]
        result = tensor.extract_slice(type_, source, [], [], [], [first, *rest], sizes, strides)
    note(op.operation, "rewrote", "known coordinates are a slice")
    rewriter.replace_op(op, [result])
    return True


@pattern("gs.gather")
def gather_of_one_value(op: ir.OpView, rewriter: Any) -> bool:
    """Whatever is gathered from equal elements is that element.

    before: `gather(dense<v>, i)`
    after:  `dense<v>`

    Applies when the mode is promise_in_bounds or clip and the result is static. Does not apply
    under fill and error, which ask where the coordinates are.
    """
    constant = made_by(op.operands[0], "arith.constant")
    type_ = op.results[0].type
    if constant is None or DYNAMIC in type_.shape or 0 in op.operands[0].type.shape:
        return False
    value = constant.attributes["value"]
    if Bounds.of(op).mode not in ("promise_in_bounds", "clip"):
        return False
    if not isinstance(value, ir.DenseElementsAttr) or not value.is_splat:
        return False
    splat = ir.DenseElementsAttr.get_splat(type_, value.get_splat_value())
    note(op.operation, "rewrote", "gather from equal elements")
    rewriter.replace_op(op, [arith.constant(type_, splat)])
    return True
