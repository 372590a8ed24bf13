"""Runs: neighbours with equal coordinates, whose sum stays in registers until they change."""

from dataclasses import replace

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.builders import arith, index
from mlir_gs.lowering.ir.emit import Ix, add, choose, compare, either, floor_div, mul, value
from mlir_gs.lowering.ir.emit import loop_carrying as loop
from mlir_gs.lowering.op.body import bytes_of
from mlir_gs.lowering.op.coordinates import Point, as_index
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.segments import Segments, find_segments
from mlir_gs.lowering.scf.loops.nest import BLOCK_VECTORS
from mlir_gs.lowering.scf.remarks import parts_of_a_strategy
from mlir_gs.lowering.scf.strategies.nests import Loops
from mlir_gs.lowering.scf.strategy import Later, Strategy

PAIRS = 64
"""Neighbours that are looked at, of so many times as many points at least, so that the look is a
small part of the time."""

MOST_CHANGES = PAIRS // 16
"""Of these pairs: a branch that mispredicts takes as long as a run of 16 sums that wait for the
store before them."""


class EqualRuns(Strategy[Loops, Segments]):
    """Some pairs of neighbours, spread over all points, say whether most have equal coordinates:
    a sum of floats that is stored and loaded again for each point waits for the store. Results do
    not depend on what the look finds: points combine in their order either way."""

    name = "runs"
    meaning = "sums stay in registers while neighbours have equal coordinates"

    def applies(self, work: Loops) -> Segments | None:
        job, dim, promised = work.job, work.dim, work.segments is not None
        found = find_segments(job, dim, promised)
        if found is None or job.initial is not None or job.has_known_places:
            return None
        extent = 1 if dim is None else job.extents[dim]
        others = [d for d, size in job.extents.items() if d not in (found.dim, dim) and size != 1]
        if others or not isinstance(extent, int) or extent > BLOCK_VECTORS * work.lanes:
            return None
        if promised:
            # A segment of one point costs a branch, which the work of a longer row hides.
            row = extent * max(bytes_of(ref.storage) for ref in job.outputs)
            return found if row < work.policy.vector_bytes else None
        skips = any(map(job.coordinates.may_skip, found.symbols))
        return found if _adds_floats(job) and not skips else None

    def pays(self, work: Loops, match: Segments) -> ir.Value | bool:
        job, count, truth = work.job, work.job.extents[match.dim], ir.IntegerType.get_signless(1)
        few = isinstance(count, int) and count < PAIRS * PAIRS
        if few or not _adds_floats(job):
            # A sum of integers does not wait long for the store before it: a promise of segments
            # gains nothing.
            return work.segments is not None

        def at(number: Ix, found: list[ir.Value]) -> list[ir.Value]:
            first = mul(number, floor_div(count, PAIRS))
            ends = [Point({match.dim: position}) for position in (first, add(first, 1))]
            changed = arith.constant(truth, 0)
            for symbol in match.symbols:
                pair = [as_index(job.coordinates.element(symbol, end)) for end in ends]
                changed = arith.ori(changed, compare("ne", *pair))
            return [value(add(found[0], arith.index_castui(ir.IndexType.get(), changed)))]

        def look() -> ir.Value:
            changes = loop(0, PAIRS, [index(0)], at, unroll="never")
            return compare("sle", changes[0], MOST_CHANGES)

        enough = compare("sge", count, PAIRS * PAIRS)
        return choose(enough, truth, look, lambda: arith.constant(truth, 0))

    def emit(
        self, work: Loops, match: Segments, pays: ir.Value | bool, later: Later[Loops]
    ) -> None:
        def in_runs() -> None:
            with parts_of_a_strategy():
                later(replace(work, segments=match))

        plain = replace(work, segments=None)
        if isinstance(pays, bool):
            later(plain)
        else:
            either(pays, in_runs, lambda: later(plain))

    def describe(self, work: Loops, match: Segments, pays: ir.Value | bool) -> str:
        where = f"at most {MOST_CHANGES} of {PAIRS} pairs of neighbours along d{match.dim} differ"
        return f"sums in registers where {where}, else in memory"


def _adds_floats(job: Job) -> bool:
    """All outputs are floats that depend on what they were."""
    return all(
        isinstance(ref.element, ir.FloatType) and job.body.uses(len(job.inputs) + number)
        for number, ref in enumerate(job.outputs)
    )
