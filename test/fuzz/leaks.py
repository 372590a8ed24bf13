"""Calls and compiles by the thousand, and by how much the process grows.

    python test/fuzz/leaks.py --calls 1000000 --compiles 1000

Run it in a process of its own: in one that has freed memory, what leaks takes that first, and the
process does not grow. Calls take seconds, 1,000 compiles minutes. Each kind of call runs `--calls`
times, after a warm-up that is not measured; each compile is of a module of its own, and its kernel
is called, by both of its codes, and dropped. The exit code is 1 if a figure is beyond its bound.
"""

import argparse
import gc
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from mlir_gs.execution import compile

BOUND_CALLS = 2048
"""KiB by which any number of calls may make the process grow: what allocators keep back."""

BOUND_COMPILE = 4.0
"""KiB by which each compile may, on average."""

_ROWS = """
func.func @rows{number}(%t: tensor<?x8xf32>, %i: tensor<?x1xi64>) -> tensor<?x8xf32> {{
  %r = "gs.gather"(%t, %i) {{gather_dims = array<i64: 0>, mode = "{mode}"}}
      : (tensor<?x8xf32>, tensor<?x1xi64>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}}
"""

_TWO = """
func.func @two(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %b = arith.addf %a, %a : tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}
"""

_OWNED = """
func.func @owned(%values: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %x = tensor.extract %values[%c0] : tensor<?xf32>
  %n = arith.fptosi %x : f32 to i64
  %m = arith.index_cast %n : i64 to index
  %e = tensor.empty(%m) : tensor<?xf32>
  %r = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


def resident() -> int:
    """KiB of memory that the process has."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def calls() -> dict[str, Callable[[], object]]:
    """One call of each kind, by name."""
    rows = compile(_ROWS.format(number=0, mode="promise_in_bounds"), threads=1)
    checked = compile(_ROWS.format(number=0, mode="error"), threads=1)
    two, owned = compile(_TWO, threads=1), compile(_OWNED, threads=1)
    table = np.ones((16, 8), np.float32)
    ids = np.zeros((4, 1), np.int64)
    wrong = ids + 16
    out = np.empty((4, 8), np.float32)
    five = np.full(3, 5, np.float32)

    def refused(error: type[Exception], call: Callable[[], object]) -> Callable[[], object]:
        def run() -> None:
            try:
                call()
            except error:
                return
            raise AssertionError(f"no {error.__name__}")

        return run

    return {
        "native, a new result": lambda: rows(table, ids),
        "native, out=": lambda: rows(table, ids, out=out),
        "native, strided": lambda: rows(table[::2], ids),
        "two results": lambda: two(five),
        "memory of the kernel's own": lambda: owned(five),
        "IndexError": refused(IndexError, lambda: checked(table, wrong)),
        "ValueError": refused(ValueError, lambda: rows(table[:, :3], ids)),
    }


_SLOW = {"two results": 4, "memory of the kernel's own": 4, "IndexError": 40, "ValueError": 40}
"""These run so many times fewer: they go through Python."""


def compile_one(number: int) -> None:
    """Compile a module like no other, call it, and drop it."""
    modes = ("promise_in_bounds", "error", "clip", "fill")
    kernel = compile(_ROWS.format(number=number, mode=modes[number % 4]), threads=1)
    table, ids = np.ones((16, 8), np.float32), np.zeros((4, 1), np.int64)
    for _ in range(4):
        kernel(table, ids)
    kernel(table[::2], ids)


def grown(call: Callable[[], object], count: int, warm: int) -> int:
    """KiB by which `count` calls, after `warm` of them, make the process grow."""
    for _ in range(warm):
        call()
    before = resident()
    for _ in range(count):
        call()
    return resident() - before


def measure_calls(count: int) -> bool:
    """Whether calls of each kind stay within the bound; prints a line for each."""
    good = True
    for name, call in calls().items():
        times = max(count // _SLOW.get(name, 1), 1)
        start = time.perf_counter()
        more = grown(call, times, min(times // 5 + 10, 20_000))
        seconds = time.perf_counter() - start
        good &= more <= BOUND_CALLS
        print(f"{times:>9,} calls, {name}: {more:+,} KiB (bound {BOUND_CALLS:,}), {seconds:.1f} s")
    return good


def measure_compiles(count: int, warm: int, bound: float) -> bool:
    """Whether compiles stay within the bound for each; prints a line."""
    numbers = iter(range(warm + count))
    start = time.perf_counter()
    more = grown(lambda: compile_one(next(numbers)), count, warm)
    seconds = time.perf_counter() - start
    each = more / count
    print(
        f"{count:>9,} compiles: {more:+,} KiB, {each:+.2f} KiB each (bound {bound:g}),"
        f" {seconds:.1f} s with {warm} to warm up"
    )
    return each <= bound


def main() -> int:
    """Measure; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--compiles", type=int, default=1000)
    parser.add_argument("--warm", type=int, default=150, help="compiles before the measured ones")
    parser.add_argument("--bound", type=float, default=BOUND_COMPILE, help="KiB for each compile")
    options = parser.parse_args()
    os.environ["MLIR_GS_CACHE"] = "off"
    good = measure_calls(options.calls) if options.calls else True
    if options.compiles:
        good &= measure_compiles(options.compiles, options.warm, options.bound)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
