"""What the lowering knows of the machine that the loops run on."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple


class Prefetching(NamedTuple):
    """How `gs-prefetch` prefetches: see the facts of these names in `targets.Facts`."""

    far_bytes: int
    far_taken_bytes: int
    elements_ahead: int
    element_level: int
    row_ahead: int
    prefetch_level: int
    copied_ahead: int
    read_ahead: int
    write_ahead: int


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
    """What the loops of an op are made for: `targets.Facts`, for a number of threads.

    Stores of rows that memcpy could copy are non-temporal from `copied_stream_bytes` bytes touched,
    other stores from `stream_bytes`. If `copied_stream_bytes` is 0, `stream_bytes` holds for both.
    """

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
    disabled: frozenset[str] = frozenset()

    def uses(self, strategy: str) -> bool:
        """Whether the strategy of this name, see `table`, is not disabled."""
        return strategy not in self.disabled

    def stream_least(self, by_memcpy: bool) -> int:
        """Bytes touched from which non-temporal stores pay, 0 for never; `by_memcpy`: memcpy would
        move what they store."""
        return self.copied_stream_bytes or self.stream_bytes if by_memcpy else self.stream_bytes

    def near(self) -> "Target":
        """For loops of one thread over what the caches hold."""
        return Target(
            self.vector_bytes,
            gathering=self.gathering,
            pack_words=self.pack_words,
            disabled=self.disabled,
        )
