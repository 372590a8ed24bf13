"""What is prefetched, how far ahead, into which cache: three questions, from the target's facts."""

from mlir_gs.lowering.ir.emit import Ix, floor_div, maximum, minimum
from mlir_gs.lowering.op.volume import LINE
from mlir_gs.lowering.scf.target import Prefetching

L2_BYTES = 1 << 20
"""Rows of what the second-level cache holds are not prefetched."""

SHORT_ROW = 1024
APART = 2048
"""Rows of so many bytes at most, so many bytes apart at least, are no stream to the hardware."""

LINES_PER_POINT = 2
"""Of the lines of a row that points are anywhere in, the next one is prefetched where at least one
in so many is touched, and a part of the second-level cache holds it."""

ROWS_IN_L2 = 4
"""Such rows that the second-level cache can hold, at least."""

MOST_ROWS = 32
"""Rows on their way at a time, at most."""

LONG_ROW = 2048
"""Bytes of a row whose lines would fill the queues of the memory system all at once: they are
prefetched one by one, while the same lines of an earlier row are read."""


COORDINATES_PER_AHEAD = 2
"""Coordinates that there are at least for each that is on its way."""


def least_bytes(facts: Prefetching, is_row: bool, waits: bool) -> int:
    """Is it worth it: bytes of the smallest memref of which rows, or elements, are prefetched that
    are found by coordinates. `waits`: stores and sums wait for each other, loads do not."""
    if is_row:
        return L2_BYTES + 1
    return facts.far_bytes if waits else facts.far_taken_bytes


def rows_ahead(facts: Prefetching, row_bytes: Ix) -> Ix:
    """How far ahead: rows of so many bytes, until `row_ahead` bytes are on their way."""
    return maximum(1, minimum(MOST_ROWS, floor_div(facts.row_ahead, maximum(row_bytes, 1))))


def elements_ahead(facts: Prefetching, at_once: int) -> int:
    """How far ahead, in iterations, of each of which `at_once` elements are prefetched. The second
    cache has room for twice as many."""
    return max(1, -(-facts.element_level * facts.elements_ahead // at_once))


def stream_ahead(facts: Prefetching, written: bool, size: int | None) -> int:
    """How far ahead in bytes, of what is read or written in order in so many bytes, if
    that is known; 0 for never."""
    if size is not None and size <= L2_BYTES:
        return 0
    return facts.write_ahead if written else facts.read_ahead


def level(facts: Prefetching, is_row: bool) -> int:
    """The cache that lines come to, 1 or 2."""
    return facts.prefetch_level if is_row else facts.element_level


def lines_in(elements: int, size: int) -> range:
    """The elements of `size` bytes that begin a line each, of so many side by side."""
    return range(0, elements, max(1, LINE // size))
