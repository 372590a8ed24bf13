"""Parallel regions that lose to one thread: most calls take one then, with equal results."""

import subprocess
import sys

import pytest
from mlir_gs import parse
from mlir_gs.dialect import context
from mlir_gs.execution.compilation.lower import lowered

GATHER = """
func.func @f(%table: tensor<?x2xf32>, %ids: tensor<?x1xi64>) -> tensor<?x2xf32> {
  %r = gs.gather %table[%ids] gather_dims([0]) mode(clip)
      : (tensor<?x2xf32>, tensor<?x1xi64>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
"""


def _text(source: str, threads: int) -> str:
    with context() as ctx:
        return str(lowered(parse(source, ctx), "f", threads=threads))


@pytest.mark.usefixtures("openmp_runtime")
def test_regions_measure_themselves() -> None:
    text = _text(GATHER, 3)
    regions = text.count("omp.parallel")
    assert regions > 0
    assert text.count("call @__gs_took") == text.count("call @__gs_threads") == regions
    assert f"array<{2 * regions} x i64>" in text
    assert "__gs_took" not in _text(GATHER, 1)


# Threads that wait for each other on one CPU: a call of 16 takes many times as long as one.
BUSY = """
import os, sys, time
import numpy as np
from statistics import median
import mlir_gs
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
table, ids = np.arange(200_000, dtype=np.float32).reshape(-1, 2), np.arange(100_000)[:, None] % 777
one, many = (mlir_gs.compile(sys.argv[1], threads=n) for n in (1, 16))
times = [], []
for _ in range(40):
    for kernel, found in zip((one, many), times):
        start = time.perf_counter()
        assert np.array_equal(kernel(table, ids), table[ids[:, 0]])
        found.append(time.perf_counter() - start)
print(median(times[1][20:]) / median(times[0][20:]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a process on one CPU")
def test_threads_without_a_cpu_cost_little() -> None:
    ratio = subprocess.run(
        [sys.executable, "-c", BUSY, GATHER],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout
    assert float(ratio) < 2
