"""The facts of a machine, as numbers with units. The lowering knows nothing else of it."""

from dataclasses import dataclass, field, fields
from typing import Any

MOST_VECTOR_BYTES = 4096
"""Bytes of a vector that loops are written with, at most."""

MOST = 1 << 60
"""The largest number: sums and products by the bits of a byte are indices as well."""


def _fact(default: Any, text: str) -> Any:
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True)
class Target:
    """A machine. `gs-tune` measures one; the defaults do least harm on those that were measured.

    Sizes are in bytes, times in nanoseconds or microseconds, bandwidths in GB/s of one thread. What
    loops make of these numbers is in `policy`. Raises ValueError for a number out of its bounds.
    """

    line: int = _fact(64, "size of a cache line, in bytes")
    vector_bytes: int = _fact(64, "width of the vectors in loops, in bytes")
    l1_bytes: int = _fact(32 << 10, "size of a core's L1 data cache, in bytes")
    l2_bytes: int = _fact(1 << 20, "size of a core's L2 cache, in bytes")
    llc_bytes: int = _fact(
        32 << 20, "size of the last-level cache that one kernel can count on, in bytes"
    )
    latency_ns: float = _fact(140.0, "latency of a load from memory, in ns")
    lines_l1: int = _fact(16, "lines in flight to L1, per core")
    lines_l2: int = _fact(32, "lines in flight to L2, per core")
    read_gbs: float = _fact(30.0, "sequential read bandwidth of one thread, in GB/s")
    write_gbs: float = _fact(10.0, "copy bandwidth of one thread, in GB/s")
    stream_gbs: float = _fact(14.0, "copy bandwidth with non-temporal stores, in GB/s")
    scattered_gbs: float = _fact(
        12.0, "the same for rows at coordinates, in GB/s; 0 if plain stores are faster"
    )
    gather_bytes: int = _fact(
        0, "size of an array up to which hardware gathers beat loads, in bytes; 0: never"
    )
    fork_us: float = _fact(0.55, "time to start and join waiting threads, in us")

    def __post_init__(self) -> None:
        size = self.vector_bytes
        if not 8 <= size <= MOST_VECTOR_BYTES or size.bit_count() != 1:
            raise ValueError(
                f"vector-bytes must be a power of 2 from 8 to {MOST_VECTOR_BYTES}, found {size}"
            )
        if not 8 <= self.line <= MOST_VECTOR_BYTES or self.line.bit_count() != 1:
            raise ValueError(
                f"line must be a power of 2 from 8 to {MOST_VECTOR_BYTES}, found {self.line}"
            )
        check_bounds(self)


def check_bounds(numbers: Any) -> None:
    """Raises ValueError naming the first number of a dataclass that is not from 0 to MOST."""
    for one in fields(numbers):
        value = getattr(numbers, one.name)
        if isinstance(value, (int, float)) and not 0 <= value <= MOST:
            name = one.name.replace("_", "-")
            raise ValueError(f"{name} must be from 0 to {MOST}, found {value}")
