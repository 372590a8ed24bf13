"""What a machine is, in a few numbers with units: all that the lowering knows of it."""

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

    line: int = _fact(64, "bytes of a cache line")
    vector_bytes: int = _fact(64, "bytes of a vector that loops are written with")
    l1_bytes: int = _fact(32 << 10, "bytes of a core's first cache for data")
    l2_bytes: int = _fact(1 << 20, "bytes of a core's second cache")
    llc_bytes: int = _fact(
        32 << 20, "bytes of the last cache, which cores share, that a kernel can count on"
    )
    latency_ns: float = _fact(140.0, "ns that a load from memory takes, which others wait for")
    lines_l1: int = _fact(16, "lines that a core has on their way to its first cache")
    lines_l2: int = _fact(32, "lines that a core has on their way to its second cache")
    read_gbs: float = _fact(30.0, "GB/s that a thread reads from memory in order")
    write_gbs: float = _fact(10.0, "GB/s that a thread copies in memory in order")
    stream_gbs: float = _fact(14.0, "GB/s that it copies in order by non-temporal stores")
    scattered_gbs: float = _fact(
        12.0, "GB/s that it copies so to rows at coordinates, 0 if that is no faster"
    )
    gather_bytes: int = _fact(
        0, "bytes of an array up to which hardware gathers beat loads, 0 for never"
    )
    fork_us: float = _fact(0.55, "us that it takes to start waiting threads and to wait for them")

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
