"""Eager torch and a kernel, one after the other, on one thread and on all CPUs.

`python benchmarks/alternating.py` prints the median and the least time of a kernel, of an eager op,
and of both, where kernels run on torch's threads.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable

CALLS = 300


def run(threads: int) -> None:
    """One process for each number of threads: a runtime keeps what it has begun with."""
    import torch

    torch.set_num_threads(threads)
    table, ids = torch.rand(20_000, 64), torch.randint(0, 20_000, (15_000,))
    x, y = torch.rand(500_000), torch.rand(500_000)
    total = torch.empty_like(x)
    kernel = torch.compile(
        lambda table, ids: table[ids] * 2.0, backend="mlir_gs", options={"threads": threads}
    )

    def eager() -> None:
        torch.add(x, y, out=total)

    def both() -> None:
        kernel(table, ids)
        eager()

    calls = {"kernel": lambda: kernel(table, ids), "eager": eager, "both": both}
    found = {name: _times(call) for name, call in calls.items()}
    texts = [f"{name} {middle:.0f} ({least:.0f})" for name, (middle, least) in found.items()]
    print(f"{threads} threads, us: {', '.join(texts)}", flush=True)


def _times(call: Callable[[], object]) -> tuple[float, float]:
    for _ in range(5):
        call()
    time.sleep(0.3)
    found = []
    for _ in range(CALLS):
        start = time.perf_counter()
        call()
        found.append(1e6 * (time.perf_counter() - start))
    found.sort()
    return found[len(found) // 2], found[0]


def main() -> int:
    """Print a line for one thread and one for all CPUs."""
    if len(sys.argv) > 1:
        run(int(sys.argv[1]))
        return 0
    for threads in sorted({1, len(os.sched_getaffinity(0))}):
        subprocess.run([sys.executable, __file__, str(threads)], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
