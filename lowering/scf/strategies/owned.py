"""Owner-computes: each thread runs the points that write to its part of the output, in order.

All threads read all coordinates. `loops.owned_points` lists those of a thread without branches.
"""

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import Ix, all_at_least, mul
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.segments import find_segments
from mlir_gs.lowering.op.volume import bytes_in
from mlir_gs.lowering.scf.strategies.sharing import emit_parts, where_it_pays
from mlir_gs.lowering.scf.strategies.split import Owned, Split
from mlir_gs.lowering.scf.strategies.work import Work
from mlir_gs.lowering.scf.strategy import Later, Strategy


class OwnerComputes(Strategy[Work, Owned]):
    """Threads share a dimension of the output that a coordinate addresses."""

    name = "owned"
    meaning = "owner-computes: each thread runs the points that write its part of the output"
    numbers = ("cache_bytes", "listed_points", "line", "serial_bytes")
    in_parallel = False

    def applies(self, work: Work) -> Owned | None:
        return find_owned(work)

    def pays(self, work: Work, match: Owned) -> ir.Value | bool:
        # Each thread looks at all coordinates, and fetches lines of inputs in pairs. To add less
        # to what a cache holds takes no longer than that.
        policy = work.policy
        wide = all_at_least([(match.row, 2 * policy.line)])
        if wide is True:
            return True
        size = bytes_in(work.job.outputs[0].memref)
        large = all_at_least([(work.bytes, policy.serial_bytes), (size, policy.cache_bytes)])
        if isinstance(wide, bool) or large is False:
            return large if wide is False else wide
        return True if large is True else arith.ori(wide, large)

    def emit(self, work: Work, match: Owned, pays: ir.Value | bool, later: Later[Work]) -> None:
        where_it_pays(work, pays, lambda moved: emit_parts(work, Split(owned=match), moved))

    def describe(self, work: Work, match: Owned, pays: ir.Value | bool) -> str:
        return (
            f"on {work.policy.threads} threads, where enough moves: each runs the points that "
            "reach its part of the output, in order"
        )


def find_owned(work: Work) -> Owned | None:
    """The rows of the output that threads can own, and the coordinate that addresses them."""
    job = work.job
    # Segments that no dim shares are few.
    if not work.may_be_shared or find_segments(job, work.lanes_dim) is not None:
        return None
    if len(job.outputs) != 1:
        return None
    (output,) = job.outputs
    row: Ix = bytes_of(output.storage)
    if work.lanes_dim is not None and job.reaches_outputs(work.lanes_dim):
        row = mul(row, job.extents[work.lanes_dim])
    outer, _ = job.loop_order(work.lanes_dim)
    structure = job.structure
    for position, expr in enumerate(structure.outputs[0].map.results):
        if not isinstance(expr, ir.AffineSymbolExpr):
            continue
        symbol = expr.position
        if structure.is_chained(symbol) or len(job.coordinates.depends(symbol)) != 1:
            continue
        (dim,) = job.coordinates.depends(symbol)
        if dim in outer and job.extents[dim] != 1:
            # Threads do not write to the same line.
            grain = 1 if not isinstance(row, int) else max(1, work.policy.line // row)
            return Owned(symbol, dim, position, grain, row)
    return None
