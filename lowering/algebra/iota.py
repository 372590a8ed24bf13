"""Patterns on coordinates that count from 0, also to a size that is known at run time only."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.checks import DYNAMIC
from mlir_gs.dialect.named_maps import addressed_dims
from mlir_gs.dialect.shared import Bounds, batch_dims
from mlir_gs.dialect.sizes import Origin, origin
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.facts.analysis import Analysis
from mlir_gs.lowering.ir.builders import dim_of, tensor
from mlir_gs.lowering.passes.explain import note


@pattern("gs.gather")
@pattern("gs.gather_elements")
def gather_at_iota(op: ir.OpView, rewriter: Any) -> bool:
    """Slices at 0, 1, 2 and so on are the first slices.

    before: `gather(x, iota(n)) {gather_dims = [0]}`, also of elements where x has one dim
    after:  `x` if it has n slices, else `extract_slice x[0, ...] [n, ...] [1, ...]`

    Applies to coordinates that are known to ascend, to differ and to be less than their number,
    where that is the size of x, or promised to be no more. Does not apply to other dims.
    """
    source, indices = op.operands
    count, moved = _counting(op, indices), op.results[0].type
    if count is None or moved.rank != source.type.rank:
        return False
    if count == origin(source, 0):
        result = source
    elif Bounds.of(op).mode == "promise_in_bounds":
        shape = [moved.shape[0], *list(source.type.shape)[1:]]
        dynamic = [dim_of(indices, 0)] if shape[0] == DYNAMIC else []
        dynamic += [dim_of(source, d) for d, n in enumerate(shape) if d and n == DYNAMIC]
        type_ = ir.RankedTensorType.get(shape, moved.element_type)
        places = [0] * len(shape), shape, [1] * len(shape)
        result = tensor.extract_slice(type_, source, [], dynamic, [], *places)
    else:
        return False
    note(op.operation, "rewrote", "its coordinates count from 0")
    rewriter.replace_op(op, [result if result.type == moved else tensor.cast(moved, result)])
    return True


@pattern("gs.scatter")
@pattern("gs.scatter_elements")
def scatter_at_iota(op: ir.OpView, rewriter: Any) -> bool:
    """Updates that overwrite every slice in order are the result.

    before: `scatter(u, d, iota(n)) {scatter_dims = [0]}` where d has n slices
    after:  `u`

    Applies as for gathers. Does not apply with a combiner.
    """
    updates, dest, indices = op.operands
    if len(op.regions[0].blocks) or updates.type.rank != dest.type.rank:
        return False
    count = _counting(op, indices)
    if count is None or count != origin(dest, 0):
        return False
    if any(origin(updates, d) != origin(dest, d) for d in range(1, dest.type.rank)):
        return False
    note(op.operation, "rewrote", "its coordinates count from 0")
    type_ = op.results[0].type
    rewriter.replace_op(op, [updates if updates.type == type_ else tensor.cast(type_, updates)])
    return True


def _counting(op: ir.OpView, indices: ir.Value) -> Origin | None:
    """The number of the coordinates, where they are 0, 1, 2 and so on in the first dim."""
    rank = 1 if "dim" in op.attributes else 2
    if addressed_dims(op) != [0] or batch_dims(op) or indices.type.rank != rank:
        return None
    if rank == 1 and op.operands[-2].type.rank != 1:
        return None
    facts = Analysis()(indices)
    if facts is None or not (facts.ascending and facts.distinct) or facts.low < 0:
        return None
    # It may be at the end of a long chain.
    count = origin(indices, 0)
    inside = facts.high < count if isinstance(count, int) else count in facts.below
    return count if inside else None
