"""Patterns on scatters that change nothing, or whose writes are overwritten."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.shared import Bounds
from mlir_gs.lowering.algebra.gathers import GATHER_OF, same_places
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.ir.builders import producer
from mlir_gs.lowering.passes.explain import note


@pattern("gs.scatter")
@pattern("gs.scatter_elements")
def scatter_of_nothing(op: ir.OpView, rewriter: Any) -> bool:
    """A scatter of no updates leaves its destination as it is.

    before: `scatter(u, d, i)` where u has a dimension of size 0
    after:  `d`

    Applies when that size is static. Does not apply under error, where coordinates of empty
    slices are looked at too.
    """
    if 0 not in op.operands[0].type.shape or Bounds.of(op).mode == "error":
        return False
    note(op.operation, "rewrote", "scatter of nothing")
    rewriter.replace_op(op, [op.operands[1]])
    return True


@pattern("gs.scatter")
@pattern("gs.scatter_elements")
def scatter_back(op: ir.OpView, rewriter: Any) -> bool:
    """Slices that are scattered back to where they were gathered change nothing.

    before: `scatter(gather(d, i), d, i)`
    after:  `d`

    Applies when the scatter overwrites and both treat coordinates alike: all promised, all
    clipped, or filled and dropped. Does not apply under error, nor with a combiner.
    """
    updates, dest, indices = op.operands
    gathered = producer(updates, GATHER_OF[op.operation.name])
    if gathered is None or list(gathered.operands) != [dest, indices]:
        return False
    if len(op.regions[0].blocks) or not same_places(op, gathered.opview):
        return False
    modes = (Bounds.of(gathered.opview).mode, Bounds.of(op).mode)
    if modes not in (
        ("promise_in_bounds", "promise_in_bounds"),
        ("promise_in_bounds", "drop"),
        ("fill", "promise_in_bounds"),
        ("fill", "drop"),
        ("clip", "clip"),
    ):
        return False
    note(op.operation, "rewrote", "scatter back to where it was gathered")
    rewriter.replace_op(op, [dest])
    return True


@pattern("gs.scatter")
@pattern("gs.scatter_elements")
def overwritten_scatter(op: ir.OpView, rewriter: Any) -> bool:
    """A scatter whose every write is overwritten goes.

    before: `s = scatter(u, d, i) (any combiner)`; `scatter(v, s, i)`
    after:  `scatter(v, d, i)`

    Applies when the second overwrites and both address the same dims in the same mode. Does not
    apply when the second has a combiner, which reads what was written, nor under error, which each
    reports.
    """
    updates, dest, indices = op.operands
    if Bounds.of(op).mode == "error":
        return False
    first = producer(dest, op.operation.name)
    if first is None or first.operands[2] != indices or len(op.regions[0].blocks):
        return False
    names = ("scatter_dims", "dim", "batch_dims", "mode", "wrap_negative")
    if any(
        (name in op.attributes) != (name in first.attributes)
        or (name in op.attributes and op.attributes[name] != first.attributes[name])
        for name in names
    ):
        return False
    if list(first.operands[0].type.shape) != list(updates.type.shape):
        return False
    attributes = {
        name: op.attributes[name] for name in (*names, "unique", "sorted") if name in op.attributes
    }
    new = ir.Operation.create(
        op.operation.name,
        results=[op.results[0].type],
        operands=[updates, first.operands[1], indices],
        attributes=attributes,
        regions=1,
    )
    note(op.operation, "rewrote", "the scatter before it is overwritten")
    rewriter.replace_op(op, [new.result])
    return True
