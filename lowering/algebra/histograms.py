"""Patterns on `gs.histogram` and the scatter that follows it."""

from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.shared import batch_dims
from mlir_gs.lowering.algebra.patterns import pattern
from mlir_gs.lowering.ir.builders import producer
from mlir_gs.lowering.ir.combiners import EXACT, IDEMPOTENT, combiner_kind, elementwise


@pattern("gs.scatter")
def fold_histogram_into_scatter(scatter: ir.OpView, rewriter: Any) -> bool:
    """One scatter with a combiner for a histogram whose bins are scattered.

    before: `c, u = histogram(updates, i) (k)`; `scatter(c, dest, u) (k)`
    after:  `scatter(updates, dest, i) (k)`

    and, for the RFC's update of repeated coordinates with an idempotent k,

    before: `n = k(updates, gather(dest, i))`; `c, u = histogram(n, i) (k)`;
            `scatter(c, dest, u) unique`
    after:  `scatter(updates, dest, i) (k)`

    Applies when k gives the same bits in any order and grouping (integers; min and max of
    floats), and the histogram has no other use. Does not apply to sums and products of floats,
    whose order the histogram fixes, nor when gather and scatter differ in dims or in dest.
    """
    combined, dest, unique_indices = scatter.operands
    histogram = producer(combined, "gs.histogram")
    if histogram is None or combined != histogram.results[0]:
        return False
    if unique_indices != histogram.results[1] or batch_dims(scatter) != 0:
        return False
    if any(len(list(result.uses)) != 1 for result in histogram.results):
        return False
    kind = combiner_kind(histogram.regions[0])
    updates, indices = histogram.operands
    if kind is None or kind not in EXACT:
        return False
    if len(scatter.regions[0].blocks) == 0:
        found = _updates_of_gathered(scatter, updates, indices, dest, kind)
        if found is None:
            return False
        updates = found
    elif combiner_kind(scatter.regions[0]) != kind:
        return False
    attributes = {
        name: scatter.attributes[name]
        for name in ("scatter_dims", "mode", "wrap_negative")
        if name in scatter.attributes
    }
    new = ir.Operation.create(
        "gs.scatter",
        results=[dest.type],
        operands=[updates, dest, indices],
        attributes=attributes,
        regions=1,
    )
    histogram.regions[0].blocks[0].append_to(new.regions[0])
    rewriter.replace_op(scatter, [new.result])
    rewriter.erase_op(histogram)
    return True


def _updates_of_gathered(
    scatter: ir.OpView, new: ir.Value, indices: ir.Value, dest: ir.Value, kind: str
) -> ir.Value | None:
    """updates, where `new` is k(updates, gather(dest, indices)) at the places of `scatter`."""
    if kind not in IDEMPOTENT or "mode" in scatter.attributes:
        return None
    parts = elementwise(new)
    if parts is None or parts[0] != kind:
        return None
    for gathered, updates in ((parts[1], parts[2]), (parts[2], parts[1])):
        gather = producer(gathered, "gs.gather")
        if (
            gather is not None
            and list(gather.operands) == [dest, indices]
            and gather.attributes["gather_dims"] == scatter.attributes["scatter_dims"]
            and "mode" not in gather.attributes
            and batch_dims(gather) == 0
            and ("wrap_negative" in gather.attributes) == ("wrap_negative" in scatter.attributes)
        ):
            return updates
    return None
