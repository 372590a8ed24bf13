"""What `convert-gs-to-scf` chose for an op and why, in words.

The notes are of kind "runs"; `gs-opt --gs-explain` and `gs-run --time` print them. Dims are those
of the `gs.generic` after neighbours have become one dim; operands are counted by role.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from mlir_gs.dialect._bindings import ir
from mlir_gs.lowering.body import vector_element
from mlir_gs.lowering.explain import note
from mlir_gs.lowering.job import Job
from mlir_gs.lowering.overwritten import Overwritten
from mlir_gs.lowering.plan import Split
from mlir_gs.lowering.prefetches import Prefetches
from mlir_gs.lowering.refs import Ref
from mlir_gs.lowering.strips import Strips
from mlir_gs.lowering.words import WORD, moved_by_words

_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


@contextmanager
def parts_of_a_strategy() -> Iterator[None]:
    """Loops that are part of what has been told already are not told apart."""
    token = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(token)


def _tell(job: Job, text: str) -> None:
    if not _quiet.get():
        note(job.op, "runs", text)


def tell_threads(job: Job, split: Split | None, threads: int) -> None:
    """How threads share the op."""
    if split is None:
        _tell(job, "on one thread: points may write to one place, and no dim keeps them apart")
    elif split.owned is not None:
        _tell(
            job,
            f"on {threads} threads, where enough moves: each runs the points that reach its part "
            "of the output, in order",
        )
    elif split.halo is not None:
        moved = split.halo.window.dim
        _tell(
            job,
            f"on {threads} threads, where enough moves and windows are small: each runs the points "
            f"of d{moved} that reach its part of the output, in order; those at a border run on "
            "both sides",
        )
    else:
        dims = " or ".join(f"d{cut.dim}" for cut in split.cuts)
        _tell(
            job,
            f"on {threads} threads, where enough moves: each has a part of {dims}, at whose "
            "points other elements are written",
        )


def tell_one_thread(job: Job, why: str) -> None:
    """That threads do not share the op."""
    _tell(job, f"on one thread: {why}")


def tell_private(job: Job, copies: int, threads: int, condition: ir.Value | bool) -> None:
    """That each thread has copies of the output."""
    when = "" if condition is True else ", where it is small beside the work"
    into = "a copy" if copies == 1 else f"{copies} copies, in turns,"
    _tell(
        job,
        f"on {threads} thread{'s' if threads > 1 else ''}{when}: each combines into {into} of the "
        "small output; points may be grouped",
    )


def tell_strips(job: Job, strips: Strips, condition: ir.Value | bool) -> None:
    """That columns run in strips."""
    when = "" if condition is True else ", where the matrix is far larger than a strip"
    _tell(
        job,
        f"in strips of {strips.columns} positions of d{strips.dim}{when}: each has coordinates of "
        "its own, and a strip fits into the cache",
    )


def tell_overwritten(job: Job, found: Overwritten) -> None:
    """That not all points run."""
    last = f"; of the last {found.windows} of d{found.moved} all do" if found.windows else ""
    points = "the point" if len(found.stay) == 1 else f"the {len(found.stay)} points"
    _tell(
        job,
        f"only {points} of d{found.dim} that no later one overwrites run{last}",
    )


def tell_buckets(job: Job, condition: ir.Value | bool) -> None:
    """That points are sorted first."""
    when = "" if condition is True else ", where the output is large and its rows are met often"
    _tell(
        job,
        f"in buckets{when}: points are sorted by the part of the output that they reach, which "
        "then fits into the cache",
    )


def tell_slice_sums(op: ir.Operation, threads: int) -> None:
    """That rows of adjacent slices are summed up from a buffer."""
    on = "on one thread" if threads == 1 else f"on {threads} threads, where enough moves"
    note(
        op,
        "runs",
        f"{on}: each slice ends where the next one begins; where there are many and they are "
        "short, what a block of them adds goes to a buffer in vectors, and is summed up from there",
    )


def tell_segment_sums(job: Job) -> None:
    """That segments are summed up from a buffer."""
    _tell(
        job,
        "where segments are many and short, what a block of points adds goes to a buffer in "
        "vectors, and is summed up from there",
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
        text += f"; {_names(job, gathered)} by the core's gathers{where}"
    if alone:
        text += f"; {_names(job, alone)} by elements, each has a coordinate of its own"
    if job.masked:
        text += "; those out of bounds read the first one instead, and take the fill"
    if moved_by_words(job, dim) is not None:
        text += f"; of whole vectors {WORD} bytes make a word, but past the caches"
    _tell(job, text)
    if job.sums_in_memory(dim):
        _tell(job, "sums stay in memory: slices at coordinates are read in the order they lie in")
    _tell_segments(job, in_segments)


def tell_narrow(job: Job, dim: int, lanes: int) -> None:
    """What runs rows of less than a vector."""
    _tell(
        job,
        f"less than {lanes} of d{dim} as two shorter vectors, which may overlap: in loops of their "
        "own for each length of those",
    )


def tell_elements(job: Job, instead: Sequence[str], in_segments: bool) -> None:
    """That there are no vectors, or for what there are none."""
    if instead:
        _tell(job, f"element by element, {' or '.join(instead)}")
        return
    if not job.body.vectorizable:
        reason = "the body holds ops that vectors do not have"
    elif not all(vector_element(ref.storage) for ref in job.refs):
        reason = "the elements are of a type that vectors do not hold"
    else:
        reason = "along no dim all outputs step by one element"
    _tell(job, f"element by element: {reason}")
    _tell_segments(job, in_segments)


def _tell_segments(job: Job, in_segments: bool) -> None:
    if in_segments:
        _tell(job, "in segments: sorted coordinates leave one row of the output in registers")


def tell_prefetches(job: Job, asked: Prefetches) -> None:
    """What is asked for before it is needed."""
    rows, far, apart, writes = asked.rows, asked.far, asked.apart, asked.writes
    for row in rows:
        which = f"the rows of {_names(job, [*row.reads, *row.writes])}"
        if isinstance(row.distance, int):
            which += f" {row.distance} ahead"
        elif not row.spread:
            which += f" up to {row.asking.row_ahead} bytes ahead"
        if row.second is not False:
            which += ", of what no cache holds into the second-level one"
        _tell_asked(job, which, row.enabled, "coordinates say where they are")
    for row in asked.next_rows:
        which = f"the next row of {_names(job, [row.ref])}"
        _tell_asked(job, which, row.enabled, "most of its lines are needed, in any order")
    if far is not None:
        is_known = isinstance(far.distance, int)
        points = f"{far.distance} points" if is_known else "up to a quarter of the points"
        which = f"elements of {_names(job, [*far.reads, *far.writes])} {points} ahead"
        if far.near is not False:
            which += " into the first-level cache"
            which += "" if far.near is True else ", or the second-level one"
        _tell_asked(job, which, far.enabled, "no cache holds all of them")
    if apart is not None:
        _tell_asked(job, "short rows ahead", None, "they lie far apart")
    if writes is not None:
        which = f"lines of {_names(job, writes.refs)} {writes.distance} bytes ahead of its stores"
        _tell_asked(job, which, writes.enabled, "the core owns them when the stores come")
    for dim, one in asked.windows.items():
        which = f"what the window in {_names(job, one.refs)} reaches {one.steps} steps ahead"
        _tell_asked(job, which, one.enabled, f"d{dim} moves it to lines not touched before")
    if asked.reads:
        streams = next(iter(asked.reads.values()))
        which = f"what it reads in order {streams.distance} bytes ahead"
        if streams.instead is not None:
            which += f", {streams.instead[1]} where it comes from memory"
        _tell_asked(job, which, None, "the hardware looks less far")


def _tell_asked(job: Job, which: str, enabled: ir.Value | None, why: str) -> None:
    when = "" if enabled is None else ", where sizes speak for it"
    _tell(job, f"asks for {which}{when}: {why}")


def tell_copies(job: Job, ahead: ir.Value | None) -> None:
    """That rows move by memcpy, unless lines are asked for ahead of the stores."""
    when = "" if ahead is None else ", where no lines are asked for ahead of stores"
    _tell(job, f"long rows by memcpy{when}: they only move")


def tell_row_blocks(job: Job, dim: int, apart: Sequence[Ref], asks: bool) -> None:
    """That each lane has a row of its own, of which blocks are turned around."""
    text = f"rows of {_names(job, apart)} along d{dim} in blocks, a row in each lane: sums in order"
    _tell(job, f"{text}; asks for blocks of rows that come later" if asks else text)


def tell_streaming(job: Job, anywhere: bool) -> None:
    """That stores may bypass the caches; `anywhere`: wherever rows begin."""
    where = "wherever rows begin" if anywhere else "rows are aligned"
    link = ", " if anywhere else " and "
    _tell(job, f"stores past the caches where they cannot hold what is touched{link}{where}")


def _names(job: Job, refs: Sequence[Ref]) -> str:
    found = [
        f"{role} #{number}"
        for role, known in (("input", job.inputs), ("output", job.outputs))
        for number, ref in enumerate(known)
        if any(ref is one for one in refs)
    ]
    return " and ".join(found)
