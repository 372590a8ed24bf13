"""Halos: threads share an output along which a window moves, such as `8 * i + offsets[j]`.

Windows of points that follow one another overlap, so points are to stay in order. Each thread runs
those whose window reaches its part of the output. Next to a border the window reaches beyond it:
these few points run on both sides, and each thread writes what is its own.
"""

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.ir.emit import (
    Ix,
    add,
    all_at_least,
    choose,
    mul,
    size_of,
    sub,
)
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.moving_window import ends_of, moving_window
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.segments import find_segments
from mlir_gs.lowering.scf.loops.halo_share import Halo
from mlir_gs.lowering.scf.strategies.sharing import emit_parts, where_it_pays
from mlir_gs.lowering.scf.strategies.split import Split
from mlir_gs.lowering.scf.strategies.work import Work
from mlir_gs.lowering.scf.strategy import Later, Strategy


class Halos(Strategy[Work, Halo]):
    """Threads share a dimension of the output along which a window moves."""

    name = "halo"
    meaning = "owner-computes with a halo, for outputs that windows overlap"
    numbers = ("windows_per_part", "line", "serial_bytes")
    in_parallel = False

    def applies(self, work: Work) -> Halo | None:
        job = work.job
        if not work.may_be_shared or find_segments(job, work.lanes_dim) is not None:
            return None
        return find_halo(job, work.lanes_dim, work.policy.line)

    def pays(self, work: Work, match: Halo) -> ir.Value | bool:
        few = work.policy.threads * work.policy.windows_per_part
        job = work.job
        enough = all_at_least(
            [(work.bytes, work.policy.serial_bytes), (job.extents[match.window.dim], few)]
        )
        (output,) = job.outputs

        def is_small() -> bool | ir.Value:
            least, greatest = ends_of(job, match.window)
            width = add(sub(greatest, least), match.window.step)
            return all_at_least([(size_of(output.memref, match.position), mul(width, few))])

        if isinstance(enough, bool):
            return is_small() if enough else False
        return choose(enough, _bit_type(), lambda: _bit(is_small()), lambda: _bit(False))

    def emit(self, work: Work, match: Halo, pays: ir.Value | bool, later: Later[Work]) -> None:
        moved = work.policy.serial_bytes
        where_it_pays(work, pays, lambda: emit_parts(work, Split(halo=match), moved))

    def describe(self, work: Work, match: Halo, pays: ir.Value | bool) -> str:
        return (
            f"on {work.policy.threads} threads, where enough moves and windows are small: each "
            f"runs the points of d{match.window.dim} that reach its part of the output, in order; "
            "those at a border run on both sides"
        )


def find_halo(job: Job, lanes_dim: int | None, line: int) -> Halo | None:
    """How threads can share the one output along a dim that moves a window in it."""
    if len(job.outputs) != 1:
        return None
    (output,) = job.outputs
    outer, _ = job.loop_order(lanes_dim)
    in_lanes = [] if lanes_dim is None else output.mentions(lanes_dim, job.coordinates)
    for position, expr in enumerate(output.map.results):
        # A dim of one point has no loop.
        moving = [] if position in in_lanes else [d for d in outer if job.extents[d] != 1]
        for dim in moving:
            window = moving_window(job, expr, dim)
            if window is not None:
                return Halo(window, position, _grain(output, position, line))
    return None


def _grain(output: Ref, position: int, line: int) -> int:
    """Threads do not write to the same line."""
    row: Ix = bytes_of(output.storage)
    for later in range(position + 1, len(output.map.results)):
        row = mul(row, size_of(output.memref, later))
    return max(1, line // row) if isinstance(row, int) and row else 1


def _bit(condition: bool | ir.Value) -> ir.Value:
    return arith.constant(_bit_type(), int(condition)) if isinstance(condition, bool) else condition


def _bit_type() -> ir.Type:
    return ir.IntegerType.get_signless(1)
