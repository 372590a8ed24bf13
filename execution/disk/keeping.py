"""Kernels on their way to the disk: a kernel is called first, then written."""

import _thread
import atexit
import os
import time
from collections.abc import Callable
from pathlib import Path

from mlir_gs._forks import lock
from mlir_gs.execution.disk import cache as disk
from mlir_gs.execution.environment import cache_folder

_DELAY = 0.5
"""Seconds until a thread writes what waits: it and the first calls would be in each other's way."""

_waiting: dict[str, tuple[Path | None, Callable[[], None]]] = {}
"""By key, the folder that the kernel is meant for, and what writes it."""


def put(key: str, write: Callable[[], None]) -> None:
    """Have a kernel written soon, or when the process ends."""
    with lock:
        is_first = not _waiting
        _waiting[key] = (cache_folder(), write)
    if is_first:
        try:
            # Not a Timer: to start one waits until it runs.
            _thread.start_new_thread(_write_later, ())
        except RuntimeError:
            # There are no more threads, or will be none: the process is ending.
            write_all()


def _write_later() -> None:
    time.sleep(_DELAY)
    write_all()


def finish(key: str) -> None:
    """Write the kernel of this key now, if it waits."""
    if key not in _waiting:
        return
    with lock:
        # It waits until it is written: no one else may take it for lost.
        place, write = _waiting.get(key, (None, None))
        try:
            # Not into a folder that was set since.
            if write is not None and place == cache_folder():
                write()
        except Exception as error:
            # No call waits for this: the kernel is there.
            disk.complain(place, error)
        finally:
            _waiting.pop(key, None)


def write_all() -> None:
    """Write what waits."""
    while _waiting:
        # One at a time: others may want to compile.
        finish(next(iter(tuple(_waiting)), ""))


atexit.register(write_all)

if hasattr(os, "register_at_fork"):
    # A child has no such thread, and its parent writes them.
    os.register_at_fork(after_in_child=_waiting.clear)
