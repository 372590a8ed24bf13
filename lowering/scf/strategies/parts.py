"""The loops of an op, or of a part of it: over vectors and over elements, in versions of which what
is looked at when it runs chooses one."""

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.emit import both, either
from mlir_gs.lowering.op.body import vector_element
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.lanes import is_skipped, unit_stride_condition, vector_dim
from mlir_gs.lowering.op.ranges import Range
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.segments import find_segments
from mlir_gs.lowering.scf.loops.halo_share import HaloShare
from mlir_gs.lowering.scf.loops.nest import Nest
from mlir_gs.lowering.scf.loops.owned_points import Owner
from mlir_gs.lowering.scf.loops.short_vectors import NAME, by_length
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.remarks import names, parts_of_a_strategy, remark
from mlir_gs.lowering.scf.strategies.gathers import Gathers
from mlir_gs.lowering.scf.strategies.masked_reads import MaskedReads
from mlir_gs.lowering.scf.strategies.narrow_rows import NarrowRows
from mlir_gs.lowering.scf.strategies.nests import Loops, in_checked_blocks
from mlir_gs.lowering.scf.strategies.runs import EqualRuns
from mlir_gs.lowering.scf.strategies.split import Cut, Split
from mlir_gs.lowering.scf.strategies.streaming import NonTemporal
from mlir_gs.lowering.scf.strategies.tiles import RegisterTiles
from mlir_gs.lowering.scf.strategy import Strategy, lower
from mlir_gs.lowering.scf.threads import outline

RUNS: tuple[Strategy[Loops, Any], ...] = (EqualRuns(),)
"""Where sums at coordinates are kept."""

READS: tuple[Strategy[Loops, Any], ...] = (Gathers(), MaskedReads())
"""How vectors of elements at coordinates are read."""

LANES: tuple[Strategy[Loops, Any], ...] = (NarrowRows(), RegisterTiles(), NonTemporal())
"""Those of loops over vectors."""


def emit_part(
    job: Job,
    policy: Policy,
    split: Split | None,
    bounds: Sequence[ir.Value],
    narrow: bool = False,
) -> None:
    """The loops of `job`, or of a part of it: `bounds` are the lower and upper end of each cut of
    `split`, or of the part of the output. `narrow`: only those for rows of less than a vector."""
    dim = vector_dim(job)
    segments = find_segments(job, dim)

    def narrow_rows() -> None:
        def emit(clone: ir.Operation, rest: list[ir.Value]) -> None:
            with parts_of_a_strategy():
                emit_part(Job.of(clone), policy, split, rest, narrow=True)

        outline(job.op, NAME, len(bounds) // 2, emit).call(bounds)

    loops = Loops(
        job,
        policy,
        dim,
        segments,
        narrow_rows=None if narrow else narrow_rows,
    )
    if split is not None and split.owned is not None:
        owner = Owner.of(
            split.owned.symbol,
            split.owned.dim,
            bounds[0],
            bounds[1],
            max(policy.looked_at_points, 1),
        )
        _emit(replace(loops, owner=owner))
        return
    if split is not None and split.halo is not None:
        halo = HaloShare(job, split.halo, bounds[0], bounds[1])
        _emit(replace(loops, halo=halo, ranges={halo.dim: halo.points}))
        return
    cuts = () if split is None else split.cuts
    pairs = [Range(*bounds[2 * n : 2 * n + 2]) for n in range(len(cuts))]
    ranges = {cut.dim: _cut(job, cut, pair) for cut, pair in zip(cuts, pairs, strict=True)}
    if segments is not None and segments.dim in ranges:
        part = ranges[segments.dim]
        borders = (segments.border(job, part.lower), segments.border(job, part.upper))
        ranges[segments.dim] = Range(*borders)
    loops = replace(loops, ranges=ranges)
    if dim not in ranges:
        lower(in_checked_blocks(loops), () if narrow else RUNS, _emit)
        return
    (cut,) = (cut for cut in cuts if cut.dim == dim)
    if cut.length is not None and cut.length * policy.threads == job.extents[dim]:
        # The parts are all alike.
        ranges[dim] = ranges[dim]._replace(length=cut.length)
    _emit(loops)


def _cut(job: Job, cut: Cut, part: Range) -> Range:
    extent = job.extents[cut.dim]
    aligned = isinstance(extent, int) and extent % cut.grain == 0
    return part._replace(multiple=cut.grain if aligned else 1, begins=cut.grain)


def _emit(loops: Loops) -> None:
    """Over vectors, and over elements where strides forbid them or there is nothing to read."""
    if loops.dim is None:
        _over_elements(loops)
    elif loops.narrow_rows is None:
        _narrow(loops, loops.dim)
    else:
        lower(loops, READS, functools.partial(_over_both, loops))


def _over_both(given: Loops, loops: Loops) -> None:
    """`loops` where vectors are right, else those over elements of `given`."""
    job, dim = loops.job, loops.dim
    assert dim is not None
    unit = unit_stride_condition(job, dim)
    strides = {} if unit is None else {"for arrays whose last stride is not 1": unit}
    conditions = {**strides, **loops.conditions}
    if not conditions:
        _over_vectors(loops)
        return
    stepping = {id(ref) for ref in job.refs if ref.lies_along(dim, job.coordinates)}

    def unit_refs(refs: Sequence[Ref]) -> list[Ref]:
        return [ref.with_unit_stride() if id(ref) in stepping else ref for ref in refs]

    def over_vectors() -> None:
        refs = {"inputs": unit_refs(job.inputs), "outputs": unit_refs(job.outputs)}
        _over_vectors(replace(loops, job=replace(job, **refs), unit_strides=False))

    either(
        functools.reduce(both, conditions.values()),
        over_vectors,
        lambda: _over_elements(replace(given, dim=None), list(conditions)),
    )


def _narrow(loops: Loops, dim: int) -> None:
    """Rows of less than a vector."""

    def short(part: Range, lanes: int) -> None:
        ranges = {**loops.ranges, dim: part}
        Nest(loops.job, loops.policy, dim, lanes, ranges, loops.owner, loops.halo).emit()

    by_length(loops.part(dim), loops.lanes, short)


def _over_elements(loops: Loops, instead: Sequence[str] = ()) -> None:
    """`instead`: what this is for, where the rest is over vectors."""
    remark_elements(loops.job, instead, loops.segments is not None)
    loops.emit()


def _over_vectors(loops: Loops) -> None:
    assert loops.dim is not None
    remark_lanes(loops.job, loops.dim, loops.lanes, loops.segments is not None)
    lower(loops, LANES, _narrow_or_not)


def _narrow_or_not(loops: Loops) -> None:
    if loops.is_narrow is None or loops.narrow_rows is None:
        loops.emit()
    else:
        either(loops.is_narrow, loops.narrow_rows, loops.emit)


def remark_lanes(job: Job, dim: int, lanes: int, in_segments: bool) -> None:
    """What runs in vectors."""
    reason = "outputs step by one element along it"
    if not job.reaches_outputs(dim):
        reason = "inputs step along it, and their sum may be grouped"
    text = f"d{dim} in vectors of {lanes}: {reason}"
    gathered = [job.inputs[number] for number in job.gathered if job.gathered_where is None]
    alone = [ref for ref in job.by_elements(dim) if not any(ref is one for one in gathered)]
    if alone:
        text += f"; {names(job, alone)} by elements, each has a coordinate of its own"
    remark(job, text)
    if job.sums_in_memory(dim):
        remark(job, "sums stay in memory: slices at coordinates are read in the order they lie in")
    _remark_segments(job, in_segments)


def remark_elements(job: Job, instead: Sequence[str], in_segments: bool) -> None:
    """That there are no vectors, or for what there are none."""
    if instead:
        remark(job, f"element by element, {' or '.join(instead)}")
        return
    if not job.body.vectorizable:
        reason = "the body holds ops that vectors do not have"
    elif not all(vector_element(ref.storage) for ref in job.refs):
        reason = "the elements are of a type that vectors do not hold"
    elif is_skipped(job):
        reason = "a branch skips points where a condition of data does not hold"
    else:
        reason = "along no dim all outputs step by one element"
    remark(job, f"element by element: {reason}")
    _remark_segments(job, in_segments)


def _remark_segments(job: Job, in_segments: bool) -> None:
    if in_segments:
        remark(job, "in segments: sorted coordinates leave one row of the output in registers")
