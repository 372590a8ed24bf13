"""Which CPU this machine has."""

import contextlib
import os
import platform
from functools import cache

_SAME_FOR_ALL = (
    "vendor_id",
    "cpu family",
    "model",
    "stepping",
    "cache size",
    "flags",
    "CPU ",
    "Features",
)

_CACHES = "/sys/devices/system/cpu/cpu0/cache"


@cache
def identity() -> str | None:
    """What tells this machine's kind of CPU from others, None where it cannot be read."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            # Linux takes its time for the processors that follow.
            first = file.read(1 << 14).partition("\n\n")[0]
    except OSError:
        return None
    found = [line for line in first.splitlines() if line.startswith(_SAME_FOR_ALL)]
    return "\n".join([platform.machine(), *found]) if found else None


@cache
def words() -> frozenset[str]:
    """Vendor and flags of the CPU among others."""
    return frozenset((identity() or "").split())


@cache
def caches() -> tuple[tuple[str, int], ...]:
    """Kind ("Data", "Instruction", "Unified") and bytes of each cache that the first CPU reads
    through; empty where the system does not tell."""
    found = []
    with contextlib.suppress(OSError):
        for name in os.listdir(_CACHES):
            with contextlib.suppress(OSError, ValueError):
                size = _read(name, "size")
                scale = {"K": 1 << 10, "M": 1 << 20}.get(size[-1:], 1)
                found.append((_read(name, "type"), int(size.rstrip("KM")) * scale))
    return tuple(found)


def _read(cache: str, what: str) -> str:
    with open(f"{_CACHES}/{cache}/{what}", encoding="ascii") as file:
        return file.read().strip()


def cpu_count() -> int:
    """The CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
