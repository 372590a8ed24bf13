"""What the loops of one nest ask for before they need it, of every kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mlir_gs.lowering.job import Job
from mlir_gs.lowering.prefetch import Prefetch, row_prefetch
from mlir_gs.lowering.prefetch_apart import RowsApart, rows_apart
from mlir_gs.lowering.prefetch_elements import FarElements, far_elements
from mlir_gs.lowering.prefetch_fronts import Front, fronts_ahead
from mlir_gs.lowering.prefetch_next_row import NextRow, next_rows
from mlir_gs.lowering.prefetch_streams import Streams, reads_ahead, writes_ahead


@dataclass(frozen=True)
class Prefetches:
    """Rows at coordinates, next rows, single elements, short rows, lines that are written or, by
    dim, read in order, and by dim what windows reach."""

    rows: Prefetch | None = None
    next_rows: Sequence[NextRow] = ()
    far: FarElements | None = None
    apart: RowsApart | None = None
    writes: Streams | None = None
    reads: Mapping[int, Streams] = field(default_factory=dict)
    fronts: Mapping[int, Front] = field(default_factory=dict)


def prefetches_in_lanes(
    job: Job,
    dim: int,
    lanes: int,
    skipping: int | None,
    in_segments: bool,
    write_ahead: int,
    read_ahead: int,
) -> Prefetches:
    """Those of a nest with `dim` in lanes; points of the dim `skipping` are left out. The last two
    are bytes ahead."""
    rows = row_prefetch(job, dim, skipping, in_segments)
    following = next_rows(job, dim, lanes)
    outer, inner = job.loop_order(dim)
    loops = [d for d in outer if job.extents[d] != 1]
    reads = {} if inner else reads_ahead(job, [*outer, dim], skipping, read_ahead)
    if in_segments:
        return Prefetches(rows, following, reads=reads)
    return Prefetches(
        rows,
        following,
        far_elements(
            job,
            dim,
            {dim, *outer},
            [row.ref for row in following],
            around=loops[-1] if loops and not inner else None,
            read_ahead=read_ahead,
        ),
        None if inner else rows_apart(job, [*outer, dim]),
        writes_ahead(job, dim, write_ahead),
        reads,
    )


def prefetches_by_element(
    job: Job,
    segments_dim: int | None,
    strip: int,
    skipping: int | None,
    write_ahead: int,
    read_ahead: int,
) -> Prefetches:
    """Those of a nest without lanes, of strips of `strip` points; `segments_dim` runs through
    segments, points of the dim `skipping` are left out. The last two are bytes ahead."""
    outer, inner = job.loop_order(None)
    reduced = inner if segments_dim is None else [segments_dim, *inner]
    loops = [dim for dim in (*outer, *reduced) if job.extents[dim] != 1]
    if not loops:
        return Prefetches()
    following = [] if reduced else next_rows(job, loops[-1], strip)
    asked = [row.ref for row in following]
    around = loops[-2] if len(loops) > 1 and not reduced else None
    return Prefetches(
        None,
        following,
        far_elements(
            job,
            loops[-1],
            set(job.extents),
            asked,
            around=around,
            read_ahead=read_ahead,
            writes_too=not reduced,
        ),
        None if reduced else rows_apart(job, loops),
        None,
        {} if reduced else reads_ahead(job, loops, skipping, read_ahead),
        {} if reduced or skipping is not None else fronts_ahead(job, loops, write_ahead),
    )
