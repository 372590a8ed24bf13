"""Which CPU this machine has."""

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


def is_server(vendor: str) -> bool:
    """A CPU of `vendor` of the kind that its servers have: with AVX-512."""
    return {vendor, "avx512f"} <= words()


def is_golden_cove() -> bool:
    """A core of Intel's servers from Sapphire Rapids on."""
    return {"GenuineIntel", "avx512f", "avx512_fp16"} <= words()


def is_zen_5() -> bool:
    """A core of AMD's with AVX-512 from Zen 5 on."""
    return {"AuthenticAMD", "avx512f", "avx_vnni"} <= words()
