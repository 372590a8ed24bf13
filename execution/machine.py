"""What kernels are compiled for: the CPUs of this machine."""

import contextlib
import os
import platform
from functools import cache

_FEATURES = {
    "avx2": "avx2",
    "fma": "fma",
    "f16c": "f16c",
    "avx512f": "avx512f",
    "avx512bw": "avx512bw",
    "avx512dq": "avx512dq",
    "avx512vl": "avx512vl",
    "avx512cd": "avx512cd",
    "avx512_bf16": "avx512bf16",
    "avx512_fp16": "avx512fp16",
    "avx512_vp2intersect": "avx512vp2intersect",
    "amx_tile": "amx-tile",
}
"""CPU flags as Linux shows them to LLVM's names: what a virtual machine may hide from a CPU."""


@cache
def target_features() -> str | None:
    """LLVM's `target-features` for the functions of a kernel, None to leave them alone.

    Hardware gathers and scatters lose to scalar loads on the machines that were measured, and
    LLVM's vectorizer would form them. The attribute replaces what the engine found out about the
    CPU, so features that its name implies and the machine hides are taken away again.
    """
    if platform.machine() not in ("x86_64", "AMD64"):
        return None
    features = ["+prefer-no-gather", "+prefer-no-scatter"]
    about = cpu_identity()
    if about is None:
        return ",".join(features)
    lines = about.splitlines()
    flags = next((set(line.split()) for line in lines if line.startswith("flags")), set())
    features += [f"-{name}" for flag, name in _FEATURES.items() if flag not in flags]
    return ",".join(features)


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


@cache
def cpu_identity() -> str | None:
    """What tells this machine's kind of CPU from others, None where it cannot be read."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            # Linux takes its time for the processors that follow.
            first = file.read(1 << 14).partition("\n\n")[0]
    except OSError:
        return None
    found = [line for line in first.splitlines() if line.startswith(_SAME_FOR_ALL)]
    return "\n".join([platform.machine(), *found]) if found else None


_CACHES = "/sys/devices/system/cpu/cpu0/cache"


@cache
def cache_bytes() -> int:
    """Bytes of the last-level cache; 32 MiB where the system does not tell."""
    found = []
    with contextlib.suppress(OSError):
        for name in os.listdir(_CACHES):
            with (
                contextlib.suppress(OSError, ValueError),
                open(f"{_CACHES}/{name}/size", "rb") as f,
            ):
                text = f.read().strip()
                scale = {b"K": 1 << 10, b"M": 1 << 20}.get(text[-1:], 1)
                found.append(int(text.rstrip(b"KM")) * scale)
    return max(found, default=32 << 20)


def stream_reads() -> int:
    """Bytes that a kernel has to read for each byte it writes for non-temporal stores to pay.

    A core of Intel's servers (with AVX-512) writes fewer bytes past the caches than through them;
    one of AMD's does not.
    """
    return 2 if _is_server("GenuineIntel") else 0


@cache
def _is_server(vendor: str) -> bool:
    """A CPU of `vendor` of the kind that its servers have: with AVX-512."""
    about = (cpu_identity() or "").split()
    return vendor in about and "avx512f" in about


def write_ahead() -> int:
    """Bytes ahead of stores that a kernel asks for the lines they go to; 0 where that does not pay.

    On a Cascade Lake rows that are asked for like this are copied 1.2 to 1.4 times as fast as by
    memcpy. Where stores past the caches are fast, they are better.
    """
    return 4096 if stream_reads() else 0


def read_ahead() -> int:
    """Bytes ahead that a kernel asks for the lines that it reads in order; 0 where that does not
    pay.

    Loops over coordinates take 0.65 to 0.9 times as long with it on a Cascade Lake, 0.75 to 0.95
    times on a Zen 4.
    """
    return 2048 if _is_server("GenuineIntel") or _is_server("AuthenticAMD") else 0


def sparing_reads() -> bool:
    """Whether lines read in order are asked for only where little else goes to memory.

    On a Zen 4, where the next row that is written is asked for as well, loops take 1.2 to 1.3 times
    as long with both; sums into a few bins 1.04 to 1.1 times.
    """
    return not _is_server("GenuineIntel")


def prefetch_level() -> int:
    """The cache that kernels ask for what lies at coordinates to come to.

    A Zen 4 has more lines on their way to its second cache than to its first one: there takes of
    rows and elements from memory take 0.5 to 0.9 times as long, sums of rows 0.5 to 0.8 times. A
    Cascade Lake gains nothing.
    """
    return 2 if _is_server("AuthenticAMD") else 1


def cpu_count() -> int:
    """The CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
