"""Owner-computes: each thread runs the points that write to its part of the output, in order.

All threads read all coordinates. `loops.owned_points` lists those of a thread without branches.
"""

import functools

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import Ix, add, all_at_least, mul, negated
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
    numbers = (
        *("cache_bytes", "looked_at_points", "line", "serial_bytes"),
        *("reading_threads", "short_row_bytes"),
    )
    in_parallel = False

    def applies(self, work: Work) -> Owned | None:
        return find_owned(work)

    def pays(self, work: Work, match: Owned) -> ir.Value | bool:
        # Each thread looks at all coordinates, and fetches lines of inputs in pairs. To add less
        # to what a cache holds takes no longer than that, nor do single elements on few threads.
        policy = work.policy
        wide = all_at_least([(match.row, 2 * policy.line)])
        size = bytes_in(work.job.outputs[0].memref)
        streams = _streams(work, match, size)
        if wide is True and streams is False:
            return True
        enough = [(work.bytes, policy.serial_bytes)]
        if wide is not True:
            enough.append((size, policy.cache_bytes))
        few = work.lanes_dim is None and policy.threads < policy.reading_threads
        pays = False if few else all_at_least(enough)
        if not isinstance(wide, bool) and pays is not True:
            pays = wide if pays is False else arith.ori(wide, pays)
        if isinstance(streams, bool) or pays is False:
            return pays if streams is False else False
        return negated(streams) if pays is True else arith.andi(pays, negated(streams))

    def emit(self, work: Work, match: Owned, pays: ir.Value | bool, later: Later[Work]) -> None:
        moved = work.policy.serial_bytes
        where_it_pays(work, pays, lambda: emit_parts(work, Split(owned=match), moved))

    def describe(self, work: Work, match: Owned, pays: ir.Value | bool) -> str:
        return (
            f"on {work.policy.threads} threads, where enough moves: each runs the points that "
            "reach its part of the output, in order"
        )


def _streams(work: Work, match: Owned, size: Ix) -> ir.Value | bool:
    """Whether one thread reads inputs from memory in order, and writes to what a cache holds, as
    fast as threads read those of their rows, which the hardware does not prefetch."""
    job, policy = work.job, work.policy
    if policy.threads >= policy.reading_threads:
        return False
    if any(symbols_of(expr) for ref in job.inputs for expr in ref.map.results):
        return False
    read = functools.reduce(add, (bytes_in(ref.memref) for ref in job.inputs), 0)
    short = (policy.short_row_bytes, match.row)
    return all_at_least([short, (read, policy.cache_bytes), (policy.cache_bytes, size)])


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
