"""What a call costs over the kernel's own time, and what the first run of a kernel costs.

`python benchmarks/calls.py` prints the fastest of many short runs, which other load disturbs
least. NumPy's `take` is the same work for comparison.
"""

import time
import timeit
from collections.abc import Callable

import numpy as np
from mlir_gs.execution import compile

SOURCE = """
func.func @rows(%table: tensor<?x64xf32>, %ids: tensor<?x1xi64>) -> tensor<?x64xf32> {
  %rows = "gs.gather"(%table, %ids) {gather_dims = array<i64: 0>}
      : (tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>
  return %rows : tensor<?x64xf32>
}
"""
CALLS = 500
REPEATS = 200


def fastest(call: Callable[[], object]) -> float:
    """Microseconds of one call."""
    return min(timeit.repeat(call, number=CALLS, repeat=REPEATS)) / CALLS * 1e6


def main() -> None:
    """Print the table."""
    table = np.random.default_rng(0).standard_normal((1000, 64)).astype(np.float32)
    ids = np.random.default_rng(1).integers(0, 1000, (100, 1))
    start = time.perf_counter()
    kernel = compile(SOURCE, threads=1)
    kernel(table, ids)
    print(f"first kernel, parse to first result   {1e3 * (time.perf_counter() - start):8.1f} ms")
    times = []
    for _ in range(10):
        start = time.perf_counter()
        kernel = compile(SOURCE, threads=1)
        kernel(table, ids)
        times.append(1e3 * (time.perf_counter() - start))
    print(f"another kernel                        {min(times):8.1f} ms")
    out, nothing = np.empty((100, 64), np.float32), ids[:0]
    empty = out[:0]
    flat = ids[:, 0]
    frozen = table.copy()
    frozen.flags.writeable = False
    rows = [
        ("no rows, out=", lambda: kernel(table, nothing, out=empty)),
        ("no rows, new result", lambda: kernel(table, nothing)),
        ("100 rows, out=", lambda: kernel(table, ids, out=out)),
        ("100 rows, new result", lambda: kernel(table, ids)),
        ("100 rows, read-only table, out=", lambda: kernel(frozen, ids, out=out)),
        ("np.take(out=, mode=clip)", lambda: np.take(table, flat, 0, out=out, mode="clip")),
        ("np.take", lambda: np.take(table, flat, 0)),
    ]
    for label, call in rows:
        print(f"{label:36s}  {fastest(call):8.2f} us")


if __name__ == "__main__":
    main()
