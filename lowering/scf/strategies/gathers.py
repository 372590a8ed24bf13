"""Hardware gathers: one instruction loads elements at coordinates of their own."""

from dataclasses import replace

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.scf.loops.vector_gathers import with_gathers
from mlir_gs.lowering.scf.remarks import names
from mlir_gs.lowering.scf.strategies.nests import Loops
from mlir_gs.lowering.scf.strategy import Later, Strategy


class Gathers(Strategy[Loops, Job]):
    """Lanes of some inputs are gathered, where a cache near the core holds these."""

    name = "gathers"
    meaning = "hardware gathers load elements at coordinates"
    numbers = ("gathered_bytes", "gathered_fill_bytes")

    def applies(self, work: Loops) -> Job | None:
        assert work.dim is not None
        job = with_gathers(
            work.job, work.dim, work.policy.gathered_bytes, work.policy.gathered_fill_bytes
        )
        return job if job.gathered else None

    def emit(self, work: Loops, match: Job, pays: ir.Value | bool, later: Later[Loops]) -> None:
        # Where sizes speak against it, each vector takes a branch: the loops stay one.
        later(replace(work, job=match))

    def describe(self, work: Loops, match: Job, pays: ir.Value | bool) -> str:
        gathered = [match.inputs[number] for number in sorted(match.gathered)]
        where = "" if match.gathered_where is None else " where a cache near the core holds them"
        return f"{names(match, gathered)} by hardware gathers{where}"
