"""What the loops of one nest ask for before they need it, of every kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.affine import symbols_of
from mlir_gs.lowering.ir.emit import Ix, add, all_at_least
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.op.lines import Rows
from mlir_gs.lowering.op.long_rows import moves_long_rows
from mlir_gs.lowering.op.moving_window import moving_window
from mlir_gs.lowering.op.refs import Ref
from mlir_gs.lowering.op.volume import bytes_in, bytes_reached
from mlir_gs.lowering.scf.prefetch.elements import FarElements, far_elements, find_far
from mlir_gs.lowering.scf.prefetch.fronts import Front, fronts_ahead
from mlir_gs.lowering.scf.prefetch.next_row import NextRow, next_rows
from mlir_gs.lowering.scf.prefetch.rows import Prefetch, row_prefetches
from mlir_gs.lowering.scf.prefetch.rows_apart import RowsApart, rows_apart
from mlir_gs.lowering.scf.prefetch.streams import Streams, reads_ahead, writes_ahead
from mlir_gs.lowering.scf.prefetch.windows import FarWindows, far_windows
from mlir_gs.lowering.scf.remarks import names, remark
from mlir_gs.lowering.scf.target import Asking

# Bytes of an output that is a part of the first-level cache. Sums of 4M f32 into 1 KiB take 1.1
# times as long on a Zen 4 if what is read in order is asked for, into 16 KiB 0.84 times.
NEAR = 8 << 10

# Bytes of an output beside which what is read in order is asked for from further ahead, at most. On
# a Zen 5 sums of 4M f32 into 8 KiB to 2 MiB take 0.68 to 0.95 times as long like that, into 4 and 8
# MiB 0.94 to 1.06, by the moment.
SUMS = 2 << 20

# Points ahead that coordinates of single elements are asked for, at most: each element brings a
# line to the first-level cache, which has 512 on a Zen 4. Takes by i32 and i16 are 1.0 to 1.06
# times as fast there with 256 as with 512 and 1,024, which are 2 KiB.
MEANWHILE = 256


@dataclass(frozen=True)
class Prefetches:
    """Rows at coordinates, next rows, single elements, short rows, lines that are written or, by
    dim, read in order, what is read in order a block of owned points later, and by dim what windows
    reach. `asking` says how rows that run in lanes are asked for."""

    rows: Sequence[Prefetch] = ()
    next_rows: Sequence[NextRow] = ()
    far: FarElements | None = None
    apart: RowsApart | None = None
    writes: Streams | None = None
    reads: Mapping[int, Streams] = field(default_factory=dict)
    next_block: Streams | None = None
    windows: Mapping[int, Front | FarWindows] = field(default_factory=dict)
    asking: Asking = field(default_factory=Asking)

    def of_streams(self, job: Job, rows: Rows | None) -> "Prefetches":
        """Where lines are written past the caches: those are not asked for.

        Rows at coordinates that are not read are, into the second-level cache: their pages are
        found meanwhile. Into the first-level one they would come to be written, for nothing; but
        where `rows` do not begin with lines, the first and the last one of each are read.
        """
        asked = tuple(row.nearer() for row in self.rows)
        if self.asking.level == 1 and not job.body.uses(len(job.inputs)):
            ends = () if rows is None else [row.of_ends(rows.begin_lines) for row in asked]
            asked = tuple(replace(row, writes=()) for row in asked if row.reads)
            asked = (*asked, *(row for row in ends if row is not None))
        return replace(self, writes=None, rows=asked)


def prefetches_in_lanes(
    job: Job,
    dim: int,
    lanes: int,
    skipping: int | None,
    segments_dim: int | None,
    asking: Asking,
) -> Prefetches:
    """Those of a nest with `dim` in lanes; `segments_dim` runs through segments, points of the dim
    `skipping` are left out."""
    rows = row_prefetches(job, dim, asking, skipping, segments_dim is not None)
    following = next_rows(job, dim, lanes, asking.level)
    outer, inner = job.loop_order(dim)
    loops = [d for d in outer if job.extents[d] != 1]
    busy = asking.sparing and following
    distance = asking.read_ahead
    if rows and distance:
        # What is read in order waits for memory as those rows do.
        distance = max(distance, asking.beside_ahead)
    reads = {} if inner or busy else reads_ahead(job, [*outer, dim], skipping, distance)
    if job.by_elements(dim):
        reads = {d: replace(streams, most=MEANWHILE) for d, streams in reads.items()}
    if segments_dim is not None:
        # The loops between that over segments and that in lanes are at no point of the segment.
        last = outer.index(segments_dim) + 1 if segments_dim in outer else 0
        bound = {*outer[:last], dim}
        # Whole rows, of which nothing is read twice: more lines than the first cache has room for.
        reads = {d: replace(one, level=asking.level) for d, one in reads.items() if d in bound}
        return Prefetches(rows, following, reads=reads)
    far = find_far(job, dim, {dim, *outer}, [row.ref for row in following], asking=asking)
    elements = far_elements(job, dim, far, asking)
    return Prefetches(
        rows,
        following,
        elements,
        None if inner else rows_apart(job, [*outer, dim], asking),
        writes_ahead(job, dim, _write_ahead(job, dim, asking)),
        _as_far(reads, elements),
        windows=far_windows(job, dim, far, loops[-1] if loops and not inner else None, asking),
        asking=asking,
    )


def _write_ahead(job: Job, dim: int, asking: Asking) -> int:
    """Bytes ahead of the stores of loops with `dim` in lanes."""
    if job.by_elements(dim):
        return asking.element_write_ahead
    if asking.copied_ahead and moves_long_rows(job, dim):
        # By memcpy it is faster.
        return 0
    return asking.write_ahead


def _as_far(reads: Mapping[int, Streams], far: FarElements | None) -> Mapping[int, Streams]:
    """`reads` further ahead by what `far` reads coordinates ahead of their points."""
    if far is None or far.dim not in reads or not far.looks_far:
        return reads
    return {**reads, far.dim: replace(reads[far.dim], first=far.further())}


def prefetches_by_element(
    job: Job,
    segments_dim: int | None,
    strip: int,
    skipping: int | None,
    asking: Asking,
) -> Prefetches:
    """Those of a nest without lanes, of strips of `strip` points; `segments_dim` runs through
    segments, points of the dim `skipping` are left out."""
    outer, inner = job.loop_order(None)
    reduced = inner if segments_dim is None else [segments_dim, *inner]
    loops = [dim for dim in (*outer, *reduced) if job.extents[dim] != 1]
    if not loops:
        return Prefetches()
    following = [] if reduced else next_rows(job, loops[-1], strip, asking.level)
    asked = [row.ref for row in following]
    around = loops[-2] if len(loops) > 1 and not reduced else None
    busy = reduced or (asking.sparing and following)
    distance = asking.read_ahead
    if distance and any(_is_moved(job, ref, loops[0]) for ref in job.outputs):
        # No coordinate is waited for: places are known as far ahead.
        distance = max(distance, asking.beside_ahead)
    reads = {} if busy else reads_ahead(job, loops, skipping, distance)
    next_block = None
    if not asking.sparing or skipping is None:
        reads = _beside_updates(job, reads, asking)
    else:
        # Where points are listed there is nothing to do meanwhile.
        if skipping in reads:
            next_block = replace(reads[skipping], level=asking.element_level)
        reads = {}
    owned = skipping is not None
    far = find_far(
        job,
        loops[-1],
        set(job.extents),
        asked,
        asking=asking,
        owned=owned,
        writes_too=not reduced,
    )
    # Lists of owned points are short. Of what is only summed up, products of sparse matrices with
    # vectors take 1.02 to 1.07 times as long from further ahead on a Zen 5.
    near = owned or bool(reduced)
    elements = far_elements(job, loops[-1], far, asking, near=near)
    windows: dict[int, FarWindows | Front] = {}
    if not reduced and not owned:
        windows = {
            **fronts_ahead(job, loops, asking.write_ahead),
            **far_windows(job, loops[-1], far, around, asking),
        }
    return Prefetches(
        (),
        following,
        elements,
        None if reduced else rows_apart(job, loops, asking),
        None,
        _as_far(reads, elements),
        next_block,
        windows,
    )


def _is_moved(job: Job, ref: Ref, dim: int) -> bool:
    """`dim` moves a window along the last dimension of `ref`."""
    last = list(ref.map.results)[-1:]
    return any(symbols_of(expr) and moving_window(job, expr, dim) for expr in last)


def _beside_updates(
    job: Job, reads: Mapping[int, Streams], asking: Asking
) -> Mapping[int, Streams]:
    """`reads` by what they come beside. Sums into a few elements wait for each other, so that some
    cores gain nothing; sums into somewhat more wait for what is read from memory, and counts for
    their coordinates, beside which nothing else is read."""
    if asking.counts_ahead and job.body.uses(len(job.inputs)) and len(_streams(reads)) == 1:
        return {d: replace(streams, distance=asking.counts_ahead) for d, streams in reads.items()}
    past = _come_from_memory(job, reads, asking)
    if past is True:
        return {d: replace(streams, distance=asking.sums_ahead) for d, streams in reads.items()}
    if past is not False:
        instead = past, asking.sums_ahead
        return {d: replace(streams, instead=instead) for d, streams in reads.items()}
    far = not asking.sparing or all_at_least(
        [(bytes_reached(job, ref), NEAR) for ref in job.outputs]
    )
    if far is False:
        return {}
    enabled = None if far is True else far
    return {d: replace(streams, enabled=enabled) for d, streams in reads.items()}


def _come_from_memory(job: Job, reads: Mapping[int, Streams], asking: Asking) -> ir.Value | bool:
    """Whether `reads` do, beside sums into elements that lie near enough."""
    if not reads or not asking.sums_ahead or not job.body.uses(len(job.inputs)):
        return False
    read: Ix = 0
    for ref in _streams(reads):
        read = add(read, bytes_in(ref.memref))
    return all_at_least(
        [(read, asking.cached), *((SUMS, bytes_reached(job, ref)) for ref in job.outputs)]
    )


def _streams(reads: Mapping[int, Streams]) -> list[Ref]:
    """What they go through, each once."""
    return list({id(ref): ref for streams in reads.values() for ref in streams.refs}.values())


def tell_prefetches(job: Job, asked: Prefetches) -> None:
    """What is asked for before it is needed."""
    rows, far, apart, writes = asked.rows, asked.far, asked.apart, asked.writes
    for row in rows:
        which = f"the rows of {names(job, [*row.reads, *row.writes])}"
        if isinstance(row.distance, int):
            which += f" {row.distance} ahead"
        elif not row.spread:
            which += f" up to {row.asking.row_ahead} bytes ahead"
        if row.second is not False:
            which += ", of what no cache holds into the second-level one"
        _tell_asked(job, which, row.enabled, "coordinates say where they are")
    for row in asked.next_rows:
        which = f"the next row of {names(job, [row.ref])}"
        _tell_asked(job, which, row.enabled, "most of its lines are needed, in any order")
    if far is not None:
        is_known = isinstance(far.distance, int)
        points = f"{far.distance} points" if is_known else "up to a quarter of the points"
        which = f"elements of {names(job, [*far.reads, *far.writes])} {points} ahead"
        if far.near is not False:
            which += " into the first-level cache"
            which += "" if far.near is True else ", or the second-level one"
        _tell_asked(job, which, far.enabled, "no cache holds all of them")
    if apart is not None:
        _tell_asked(job, "short rows ahead", None, "they lie far apart")
    if writes is not None:
        which = f"lines of {names(job, writes.refs)} {writes.distance} bytes ahead of its stores"
        _tell_asked(job, which, writes.enabled, "the core owns them when the stores come")
    for dim, one in asked.windows.items():
        which = f"what the window in {names(job, one.refs)} reaches {one.steps} steps ahead"
        _tell_asked(job, which, one.enabled, f"d{dim} moves it to lines not touched before")
    if asked.reads:
        streams = next(iter(asked.reads.values()))
        which = f"what it reads in order {streams.distance} bytes ahead"
        if streams.instead is not None:
            which += f", {streams.instead[1]} where it comes from memory"
        _tell_asked(job, which, None, "the hardware looks less far")


def _tell_asked(job: Job, which: str, enabled: ir.Value | None, why: str) -> None:
    when = "" if enabled is None else ", where sizes speak for it"
    remark(job, f"asks for {which}{when}: {why}")
