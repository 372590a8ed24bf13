"""The versions of the loops of one op, and what is looked at when it runs to choose one."""

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.ir.emit import both, compare, either, sub, when
from mlir_gs.lowering.op.body import vector_element
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.lanes import lane_count, unit_stride_condition, vector_dim
from mlir_gs.lowering.op.long_rows import moves_long_rows
from mlir_gs.lowering.op.ranges import Range
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.segments import Segments, find_segments
from mlir_gs.lowering.scf.loops.constant_places import lie_apart
from mlir_gs.lowering.scf.loops.halo_share import HaloShare
from mlir_gs.lowering.scf.loops.masked_reads import have_a_first, masked_inputs
from mlir_gs.lowering.scf.loops.narrow_rows import NAME, by_length, is_narrow, tell_narrow
from mlir_gs.lowering.scf.loops.nest import Nest
from mlir_gs.lowering.scf.loops.owned import Owner
from mlir_gs.lowering.scf.loops.point_strips import STRIP
from mlir_gs.lowering.scf.loops.streaming import Streaming, fence, streaming_rows, tell_streaming
from mlir_gs.lowering.scf.loops.vector_gathers import with_gathers
from mlir_gs.lowering.scf.loops.words import WORD, moved_by_words
from mlir_gs.lowering.scf.prefetch.prefetches import (
    Prefetches,
    prefetches_by_element,
    prefetches_in_lanes,
    tell_prefetches,
)
from mlir_gs.lowering.scf.prefetch.streams import Streams
from mlir_gs.lowering.scf.remarks import names, parts_of_a_strategy, remark
from mlir_gs.lowering.scf.strategies.segment_sums import SegmentSums, tell_segment_sums
from mlir_gs.lowering.scf.strategies.split import Cut, Split
from mlir_gs.lowering.scf.target import Target
from mlir_gs.lowering.scf.threads import outline, part_length


def emit_part(
    job: Job,
    target: Target,
    split: Split | None,
    bounds: Sequence[ir.Value],
    narrow: bool = False,
    beside: Streams | None = None,
) -> None:
    """The loops of `job`, or of a part of it: `bounds` are the lower and upper end of each cut of
    `split`, or of the part of the output. `narrow`: only those for rows of less than a vector.
    Loops over elements ask for `beside`, which others read later."""
    dim = vector_dim(job)
    segments = find_segments(job, dim)

    def narrow_rows() -> None:
        def emit(clone: ir.Operation, rest: list[ir.Value]) -> None:
            with parts_of_a_strategy():
                emit_part(Job.of(clone), target, split, rest, narrow=True)

        outline(job.op, NAME, len(bounds) // 2, emit).call(bounds)

    others = None if narrow else narrow_rows
    if split is not None and split.owned is not None:
        owner = Owner.of(split.owned.symbol, split.owned.dim, bounds[0], bounds[1])
        _Versions(job, target, dim, segments, owner, None, others).emit({})
        return
    if split is not None and split.halo is not None:
        halo = HaloShare(job, split.halo, bounds[0], bounds[1])
        _Versions(job, target, dim, segments, None, halo, others).emit({halo.dim: halo.points})
        return
    cuts = () if split is None else split.cuts
    versions = _Versions(job, target, dim, segments, None, None, others, beside)
    pairs = [Range(*bounds[2 * n : 2 * n + 2]) for n in range(len(cuts))]
    ranges = {cut.dim: _cut(job, cut, pair) for cut, pair in zip(cuts, pairs, strict=True)}
    if segments is not None and segments.dim in ranges:
        part = ranges[segments.dim]
        borders = (segments.border(job, part.lower), segments.border(job, part.upper))
        ranges[segments.dim] = Range(*borders)
    if dim not in ranges:
        versions.emit(ranges)
        return
    versions.by_length(ranges, _known_lengths(job, cuts, dim, target.threads))


def _cut(job: Job, cut: Cut, part: Range) -> Range:
    extent = job.extents[cut.dim]
    aligned = isinstance(extent, int) and extent % cut.grain == 0
    return part._replace(multiple=cut.grain if aligned else 1)


def _known_lengths(job: Job, cuts: Sequence[Cut], dim: int, threads: int) -> list[int]:
    """What the length of a part of the vector dim may be known to be: all of it, and a share."""
    extent = job.extents[dim]
    (grain,) = (cut.grain for cut in cuts if cut.dim == dim)
    if not isinstance(extent, int):
        return []
    length = part_length(extent, grain, threads)
    assert isinstance(length, int)
    # Whether there is work for all threads is decided when it runs, unless all sizes are known.
    sizes_known = all(isinstance(size, int) for size in job.extents.values())
    return [length] if sizes_known else sorted({extent, length}, reverse=True)


class _Versions:
    """Emits nests for one job, each behind the conditions under which it is right and best."""

    def __init__(
        self,
        job: Job,
        target: Target,
        dim: int | None,
        segments: Segments | None,
        owner: Owner | None,
        halo: HaloShare | None,
        narrow_rows: Callable[[], None] | None,
        beside: Streams | None = None,
    ) -> None:
        self.job = job
        self.target = target
        self.dim = dim
        self.segments = segments
        self.owner = owner
        self.halo = halo
        self.beside = beside
        # Emits what runs narrow rows; None where these are all.
        self.narrow_rows = narrow_rows

    @property
    def _skipping(self) -> int | None:
        return None if self.owner is None else self.owner.dim

    def by_length(self, ranges: Mapping[int, Range], lengths: Sequence[int]) -> None:
        """Columns of a known number are unrolled."""
        if not lengths or self.dim is None:
            self.emit(ranges)
            return
        part = ranges[self.dim]
        known = {**ranges, self.dim: part._replace(length=lengths[0])}
        if len(lengths) == 1 and lengths[0] * self.target.threads == self.job.extents[self.dim]:
            # The parts are all alike.
            self.emit(known)
            return
        fits = compare("eq", sub(part.upper, part.lower), lengths[0])
        either(fits, lambda: self.emit(known), lambda: self.by_length(ranges, lengths[1:]))

    def emit(self, ranges: Mapping[int, Range]) -> None:
        """In lanes, and by element where strides forbid them or there is nothing to read."""
        job, dim = self.job, self.dim
        if dim is None:
            self._by_element(ranges)
            return
        if self.narrow_rows is None:
            self._narrow(dim, ranges)
            return
        target = self.target
        if target.uses("gathers"):
            job = with_gathers(job, dim, target.gathering)
        masked = masked_inputs(job, dim) if target.uses("masked-reads") else frozenset()
        # What is chosen is in registers for integers.
        job = dataclasses.replace(
            job, in_words=(target.words and target.uses("words")) or bool(masked)
        )
        has_first = have_a_first(job, masked)
        if has_first is not False:
            job = dataclasses.replace(job, masked=masked)
        conditions = {
            "for arrays whose last stride is not 1": unit_stride_condition(job, dim),
            "where there is nothing to read": None if isinstance(has_first, bool) else has_first,
        }
        instead = [why for why, condition in conditions.items() if condition is not None]
        condition = functools.reduce(both, conditions.values())
        if condition is None:
            self._in_lanes(job, dim, ranges, True)
            return
        stepping = {id(ref) for ref in job.refs if ref.steps_with(dim, job.coordinates)}

        def unit(refs: Sequence[Ref]) -> list[Ref]:
            return [ref.with_unit_stride() if id(ref) in stepping else ref for ref in refs]

        either(
            condition,
            lambda: self._in_lanes(
                dataclasses.replace(job, inputs=unit(job.inputs), outputs=unit(job.outputs)),
                dim,
                ranges,
                False,
            ),
            lambda: self._by_element(ranges, instead),
        )

    def _narrow(self, dim: int, ranges: Mapping[int, Range]) -> None:
        """Rows of less than a vector: nothing is asked for."""
        part = ranges.get(dim, Range(0, self.job.extents[dim]))

        def short(part: Range, lanes: int) -> None:
            Nest(self.job, dim, lanes, {**ranges, dim: part}, self.owner, self.halo).emit()

        by_length(part, lane_count(self.job, dim, self.target.vector_bytes), short)

    def _by_element(self, ranges: Mapping[int, Range], instead: Sequence[str] = ()) -> None:
        """`instead`: what this is for, where the rest is in lanes."""
        job = self.job
        asked = Prefetches()
        if not instead:
            along = None if self.segments is None else self.segments.dim
            asked = prefetches_by_element(job, along, STRIP, self._skipping, self.target.asking)
        if self.beside is not None:
            asked = dataclasses.replace(asked, reads={self.beside.dim: self.beside})
        tell_elements(job, instead, self.segments is not None)
        tell_prefetches(job, asked)

        def nest() -> None:
            shares = (self.owner, self.halo)
            Nest(job, None, 1, ranges, *shares, asked, segments=self.segments).emit()

        sums = None
        if not instead and self.target.uses("segment-sums"):
            sums = SegmentSums.find(job, self.segments, self.target)
        if sums is None:
            nest()
            return
        tell_segment_sums(job)
        # What lies far away, blocks read.
        asked = dataclasses.replace(asked, far=None)
        part = ranges.get(sums.segments.dim, Range(0, job.extents[sums.segments.dim]))
        either(sums.pay(), lambda: self._in_blocks(part), nest)

    def _in_blocks(self, part: Range) -> None:
        """The sums of segments in a function of its own, for it is as much code as all else."""
        initial = self.job.initial

        def emit(clone: ir.Operation, bounds: list[ir.Value]) -> None:
            constant = None if initial is None else initial.owner.attributes["value"]
            job = Job.of(clone, constant)
            sums = SegmentSums.find(job, find_segments(job, None), self.target)
            assert sums is not None
            sums.emit(Range(*bounds), emit_part)

        outline(self.job.op, "gs_blocks", 1, emit).call([part.lower, part.upper])

    def _in_lanes(
        self, job: Job, dim: int, ranges: Mapping[int, Range], unit_strides: bool
    ) -> None:
        """`unit_strides`: all are known to be."""
        lanes = lane_count(job, dim, self.target.vector_bytes)
        target, in_segments = self.target, self.segments is not None
        within = None if self.segments is None else self.segments.dim
        asked = prefetches_in_lanes(job, dim, lanes, self._skipping, within, target.asking)
        tell_lanes(job, dim, lanes, in_segments)
        tell_prefetches(job, asked)

        def nest(asked: Prefetches, streaming: Streaming | None = None) -> None:
            shares = (ranges, self.owner, self.halo)
            Nest(job, dim, lanes, *shares, asked, streaming, self.segments).emit()

        def kept() -> None:
            if narrow is None or self.narrow_rows is None:
                nest(asked)
            else:
                either(narrow, self.narrow_rows, lambda: nest(asked))

        part = ranges.get(dim, Range(0, job.extents[dim]))
        narrow = None
        if unit_strides and self.segments is None and target.uses("narrow-rows"):
            narrow = is_narrow(job, dim, part, lanes)
        if narrow is not None:
            tell_narrow(job, dim, lanes)
        in_one = _but_for_stores(job, dim, asked)
        _, reduced = job.loop_order(dim)
        anywhere = not (reduced or in_one or job.by_elements(dim)) and self.segments is None
        streaming = streaming_rows(
            job,
            dim,
            lanes,
            target.stream_least(moves_long_rows(job, dim)),
            target.stream_reads,
            target.stream_scattered,
            part.size if anywhere else None,
        )
        if streaming is None or not target.uses("streaming"):
            kept()
            return
        tell_streaming(job, streaming.rows is not None)
        if in_one:
            # A branch for each vector is nothing beside its elements, and half of the code.
            nest(asked, streaming)
            when(streaming.condition, fence)
            return

        def streamed() -> None:
            nest(asked.of_streams(job, streaming.rows), streaming._replace(condition=True))
            fence()

        either(streaming.condition, streamed, kept)


def _but_for_stores(job: Job, dim: int, asked: Prefetches) -> bool:
    """Whether elements are put together in the same way before they are stored past the caches as
    before they are stored through them, or are there already."""
    return (
        (bool(job.by_elements(dim)) or not job.inputs)
        and asked.of_streams(job, None) == asked
        and moved_by_words(job, dim) is None
        and not any(lie_apart(job, ref, dim) for ref in job.inputs)
    )


def tell_lanes(job: Job, dim: int, lanes: int, in_segments: bool) -> None:
    """What runs in vectors."""
    reason = "outputs step by one element along it"
    if not job.reaches_outputs(dim):
        reason = "inputs step along it, and their sum may be grouped"
    text = f"d{dim} in vectors of {lanes}: {reason}"
    gathered = [job.inputs[number] for number in sorted(job.gathered)]
    alone = [ref for ref in job.by_elements(dim) if not any(ref is one for one in gathered)]
    if gathered:
        is_known = job.gathered_where is None
        where = "" if is_known else " where a cache near the core holds them, else by elements"
        text += f"; {names(job, gathered)} by the core's gathers{where}"
    if alone:
        text += f"; {names(job, alone)} by elements, each has a coordinate of its own"
    if job.masked:
        text += "; those out of bounds read the first one instead, and take the fill"
    if moved_by_words(job, dim) is not None:
        text += f"; of whole vectors {WORD} bytes make a word, but past the caches"
    remark(job, text)
    if job.sums_in_memory(dim):
        remark(job, "sums stay in memory: slices at coordinates are read in the order they lie in")
    _tell_segments(job, in_segments)


def tell_elements(job: Job, instead: Sequence[str], in_segments: bool) -> None:
    """That there are no vectors, or for what there are none."""
    if instead:
        remark(job, f"element by element, {' or '.join(instead)}")
        return
    if not job.body.vectorizable:
        reason = "the body holds ops that vectors do not have"
    elif not all(vector_element(ref.storage) for ref in job.refs):
        reason = "the elements are of a type that vectors do not hold"
    else:
        reason = "along no dim all outputs step by one element"
    remark(job, f"element by element: {reason}")
    _tell_segments(job, in_segments)


def _tell_segments(job: Job, in_segments: bool) -> None:
    if in_segments:
        remark(job, "in segments: sorted coordinates leave one row of the output in registers")
