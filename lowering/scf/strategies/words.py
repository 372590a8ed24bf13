"""Words: elements that only move are packed by shifts, not by the unit that makes vectors."""

from dataclasses import replace

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.scf.loops.word_packing import WORD, moved_by_words
from mlir_gs.lowering.scf.strategies.nests import Loops
from mlir_gs.lowering.scf.strategy import Later, Strategy


class Words(Strategy[Loops, Job]):
    """On cores that are slow to put vectors together, and for masked reads, whose elements are in
    registers for integers."""

    name = "words"
    meaning = "elements that only move are packed into words"
    numbers = ("pack_words", "word_points")

    def applies(self, work: Loops) -> Job | None:
        if not work.policy.pack_words and not work.job.masked:
            return None
        job = replace(work.job, in_words=work.policy.word_points)
        return None if moved_by_words(job, work.dim) is None else job

    def emit(self, work: Loops, match: Job, pays: ir.Value | bool, later: Later[Loops]) -> None:
        later(replace(work, job=match))

    def describe(self, work: Loops, match: Job, pays: ir.Value | bool) -> str:
        return (
            f"whole vectors of elements that only move are packed into words of {WORD} bytes, "
            "unless stores are non-temporal"
        )
