"""Buckets: points in the order of the rows that they write to, roughly, before they run.

Rows of an output that no cache holds, updated in any order, come from memory and go back for each
point. So the points are first sorted, stably, by which part of the output they reach, each part
smaller than a cache: a counting sort of what is read of each point, one number per operand. Then
each row comes once. Points that reach the same row keep their order, so the bits are those of the
sequential loop; threads have buckets of their own.
"""

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.emit import Ix, all_at_least, either, mul, size_of
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.scf.remarks import parts_of_a_strategy
from mlir_gs.lowering.scf.strategies.bucket_sort import emit_buckets
from mlir_gs.lowering.scf.strategies.parts import emit_part
from mlir_gs.lowering.scf.strategies.points_by_row import (
    Buckets,
    find_buckets,
    positions_in_i32,
    row_bytes,
)
from mlir_gs.lowering.scf.strategies.split import Cut, Split
from mlir_gs.lowering.scf.strategies.work import Work
from mlir_gs.lowering.scf.strategy import Later, Strategy, unless_always


class PointBuckets(Strategy[Work, Buckets]):
    """A stable counting sort of the points, then the loops on what was sorted."""

    name = "buckets"
    meaning = "points are sorted into buckets by the part of the output that they write"
    numbers = (
        "bucket_bytes",
        "most_bucket_bytes",
        "most_buckets",
        "sorted_bytes",
        "sorted_row_bytes",
        "points_per_row",
    )
    makes_ops = True
    in_parallel = False

    def applies(self, work: Work) -> Buckets | None:
        # What is moved may be more than what the op starts from.
        return find_buckets(work.job) if work.initial is None else None

    def pays(self, work: Work, match: Buckets) -> ir.Value | bool:
        """Where no cache holds the output, and points meet in its rows."""
        job, policy, structure = work.job, work.policy, work.job.structure
        (output,) = structure.outputs
        rows = size_of(output.value, match.position)
        row = row_bytes(job, match)
        # (larger, smaller)
        pairs: list[tuple[Ix, Ix]] = [
            (mul(rows, row), policy.sorted_bytes),
            (row, policy.sorted_row_bytes),
            (job.extents[match.dim], mul(rows, policy.points_per_row)),
            (policy.most_buckets * policy.most_bucket_bytes, mul(rows, row)),
            ((1 << 31) - 1, job.extents[match.dim]),
        ]
        return all_at_least(pairs + positions_in_i32(structure))

    def emit(self, work: Work, match: Buckets, pays: ir.Value | bool, later: Later[Work]) -> None:
        def run(part: ir.Operation, bounds: list[ir.Value]) -> None:
            emit_part(Job.of(part), work.policy, Split((Cut(match.dim),)), bounds)

        def in_buckets() -> None:
            with parts_of_a_strategy():
                emit_buckets(work.op, work.job, match, work.policy, f"{work.name}_sorted", run)

        either(unless_always(pays), in_buckets, lambda: later(work))

    def describe(self, work: Work, match: Buckets, pays: ir.Value | bool) -> str:
        when = "" if pays is True else ", where the output is large and its rows are met often"
        return (
            f"in buckets{when}: points are sorted by the part of the output that they reach, which "
            "then fits into the cache"
        )
