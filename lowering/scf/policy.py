"""Every distance and threshold of loops, as a formula of the target.

`Policy` has a number for each; `policy` computes them. Sizes are in bytes. Numbers measured in
GB/s, ns and us are rounded to powers of two where sizes are made of them: what is measured twice
gives the same loops.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from mlir_gs.lowering.scf.target import MOST, Target, check_bounds

Rule = Callable[[Target], Any]


def _power(size: float) -> int:
    """The nearest power of two, 0 of less than a half."""
    return 1 << (round(size * 4 / 3).bit_length() - 1) if size >= 0.5 else 0


def _lines(target: Target) -> int:
    """Lines on their way to the cache that prefetches go to."""
    return target.lines_l2 if _level(target) == 2 else target.lines_l1


def _level(target: Target) -> int:
    return 2 if target.lines_l2 > 1.25 * target.lines_l1 else 1


def _read_ahead(target: Target) -> int:
    return _power(target.latency_ns * target.read_gbs / 2)


def _rule(of: Rule, text: str) -> Any:
    return field(default=of(Target()), metadata={"of": of, "help": text})


@dataclass(frozen=True)
class Policy:
    """What the loops of an op go by. Raises ValueError for a number out of its bounds."""

    threads: int = 1
    disabled: tuple[str, ...] = ()

    # All loops.
    vector_bytes: int = _rule(lambda t: t.vector_bytes, "bytes of a vector of loops")
    line: int = _rule(lambda t: t.line, "bytes that threads do not share: a cache line")
    serial_bytes: int = _rule(
        lambda t: _power(16e3 * t.fork_us * t.read_gbs),
        "bytes that an op moves from which threads share it: what is read during 16 forks, as "
        "threads may have gone to sleep",
    )
    cache_bytes: int = _rule(lambda t: t.llc_bytes, "bytes that the caches hold: the last one")
    together: int = _rule(
        lambda t: 4, "points of which all is read that is read in order before one writes: 4"
    )
    # Strips of columns.
    strip_bytes: int = _rule(
        lambda t: 3 * t.l2_bytes // 4,
        "bytes of a strip: 3/4 of L2, the rest is for what streams through",
    )
    strip_row_bytes: int = _rule(
        lambda t: 2 * t.line, "bytes of a row of a strip: two lines, which come together"
    )
    strip_matrix_bytes: int = _rule(
        lambda t: 2 * t.l2_bytes, "bytes of a matrix from which strips pay: 2 L2"
    )
    rows_per_point: int = _rule(
        lambda t: 4,
        "rows for each point of a column, at most: all rows are copied to a strip: 4; of a matrix "
        "in memory four times as many",
    )
    # Buckets of points.
    bucket_bytes: int = _rule(
        lambda t: t.l1_bytes // 2, "bytes of the output that a bucket reaches: half of L1"
    )
    most_bucket_bytes: int = _rule(
        lambda t: t.l2_bytes // 8, "bytes that it may reach if there are too many: 1/8 of L2"
    )
    most_buckets: int = _rule(
        lambda t: 2 * t.l1_bytes // t.line,
        "buckets, at most: lines of two L1, whose ends a core has at hand while it sorts",
    )
    sorted_bytes: int = _rule(
        lambda t: 4 * t.l2_bytes, "bytes of an output from which sorting pays: 4 L2"
    )
    sorted_row_bytes: int = _rule(
        lambda t: 2 * t.line, "bytes of its rows, at least: sorting moves two lines for a point"
    )
    points_per_row: int = _rule(
        lambda t: 2, "points for each row, at least, so that some meet in one: 2"
    )
    # Private copies.
    copies_bytes: int = _rule(
        lambda t: t.l2_bytes // 4, "bytes of a thread's copy, so that its cache keeps it: 1/4 of L2"
    )
    turns_bytes: int = _rule(
        lambda t: t.l1_bytes, "bytes of copies that points of one thread take in turns: L1"
    )
    points_per_element: int = _rule(
        lambda t: 16, "points for each element of a copy, which is filled and read once more: 16"
    )
    # Parts of the output that threads own.
    column_bytes: int = _rule(
        lambda t: 4 * t.line, "bytes of the columns that a thread takes, at least: four lines"
    )
    records_bytes: int = _rule(
        lambda t: t.l2_bytes // 4,
        "bytes of an output whose owner lists what its points read: 1/4 of L2",
    )
    listed_points: int = _rule(
        lambda t: t.l1_bytes // 16, "points that are looked at for a list: 1/16 of the bytes of L1"
    )
    piece_bytes: int = _rule(
        lambda t: t.l1_bytes // 8, "bytes of the output that a thread owns on end: 1/8 of L1"
    )
    windows_per_part: int = _rule(
        lambda t: 8, "windows that a thread's part holds, at least: those at its borders run twice"
    )
    # How elements move.
    gathered_bytes: int = _rule(
        lambda t: t.gather_bytes, "bytes of a memref up to which hardware gathers load from it"
    )
    gathered_fill_bytes: int = _rule(
        lambda t: min(32 * t.gather_bytes, MOST),
        "bytes of one under mode fill, where a gather saves branches as well: 32 times as much",
    )
    stream_bytes: int = _rule(
        lambda t: 3 * t.llc_bytes // 4 if t.stream_gbs > t.write_gbs else 0,
        "bytes touched from which stores are non-temporal, 0 for never: 3/4 of the last cache, if "
        "such stores are faster",
    )
    stream_scattered: bool = _rule(
        lambda t: t.scattered_gbs > 0,
        "whether stores of rows at coordinates are: if that is faster",
    )
    # Tiles of sums.
    tile_vectors: int = _rule(
        lambda t: 24 if t.vector_bytes >= 64 else 12,
        "vectors of sums in registers: 3/4 of 32 registers of 64 bytes, or of 16 others",
    )
    tile_bytes: int = _rule(
        lambda t: t.l2_bytes // 16,
        "bytes of what their rows share, copied to lie together: 1/16 of L2, it streams to L1",
    )
    # Sums of blocks.
    sums_bytes: int = _rule(
        lambda t: t.l1_bytes // 2, "bytes of a block of what points add: half of L1"
    )
    sums_many: int = _rule(
        lambda t: 1 << 14, "sums of which a core forgets where each ends: 16384 branches"
    )
    sums_short: int = _rule(lambda t: 16, "points of a sum, at most, so that blocks pay: 16")
    # Prefetches.
    prefetch_level: int = _rule(
        _level, "cache that lines come to: 2 if clearly more can be on their way there, else 1"
    )
    far_bytes: int = _rule(
        lambda t: t.l2_bytes,
        "bytes of a memref at coordinates from which loads wait, and are prefetched: L2",
    )
    elements_ahead: int = _rule(
        lambda t: 2 * _lines(t), "how many elements ahead: twice the lines on their way"
    )
    row_ahead: int = _rule(
        lambda t: 8 * _lines(t) * t.line,
        "how many bytes of rows ahead: eight times the lines on their way",
    )
    rows_ahead: int = _rule(lambda t: 32, "rows on their way, at most: 32")
    read_ahead: int = _rule(
        _read_ahead,
        "how many bytes ahead what is read in order, next to coordinates: half of what comes "
        "during the latency, the hardware fetches ahead as well",
    )
    write_ahead: int = _rule(
        lambda t: 2 * _read_ahead(t) if 4 * t.write_gbs < t.read_gbs else 0,
        "bytes ahead that ordered writes are prefetched: two read-ahead if copies take more than "
        "four times as long as reads, else the hardware does it",
    )
    long_row_bytes: int = _rule(
        lambda t: 32 * t.line,
        "bytes of a row whose lines come one by one, while an earlier row's are read, and from a "
        "short row to the next one where short rows are prefetched: 32 lines",
    )
    short_row_bytes: int = _rule(
        lambda t: 16 * t.line, "bytes of a row, at most, that is no stream to the hardware"
    )
    lines_per_point: int = _rule(
        lambda t: 2, "lines of a row for each point in it, at most, to prefetch the whole row: 2"
    )
    coordinates_per_ahead: int = _rule(
        lambda t: 2, "coordinates for each that is on its way, at least: 2"
    )

    def __post_init__(self) -> None:
        check_bounds(self)
        if self.prefetch_level not in (1, 2):
            raise ValueError(f"prefetch-level must be 1 or 2, found {self.prefetch_level}")

    def uses(self, strategy: str) -> bool:
        """Whether the strategy of this name, see `table`, is not disabled."""
        return strategy not in self.disabled

    def near(self) -> "Policy":
        """For loops of one thread over what the caches hold."""
        return replace(self, threads=1, stream_bytes=0)


NUMBERS = tuple(one for one in fields(Policy) if "of" in one.metadata)
"""The fields of a policy that are computed of a target, by `metadata["of"]`; `"help"` says how."""


def policy(
    target: Target,
    threads: int = 1,
    disabled: Collection[str] = (),
    given: Mapping[str, Any] | None = None,
) -> Policy:
    """The policy for a machine, and so many threads that share an op; numbers that are `given` by
    name are not computed."""
    numbers = {one.name: one.metadata["of"](target) for one in NUMBERS}
    return Policy(threads=threads, disabled=tuple(sorted(disabled)), **{**numbers, **(given or {})})
