"""What checked promises cost: ops with and without `sanitize=True`, in turns, on one thread.

`python benchmarks/sanitize.py` prints the median of both and their ratio. `--rows` sets how many
rows or elements are moved.
"""

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator

import numpy as np
import timing
from mlir_gs.execution import compile
from rich.console import Console
from rich.table import Table
from timing import Contestant

_OVERWRITE = "({\n})"
_ADD = """({
^bb0(%old: f32, %new: f32):
  %n = arith.addf %old, %new : f32
  gs.yield %n : f32
})"""


def _gather(width: int, promises: str) -> str:
    row, rows = f"tensor<?x{width}xf32>", "tensor<?x1xi64>"
    return f"""
func.func @f(%t: {row}, %i: {rows}) -> {row} {{
  %0 = "gs.gather"(%t, %i) {{gather_dims = array<i64: 0>{promises}}} : ({row}, {rows}) -> {row}
  return %0 : {row}
}}"""


def _scatter(width: int, promises: str, combiner: str) -> str:
    row, rows = f"tensor<?x{width}xf32>", "tensor<?x1xi64>"
    return f"""
func.func @f(%u: {row}, %d: {row} {{bufferization.writable = true}}, %i: {rows}) -> {row} {{
  %0 = "gs.scatter"(%u, %d, %i) {combiner} {{scatter_dims = array<i64: 0>{promises}}}
      : ({row}, {row}, {rows}) -> {row}
  return %0 : {row}
}}"""


def cases(rows: int) -> Iterator[tuple[str, str, Callable[..., tuple[np.ndarray, ...]]]]:
    """Name, module and arguments of each case; coordinates are distinct, in random order or not."""
    rng = np.random.default_rng(0)
    table = 2 * rows

    def column(is_sorted: bool) -> np.ndarray:
        found = rng.permutation(table)[:rows]
        return (np.sort(found) if is_sorted else found)[:, None]

    for width in (1, 64):
        source = rng.random((table, width), np.float32)
        updates = rng.random((rows, width), np.float32)
        for what, promises, is_sorted in (
            ("in bounds", "", False),
            ("in bounds, sorted", ", sorted", True),
            ("in bounds, unique", ", unique", False),
        ):
            ids = column(is_sorted)
            name = f"gather rows of {width}, {what}"
            yield name, _gather(width, promises), lambda s=source, i=ids: (s, i)
        for what, promises, combiner in (
            ("in bounds", "", _ADD),
            ("in bounds, unique", ", unique", _OVERWRITE),
        ):
            ids = column(False)
            name = f"scatter rows of {width}, {what}"
            text = _scatter(width, promises, combiner)
            yield name, text, lambda u=updates, s=source, i=ids: (u, s, i)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    table = Table(title=f"Checked promises, {options.rows} rows, one thread")
    table.add_column("op")
    for name in ("plain", "sanitized", "ratio"):
        table.add_column(name, justify="right")
    for name, text, make in cases(options.rows):
        arguments = make()
        kernels = {s: compile(text, threads=1, sanitize=s) for s in (False, True)}
        runs = [
            Contestant("sanitized" if s else "plain", "ours", lambda k=k, a=arguments: k(*a))
            for s, k in kernels.items()
        ]
        for _ in timing.compete(runs, options.rounds, 0.0):
            pass
        plain, checked = (statistics.median(run.samples) * 1e6 for run in runs)
        table.add_row(name, f"{plain:.1f} us", f"{checked:.1f} us", f"{checked / plain:.2f}")
    Console(width=None if sys.stdout.isatty() else 100).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
