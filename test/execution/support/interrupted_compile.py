"""Ctrl-C while a first kernel is compiled, kept, loaded or called: KeyboardInterrupt, and no harm.

    python test/execution/support/interrupted_compile.py --count 300 --seed 0

interrupts so many processes: half of them as they enter a random function of this package for the
first time, half after a random time. They then compile and call the same kernel, and another.
"""

import argparse
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from typing import Any

import mlir_gs
import numpy as np
import numpy.testing
from sources import scatter_add

SECONDS = 120


def use(name: str, size: int) -> None:
    """Compile a kernel, call it often enough to be native, and get an error of it."""
    kernel = mlir_gs.compile(scatter_add("error").replace("@add", f"@{name}"), threads=1)
    rows, ids = np.ones((2, size), np.float32), np.array([[0], [2]])
    for _ in range(5):
        found = kernel(np.zeros((3, size), np.float32), ids, rows)
        numpy.testing.assert_array_equal(found[2], 1)
    try:
        kernel(np.zeros((3, size), np.float32), ids + 7, rows)
    except IndexError:
        return
    raise AssertionError("no IndexError")


class _Stage:
    """Raises SIGINT when the `number`th function of this package is entered for the first time."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.seen: set[Any] = set()

    def __call__(self, frame: Any, event: str, _: Any) -> None:
        name = frame.f_globals.get("__name__", "")
        if event == "call" and name.startswith("mlir_gs.") and frame.f_code not in self.seen:
            self.seen.add(frame.f_code)
            if len(self.seen) == self.number:
                sys.setprofile(None)
                signal.raise_signal(signal.SIGINT)


def interrupt(stage: int | None, seconds: float) -> str:
    """What goes wrong where `use` is interrupted at a stage or after a time."""
    watch = _Stage(stage or 0)
    signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    told = ""
    try:
        if stage is None:
            signal.setitimer(signal.ITIMER_REAL, seconds)
        else:
            sys.setprofile(watch)
        use("add", 3)
        sys.setprofile(None)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        pass
    except BaseException:
        told = f"another exception: {traceback.format_exc()[-700:]}"
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(SECONDS)
    try:
        use("add", 3)
        use("another", 4)
    except BaseException:
        told += f"afterwards: {traceback.format_exc()[-700:]}"
    return told or str(len(watch.seen))


def run(stage: int | None, seconds: float, cache: str) -> str:
    """`interrupt` in a fork of this process, which has compiled nothing."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.environ["MLIR_GS_CACHE"] = cache
        with open(writer, "w") as pipe:
            pipe.write(interrupt(stage, seconds))
        os._exit(0)
    os.close(writer)
    with open(reader) as pipe:
        told = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return told if status == 0 else f"exit code {status} {told}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rng = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        most = int(run(1 << 30, 0, "off"))
        duration = (time.monotonic() - begun) / 3
        run(1 << 30, 0, folder)
        failed = 0
        for number in range(options.count):
            stage = rng.randint(1, most) if number % 2 else None
            cache = rng.choice(["off", "off", folder, f"{folder}/{number}"])
            told = run(stage, rng.uniform(0, duration), cache)
            if not told.isdecimal():
                failed += 1
                print(f"stage {stage}, cache {cache}: {told}")
    print(f"{options.count} interrupts, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
