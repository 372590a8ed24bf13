"""Forks while another thread is on its way from the import to a kernel that is called natively.

    python test/execution/support/fork_stages.py --count 200 --seed 0

forks so many processes, each when a thread of it has just entered another function of this package.
The children compile, and call often enough to be native.
"""

import _thread
import argparse
import contextlib
import functools
import importlib
import os
import pkgutil
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.testing
import pytest
from forks import in_child
from sources import scatter_add


def compiles_and_calls(size: int) -> None:
    """A kernel, called often enough for native calls; and an error, whose text is compiled."""
    import mlir_gs

    text = scatter_add("error").replace("@add", f"@add{size}")
    kernel = mlir_gs.compile(text, threads=1)
    rows, ids = np.ones((2, size), np.float32), np.array([[0], [2]])
    for _ in range(5):
        numpy.testing.assert_array_equal(kernel(np.zeros((3, size), np.float32), ids, rows)[2], 1)
    with pytest.raises(IndexError):
        kernel(np.zeros((3, size), np.float32), ids + 7, rows)


def at_stage(number: int) -> int:
    """Fork when a thread enters a function of this package for the first time, as the `number`th of
    them; returns how many it has entered."""
    seen: set[Any] = set()
    is_there, is_forked = threading.Event(), threading.Event()

    def watch(frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and frame.f_globals.get("__name__", "").startswith("mlir_gs."):
            if code not in seen and len(seen) == number:
                is_there.set()
                # A fork may wait for what this thread does.
                is_forked.wait(0.2)
            seen.add(code)

    def work() -> None:
        sys.setprofile(watch)
        compiles_and_calls(3)
        sys.setprofile(None)
        is_there.set()

    # A daemon, as its parent must not wait for it where the test has failed.
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    assert is_there.wait(120)
    in_child(lambda: compiles_and_calls(4), 120, is_forked.set)
    thread.join(120)
    assert not thread.is_alive()
    return len(seen)


def run_stage(number: int) -> str:
    """The last line of `at_stage` in a process of its own; every other one has kernels on disk."""
    command = [sys.executable, __file__, "--stage", str(number)]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "MLIR_GS_CACHE": "off" if number % 2 else folder}
        told = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=600, env=environment
        )
    text = (told.stdout if told.returncode == 0 else told.stderr).strip()
    return text.splitlines()[-1] if text else f"exit code {told.returncode}"


def stages(count: int, seed: int) -> list[str]:
    """What failed of `count` of the stages that there are."""
    most = int(run_stage(1 << 30))
    numbers = random.Random(seed).choices(range(most), k=count)
    told = [(number, run_stage(number)) for number in numbers]
    failed = [f"stage {number}: {text}" for number, text in told if not text.isdecimal()]
    print(*failed, sep="\n", end="\n" * bool(failed))
    print(f"{count} forks at stages of {most}, {len(failed)} failed")
    return failed


class Recorded:
    """Locks that code of this package makes, whatever class of the standard library has them."""

    def __init__(self) -> None:
        self.locks: dict[str, Any] = {}
        for module in (_thread, threading, functools):
            for name in ("Lock", "RLock", "allocate_lock", "_allocate_lock", "_CRLock"):
                if hasattr(module, name):
                    setattr(module, name, partial(self._make, getattr(module, name)))

    def _make(self, make: Callable[[], Any]) -> Any:
        lock = make()
        frame: Any = sys._getframe(1)
        # What another package makes when it is imported is its own.
        while frame is not None and "importlib" not in frame.f_code.co_filename:
            if frame.f_globals.get("__name__", "").startswith("mlir_gs"):
                self.locks[f"{frame.f_code.co_filename}:{frame.f_lineno}"] = lock
                break
            frame = frame.f_back
        return lock


def every_lock() -> None:
    """A fork waits for each lock that the package makes when it is imported, or at work."""
    for name in ("mlir_gs", "mlir_gs._forks"):
        sys.modules.pop(name)
    recorded = Recorded()
    for room in ("dialect", "lowering", "frontend", "execution", "integrations"):
        package = importlib.import_module(f"mlir_gs.{room}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            with contextlib.suppress(ImportError):
                importlib.import_module(found.name)
    compiles_and_calls(5)
    assert recorded.locks
    for place, lock in recorded.locks.items():
        held = threading.Event()

        def hold(lock: Any = lock, held: threading.Event = held) -> None:
            with lock:
                held.set()
                time.sleep(0.2)

        def take(lock: Any = lock, place: str = place) -> None:
            assert lock.acquire(timeout=5), f"{place}: a child finds this lock held"

        thread = threading.Thread(target=hold)
        thread.start()
        held.wait()
        in_child(take)
        thread.join()
    print(f"{len(recorded.locks)} locks")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--stage", type=int, help="fork at this one, in this process")
    parser.add_argument("--locks", action="store_true", help="look for locks, in this process")
    options = parser.parse_args(arguments)
    if options.stage is not None:
        print(at_stage(options.stage))
        return 0
    if options.locks:
        every_lock()
        return 0
    return int(bool(stages(options.count, options.seed)))


if __name__ == "__main__":
    raise SystemExit(main())
