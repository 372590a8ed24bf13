"""Every distance and threshold of loops, as a formula of the target.

`Policy` has a number for each; `policy` computes them. Sizes are in bytes. Numbers measured in
GB/s, ns and us are rounded to powers of two where sizes are made of them: what is measured twice
gives the same loops.
"""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from mlir_gs.lowering.scf.target import MOST, Target, check_bounds

Rule = Callable[[Target], Any]


def _power(size: float) -> int:
    """The nearest power of two, 0 of less than a half."""
    return 1 << (round(size * 4 / 3).bit_length() - 1) if size >= 0.5 else 0


def _lines_l1(target: Target) -> int:
    """Lines on their way to L1: at least one for 24 that it has, where nobody measured more."""
    return max(target.lines_l1, target.l1_bytes // (24 * target.line))


def _lines(target: Target) -> int:
    """Lines on their way to the cache that prefetches go to."""
    return target.lines_l2 if _level(target) == 2 else _lines_l1(target)


def _level(target: Target) -> int:
    return 2 if target.lines_l2 > 1.25 * _lines_l1(target) else 1


def _rule(of: Rule, text: str) -> Any:
    return field(default=of(Target()), metadata={"of": of, "help": text})


@dataclass(frozen=True)
class Policy:
    """Thresholds and distances of an op's loops. Raises ValueError for a number out of bounds."""

    threads: int = 1
    disabled: tuple[str, ...] = ()

    # All loops.
    vector_bytes: int = _rule(lambda t: t.vector_bytes, "width of a vector register, in bytes")
    line: int = _rule(
        lambda t: t.line, "granularity of ownership between threads, in bytes: a cache line"
    )
    serial_bytes: int = _rule(
        lambda t: _power(16e3 * t.fork_us * t.read_gbs),
        "an op that moves fewer bytes runs on one thread: the bytes read during 16 forks, "
        "since threads may be asleep",
    )
    cache_bytes: int = _rule(
        lambda t: t.llc_bytes,
        "working set that stays in the caches, in bytes: the last-level cache",
    )
    together: int = _rule(
        lambda t: 4, "points whose sequential inputs are read before the first of them writes: 4"
    )
    # Strips of columns.
    strip_bytes: int = _rule(
        lambda t: 3 * t.l2_bytes // 4,
        "size of a strip in bytes: 3/4 of L2, the rest is for streams",
    )
    strip_row_bytes: int = _rule(
        lambda t: 2 * t.line,
        "width of a strip's row in bytes: two lines, which the CPU fetches as a pair",
    )
    strip_matrix_bytes: int = _rule(
        lambda t: 2 * t.l2_bytes, "size of a matrix in bytes from which strips pay: 2 L2"
    )
    rows_per_point: int = _rule(
        lambda t: 4,
        "a column is copied to a strip if it has at most this many rows per point: 4; four "
        "times as many if the matrix is in memory",
    )
    # Private copies.
    copies_bytes: int = _rule(
        lambda t: t.l2_bytes // 4,
        "size of a private copy in bytes: 1/4 of L2, so that it stays in the thread's cache",
    )
    points_per_element: int = _rule(
        lambda t: 16,
        "least number of points per element of a private copy, which is filled and reduced "
        "once: 16",
    )
    # Parts of the output that threads own.
    column_bytes: int = _rule(
        lambda t: 4 * t.line, "least width in bytes of a thread's part of the columns: four lines"
    )
    looked_at_points: int = _rule(
        lambda t: t.l1_bytes // 32,
        "points that an owner looks at before it runs its own: 1/32 of the bytes of L1",
    )
    windows_per_part: int = _rule(
        lambda t: 8,
        "least number of windows per thread: 8, since windows across a border run twice",
    )
    reading_threads: int = _rule(
        lambda t: math.ceil(t.read_gbs * t.latency_ns / (_lines(t) * t.line)),
        "threads from which owned short rows are read as fast as one thread reads rows in order, "
        "and single elements are owned: read bandwidth over that of the lines in flight",
    )
    # How elements move.
    gathered_bytes: int = _rule(
        lambda t: t.gather_bytes,
        "size of a memref in bytes up to which hardware gathers load from it",
    )
    gathered_fill_bytes: int = _rule(
        lambda t: min(32 * t.gather_bytes, MOST),
        "the same limit under mode fill, where a gather also saves branches: 32 times as much",
    )
    stream_bytes: int = _rule(
        lambda t: 3 * t.llc_bytes // 4 if t.stream_gbs > t.write_gbs else 0,
        "working set in bytes from which stores are non-temporal, 0: never. 3/4 of the "
        "last-level cache, if non-temporal stores are faster",
    )
    stream_scattered: bool = _rule(
        lambda t: t.scattered_gbs > 0,
        "non-temporal stores also for rows at coordinates: if they are faster there",
    )
    # Tiles of sums.
    tile_vectors: int = _rule(
        lambda t: 24 if t.vector_bytes >= 64 else 12,
        "accumulators of a register tile, in vectors: 3/4 of 32 registers of 64 bytes, or of "
        "16 smaller ones",
    )
    tile_bytes: int = _rule(
        lambda t: t.l2_bytes // 16,
        "size in bytes of a packed panel of the shared matrix: 1/16 of L2, from where it "
        "streams to L1",
    )
    # Prefetches.
    prefetch_level: int = _rule(
        _level,
        "cache level of prefetches: 2 if clearly more lines can be in flight to L2, else 1; "
        "those to L1 are at least one for 24 of its lines",
    )
    far_bytes: int = _rule(
        lambda t: t.l2_bytes,
        "size in bytes of a memref at coordinates from which rows of 1 to 15 lines are "
        "prefetched: L2",
    )
    memory_bytes: int = _rule(
        lambda t: max(t.l2_bytes, t.llc_bytes // 2),
        "bytes of all memrefs at coordinates in a loop from which elements and shorter rows are "
        "prefetched, of which a core has enough on their way: half the LLC, at least L2",
    )
    elements_ahead: int = _rule(
        lambda t: 4 * _lines(t),
        "prefetch distance of single elements: four times the lines in flight, as a core itself "
        "starts the loads of some iterations early",
    )
    row_ahead: int = _rule(
        lambda t: 8 * _lines(t) * t.line,
        "prefetch distance of rows in bytes: eight times the lines in flight",
    )
    rows_ahead: int = _rule(lambda t: 32, "upper bound of that distance in rows: 32")
    read_ahead: int = _rule(
        lambda t: _power(t.latency_ns * t.read_gbs),
        "prefetch distance of sequential inputs next to coordinates: bytes read in one "
        "latency; rows in order are prefetched at least `row-ahead` bytes ahead",
    )
    write_ahead: int = _rule(
        lambda t: _power(t.latency_ns * t.read_gbs) if 4 * t.write_gbs < t.read_gbs else 0,
        "prefetch distance in bytes of sequential writes: as `read-ahead` if copies take "
        "more than four times as long as reads, else 0, the hardware prefetches",
    )
    long_row_bytes: int = _rule(
        lambda t: 32 * t.line,
        "size of a row in bytes from which its lines are prefetched one by one while an "
        "earlier row is read; also the least distance between prefetched short rows: 32 lines",
    )
    short_row_bytes: int = _rule(
        lambda t: 16 * t.line,
        "greatest size in bytes of a row that the hardware does not prefetch as a stream: 16 lines",
    )
    kept_row_bytes: int = _rule(
        lambda t: t.l2_bytes // 2,
        "greatest size in bytes of a row that is prefetched behind another: half of L2",
    )
    coordinates_per_ahead: int = _rule(
        lambda t: 2, "least number of coordinates per unit of the prefetch distance: 2"
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
