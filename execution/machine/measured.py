"""What `gs-tune` found out about this machine: a file in the folder of the kernels."""

import os
import warnings
from functools import cache
from pathlib import Path

from mlir_gs.execution.digests import digest
from mlir_gs.execution.environment import CACHE, cache_folder, keep
from mlir_gs.execution.machine import cpu


def path() -> Path | None:
    """Where the facts of this machine's CPU are kept, whether they are there or not; None where
    nothing is kept."""
    place = cache_folder()
    return None if place is None else place / f"target-{_digest()}.json"


def text() -> str | None:
    """The file, None where there is none to read."""
    place = path()
    if place is None:
        return None
    try:
        # To open a pipe waits for who writes it.
        return place.read_text(encoding="utf-8", errors="replace") if place.is_file() else None
    except OSError:
        return None


def store(found: str) -> None:
    """Keep `found` for later processes, if anything is kept. Raises OSError."""
    place = path()
    if place is not None:
        keep(place, found)


def obstacle() -> str:
    """Why no file can be kept, empty if one can."""
    place = path()
    if place is None:
        return f"{CACHE} is off"
    attempt = place.with_name(f"new-{os.getpid()}")
    try:
        keep(attempt, "x")
        attempt.unlink()
    except OSError as error:
        return f"{place.parent}: {error.strerror}"
    return ""


@cache
def warn_once(why: str) -> None:
    """Say that the file is of no use."""
    warnings.warn(f"gs-tune's file is ignored: {why}", stacklevel=2)


@cache
def _digest() -> str:
    return digest(cpu.identity() or "")[:16]
