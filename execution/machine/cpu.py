"""Which CPU this machine has, and what it can do: the one file that knows flags of CPUs."""

import contextlib
import os
import platform
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from mlir_gs.execution.machine import system

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

_FLAGS = (
    *("avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd"),
    *("avx512_fp16", "avx512_vp2intersect", "amx_tile"),
)
"""CPU flags, as Linux shows them, that a virtual machine may hide."""

ROUNDED_BY_CALLS = "-avx512bf16,-avxneconvert"
"""LLVM carries a bf16 from block to block as f32. What rounds it back flushes denormals on a CPU
that has instructions for it; else a function of `rounding.c` is called, which does not."""

NO_HALVES = "-avx512fp16"
"""That a CPU does no arithmetic on f16, among LLVM's features."""

_CACHES = "/sys/devices/system/cpu/cpu0/cache"

_BRAND = "machdep.cpu.brand_string"
_SIZES = {1: "hw.l1dcachesize", 2: "hw.l2cachesize", 3: "hw.l3cachesize"}


@cache
def identity() -> str | None:
    """What tells this machine's kind of CPU from others, None where it cannot be read."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            # Linux takes its time for the processors that follow.
            first = file.read(1 << 14).partition("\n\n")[0]
    except OSError:
        brand = system.fact(_BRAND)
        return None if brand is None else f"{platform.machine()}\n{brand!r}\n{caches()}"
    found = [line for line in first.splitlines() if line.startswith(_SAME_FOR_ALL)]
    return "\n".join([platform.machine(), *found]) if found else None


@cache
def name() -> str:
    """What the system calls this machine's CPU."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = file.read(1 << 14).splitlines()
    except OSError:
        brand = (system.fact(_BRAND) or b"").partition(b"\0")[0]
        lines = [f"model name: {brand.decode(errors='replace')}"]
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return "".join(names[:1]) or platform.processor() or platform.machine()


def is_x86() -> bool:
    """Whether this is an x86-64 machine."""
    return platform.machine() in ("x86_64", "AMD64")


def hidden() -> list[str]:
    """LLVM's names of features that the system does not show, though the CPU's name may imply
    them."""
    lines = (identity() or "").splitlines()
    flags = next((set(line.split()) for line in lines if line.startswith("flags")), None)
    missing = [] if flags is None and identity() is None else _FLAGS
    return [
        flag.replace("avx512_", "avx512").replace("_", "-")
        for flag in missing
        if flag not in (flags or ())
    ]


class Cache(NamedTuple):
    """A cache that the first CPU reads data through: its level, its bytes, those of its lines."""

    level: int
    size: int
    line: int


@cache
def caches() -> tuple[Cache, ...]:
    """The caches, the nearest first; empty where the system does not tell."""
    found = []
    with contextlib.suppress(OSError):
        for name in os.listdir(_CACHES):
            with contextlib.suppress(OSError, ValueError):
                size = _read(name, "size")
                scale = {"K": 1 << 10, "M": 1 << 20}.get(size[-1:], 1)
                if _read(name, "type") != "Instruction":
                    line = int(_read(name, "coherency_line_size"))
                    level = int(_read(name, "level"))
                    found.append(Cache(level, int(size.rstrip("KM")) * scale, line))
    return tuple(sorted(found)) or tuple(_told())


def _told() -> Iterator[Cache]:
    line = int.from_bytes(system.fact("hw.cachelinesize") or b"", "little")
    for level, name in _SIZES.items():
        size = int.from_bytes(system.fact(name) or b"", "little")
        if size and line:
            yield Cache(level, size, line)


def _read(cache: str, what: str) -> str:
    with open(f"{_CACHES}/{cache}/{what}", encoding="ascii") as file:
        return file.read().strip()


def cpu_count() -> int:
    """The CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
