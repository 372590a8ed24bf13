"""Parallel regions that lose to one thread: most calls take one then, with equal results."""

import ctypes
import subprocess
import sys
from typing import Any

import pytest
from mlir_gs import ir, parse
from mlir_gs.dialect import context
from mlir_gs.dialect._bindings import module
from mlir_gs.execution.compilation.lower import lowered
from mlir_gs.lowering.llvm.gs_measure_regions import FUNCTIONS

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
    assert f"array<{3 * regions} x i64>" in text
    assert "__gs_took" not in _text(GATHER, 1)


def test_turns_double_while_regions_lose() -> None:
    state, parts = (ctypes.c_int64 * 3)(), ctypes.c_int64(100)
    with ir.Context():
        text = FUNCTIONS.replace("internal ", "")
        engine = module("execution_engine").ExecutionEngine(ir.Module.parse(text))

    def turns(took: int) -> int:
        arguments: list[Any] = [
            ctypes.c_void_p(ctypes.addressof(state)),
            ctypes.c_int32(2),
            ctypes.c_int64(took),
            ctypes.c_void_p(ctypes.addressof(parts)),
        ]
        places = [ctypes.cast(ctypes.byref(one), ctypes.c_void_p) for one in arguments]
        found = engine.raw_lookup("__gs_took")
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(found)((ctypes.c_void_p * 4)(*places))
        return state[0]

    # A call of 100 that took 1,100 has lost as much as 20 calls win, which halve their time.
    assert [turns(1100) for _ in range(8)] == [20, 40, 80, 160, 320, 640, 1280, 1280]
    # What 32 calls win pays for a loss, and for what was lost before.
    assert {turns(50) for _ in range(32)} == {0}
    assert [turns(1700), turns(1100), turns(1100)] == [0, 20, 40]
    # The last of them is on all threads, which it wakes: what it takes says nothing.
    state[0] = 1
    assert [turns(9100), turns(1100)] == [0, 80]


OWNED = """
func.func @f(%x: tensor<?x16xf64>, %i: tensor<?xi64>, %u: tensor<?x16xf64>) -> tensor<?x16xf64> {
  %y = gs.generic (e, c) [s = %i[e]] ins(%u[e, c]) outs(%x[s, c])
      iterators(e = reduction, c = parallel)
      : (tensor<?x16xf64>, tensor<?xi64>, tensor<?x16xf64>) -> tensor<?x16xf64> {
  ^bb0(%a: f64, %o: f64):
    gs.yield %a : f64
  }
  return %y : tensor<?x16xf64>
}
"""


@pytest.mark.usefixtures("openmp_runtime")
def test_owners_are_asked_before() -> None:
    """Each looks at all points, which one thread need not."""
    text = _text(OWNED, 2)
    assert text.count("call @__gs_took") == text.count("call @__gs_threads") > 0
    assert "call @__gs_loses" not in text


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
