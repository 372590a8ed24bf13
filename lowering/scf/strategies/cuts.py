"""Cuts: threads share a dim whose points write to elements of their own, rows or columns."""

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.lanes import is_plain_last, lane_count
from mlir_gs.lowering.op.segments import find_segments
from mlir_gs.lowering.scf.loops.register_tiles import ROWS, find_tiles
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.strategies.owned import find_owned
from mlir_gs.lowering.scf.strategies.sharing import emit_parts
from mlir_gs.lowering.scf.strategies.split import Cut, Split
from mlir_gs.lowering.scf.strategies.work import Work
from mlir_gs.lowering.scf.strategy import Later, Strategy
from mlir_gs.lowering.scf.threads import part_length


class Cuts(Strategy[Work, Split]):
    """The first of some dims that is long enough is cut into a part for each thread."""

    name = "cuts"
    meaning = "threads share a dim whose points write different elements"
    numbers = ("column_bytes", "line", "serial_bytes")
    in_parallel = False

    def applies(self, work: Work) -> Split | None:
        if not work.may_be_shared:
            return None
        threads = work.policy.threads
        cuts = find_cuts(work.job, work.lanes_dim, work.policy)
        columns = all(cut.dim == work.lanes_dim for cut in cuts)
        if columns and work.policy.uses("owned") and find_owned(work) is not None:
            # Threads with parts of one row at a coordinate fetch lines of each other ahead.
            return None
        possible: list[Cut] = []
        for cut in cuts:
            extent = work.job.extents[cut.dim]
            if not isinstance(extent, int):
                possible.append(cut)
            elif extent >= threads * cut.grain:
                # This dim is cut, if none before is: those behind it are not.
                if not possible and isinstance(work.bytes, int):
                    length = part_length(extent, cut.grain, threads)
                    assert isinstance(length, int)
                    cut = cut._replace(length=length)
                possible.append(cut)
                break
        return Split(tuple(possible)) if possible else None

    def emit(self, work: Work, match: Split, pays: ir.Value | bool, later: Later[Work]) -> None:
        emit_parts(work, match, work.bytes)

    def describe(self, work: Work, match: Split, pays: ir.Value | bool) -> str:
        dims = " or ".join(f"d{cut.dim}" for cut in match.cuts)
        return (
            f"on {work.policy.threads} threads, where enough moves: each has a part of {dims}, at "
            "whose points other elements are written"
        )


def find_cuts(job: Job, lanes_dim: int | None, policy: Policy) -> list[Cut]:
    """The dims that may be cut, the best first; of the one in lanes a part has `column_bytes`."""
    structure = job.structure
    outer, _ = job.loop_order(lanes_dim)
    segments = find_segments(job, lanes_dim)
    tiles = None if lanes_dim is None else find_tiles(job, lanes_dim)
    cuts: list[Cut] = []
    others: list[Cut] = []
    for dim in outer:
        if job.extents[dim] == 1:
            continue
        if segments is not None and dim == segments.dim:
            cuts.append(Cut(dim))
        elif structure.iterators[dim] == "parallel":
            # Parts of a dim that reaches the outputs through coordinates only write side by side.
            mine = cuts if structure.plain_in_outputs(dim) else others
            grain = _grain(job, dim, policy.line)
            # Threads with fewer rows than a tile would each read all that the rows share.
            mine.append(Cut(dim, max(grain, ROWS) if tiles and dim == tiles.row else grain))
    cuts += others
    if lanes_dim is None or structure.iterators[lanes_dim] != "parallel":
        return cuts
    # Columns of a known number are better left whole, so that their loop is unrolled.
    if not cuts or tiles or not isinstance(job.extents[lanes_dim], int):
        widest = max(bytes_of(ref.storage) for ref in job.refs)
        lanes = lane_count(job, lanes_dim, policy.vector_bytes)
        cuts.append(Cut(lanes_dim, max(lanes, policy.column_bytes // widest)))
    return cuts


def _grain(job: Job, dim: int, line: int) -> int:
    """Threads do not write to the same cache line: the elements of one where `dim` steps in it."""
    stepping = [ref for ref in job.outputs if is_plain_last(ref, dim)]
    return max((line // bytes_of(ref.storage) for ref in stepping), default=1)
