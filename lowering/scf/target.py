"""What the lowering knows of the machine that the loops run on."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

# The smallest memref whose single elements are prefetched: caches near the core hold less.
FAR = 4 << 20

# The smallest memref whose single elements are prefetched where they are only written.
FAR_SET = 1 << 20

# Bytes of rows that are on their way to the first-level cache at a time.
ROW_AHEAD = 8192

# Points ahead that single elements are asked for, at least.
ELEMENTS_AHEAD = 32

# Short rows ahead that lie apart.
APART_AHEAD = 16

# Bytes ahead, where lines of long rows are asked for one by one.
LINES_AHEAD = 2048

# Bytes of which the second-level cache may hold all that moves.
COPIED_LEAST = 1 << 20


class Asking(NamedTuple):
    """`write_ahead` and `read_ahead` are the bytes ahead of stores and of loads in order that their
    lines are asked for, 0 for never, `element_write_ahead` those ahead of stores in loops that read
    elements one by one; `sparing`: loads ask only where hardly anything else asks for lines or
    waits for them. `level` is the cache that rows at coordinates come to, 1 or 2, `element_level`
    that for single elements, and for rows of a few lines that lie apart. Of rows, `row_ahead` bytes
    are on their way at a time; of long ones lines are asked for one by one, `lines_ahead` bytes
    before they are needed, and where memcpy copies rows, `copied_ahead` bytes of the next one
    before each, if `copied_least` bytes move in all, and nothing ahead of their stores. Of rows
    that only move, but for short ones, `moved_ahead` bytes are on their way to the second-level
    cache, 0 for as of others; so of rows of two lines and more that are read from memrefs of
    `memory_rows` bytes or more, or updated in `memory_updates`, 0 for never. Beside rows and
    windows loads ask `beside_ahead` bytes ahead, if that is more, beside counts, where nothing else
    is read in order, `counts_ahead` bytes, 0 for as ever. `sums_ahead` stands for `read_ahead`
    beside sums at coordinates of `cached` bytes and more that are read in order, 0 for never.

    Single elements are asked for in `far` bytes or more; in `far_reduced`, where loops only sum
    them up; in `far_taken`, where each is found by one coordinate and what comes of it is written
    in order; in `far_set`, where they are written and not read.

    They are asked for `elements_ahead` points ahead. A core that has more lines on their way to its
    second cache than to its first one asks for twice as many there. Of memrefs of `element_near`
    bytes and less they come to the first one all the same, where they are only read. Rows of a few
    lines that lie apart are asked for `apart_ahead` rows ahead, and twice as many in the same way.
    """

    write_ahead: int = 0
    element_write_ahead: int = 0
    read_ahead: int = 0
    sparing: bool = False
    level: int = 1
    element_level: int = 1
    element_near: int = 0
    far: int = FAR
    far_reduced: int = FAR
    far_taken: int = FAR
    far_set: int = FAR_SET
    elements_ahead: int = ELEMENTS_AHEAD
    apart_ahead: int = APART_AHEAD
    row_ahead: int = ROW_AHEAD
    lines_ahead: int = LINES_AHEAD
    copied_ahead: int = 0
    copied_least: int = COPIED_LEAST
    beside_ahead: int = 0
    counts_ahead: int = 0
    moved_ahead: int = 0
    memory_rows: int = 0
    memory_updates: int = 0
    sums_ahead: int = 0
    cached: int = 0


Gathers = Literal["never", "fill", "always"]
"""What a core's gathers are used for: `fill` where each lane may be out of bounds by itself, which
they leave out by a mask."""


class Gathering(NamedTuple):
    """What a core's gathers are used for: elements of memrefs of up to `most` bytes, or
    `most_under_fill` where lanes may be out of bounds by themselves, 0 for any."""

    kinds: Gathers = "never"
    most: int = 0
    most_under_fill: int = 0


BUCKET_BYTES = 1 << 14
"""Bytes of the output that a bucket reaches: half of a first-level cache."""


ROW_BYTES = 128
"""Bytes of a row of a strip: two lines, which come together. A core may want more where rows are
copied back."""


MOST_VECTOR_BYTES = 4096
"""Bytes of a vector that loops are written with, at most."""

# Bytes of columns that a thread takes, at least, in whole lines.
COLUMN_BYTES = 256

# The smallest output that threads own in pieces of less than a line: a second-level cache.
OWNED_BYTES = 1 << 20


@dataclass(frozen=True)
class Target:
    """What the loops of an op are made for: `targets.Facts`, for so many threads. How lines are
    asked for stands by itself. `copied_stream_bytes` is 0 for as many as `stream_bytes`."""

    vector_bytes: int = 64
    threads: int = 1
    cache_bytes: int = 0
    stream_bytes: int = 0
    copied_stream_bytes: int = 0
    stream_reads: int = 0
    stream_scattered: bool = True
    gathering: Gathering = field(default_factory=Gathering)
    pack_words: bool = True
    owned_bytes: int = OWNED_BYTES
    records_bytes: int = OWNED_BYTES
    bucket_bytes: int = BUCKET_BYTES
    column_bytes: int = COLUMN_BYTES
    written_strip_bytes: int = ROW_BYTES
    asking: Asking = field(default_factory=Asking)
    disabled: frozenset[str] = frozenset()

    def uses(self, strategy: str) -> bool:
        """Whether the strategy of this name, see `table`, is not disabled."""
        return strategy not in self.disabled

    def stream_least(self, by_memcpy: bool) -> int:
        """Bytes touched from which stores past the caches pay, 0 for never; `by_memcpy`: what they
        stand for."""
        return self.copied_stream_bytes or self.stream_bytes if by_memcpy else self.stream_bytes

    def near(self) -> "Target":
        """For loops of one thread over what the caches hold."""
        asking = self.asking._replace(write_ahead=0, read_ahead=0, sparing=False)
        return Target(
            self.vector_bytes,
            gathering=self.gathering,
            pack_words=self.pack_words,
            asking=asking,
            disabled=self.disabled,
        )
