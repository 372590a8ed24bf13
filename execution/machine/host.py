"""The target that kernels are made for: the preset that this machine is known by, and its cache."""

import os
import platform
from functools import cache

from mlir_gs.execution.machine import cpu
from mlir_gs.execution.signature.signature import CompileError
from mlir_gs.lowering.scf.targets import Facts, facts, presets

VARIABLE = "MLIR_GS_TARGET"
"""The environment variable that names another target."""

NATIVE = "native"
"""How a target begins that is this machine's."""

# Bytes of the last-level cache that any machine counts on, if it has them; those for each of its
# CPUs; the part of it.
LEAST_SHARE = 32 << 20
CPU_SHARE = 16 << 20
PART = 8


def target(given: str | None = None) -> str:
    """The target that is `given`, else $MLIR_GS_TARGET, else this machine's, for which `native`
    stands. Raises CompileError if there is no such target."""
    source = VARIABLE if given is None else "target"
    spelled = (os.environ.get(VARIABLE) or NATIVE) if given is None else given
    name, *overrides = spelled.split(":")
    if name == NATIVE:
        if not any(one.startswith("cache-bytes=") for one in overrides):
            overrides.insert(0, f"cache-bytes={cache_bytes()}")
        spelled = ":".join([preset(), *overrides])
    try:
        facts(spelled)
    except ValueError as error:
        raise CompileError(f"{source}: {error}") from None
    return spelled


def known(given: str | None = None) -> Facts:
    """What is known of a target, see `target`."""
    return facts(target(given))


def portable() -> str:
    """The target of code for a CPU of which only the architecture is known."""
    return "generic" if platform.machine() in ("x86_64", "AMD64") else "neon"


@cache
def preset() -> str:
    """The preset of this machine's CPU: of those whose every word the system has for it, the one
    with the most."""
    found = portable()
    best = 0
    for name, about in presets().items():
        wanted = about.get("words", [])
        size = about.get("instruction_cache")
        if not wanted or not cpu.words() >= set(wanted):
            continue
        if size is not None and ("Instruction", size) not in cpu.caches():
            continue
        count = len(wanted) + (size is not None)
        if count > best:
            found, best = name, count
    return found


@cache
def cache_bytes() -> int:
    """Bytes of the last-level cache that are there for this machine's CPUs; LEAST_SHARE where
    the system does not say. A virtual machine sees all of a cache that it shares with others."""
    largest = max((size for _, size in cpu.caches()), default=LEAST_SHARE)
    return min(largest, max(LEAST_SHARE, CPU_SHARE * (os.cpu_count() or 1), largest // PART))
