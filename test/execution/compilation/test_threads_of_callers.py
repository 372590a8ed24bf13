"""Python's threads: compiling and calling at once, and what runs meanwhile."""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import mlir_gs
import numpy as np
import pytest
from mlir_gs.execution import compile
from mlir_gs.execution.call import native
from mlir_gs.execution.environment import environment_number
from sources import GATHER, scatter_add

WAIT = """
func.func @wait(%flag: memref<2xi32>, %most: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %false = arith.constant false
  memref.store %one, %flag[%c1] : memref<2xi32>
  %n, %seen = scf.while (%k = %c0, %s = %false) : (index, i1) -> (index, i1) {
    %true = arith.constant true
    %unseen = arith.xori %s, %true : i1
    %more = arith.cmpi slt, %k, %most : index
    %go = arith.andi %unseen, %more : i1
    scf.condition(%go) %k, %s : index, i1
  } do {
  ^bb0(%k: index, %s: i1):
    %v = memref.atomic_rmw addi %zero, %flag[%c0] : (i32, memref<2xi32>) -> i32
    %found = arith.cmpi ne, %v, %zero : i32
    %next = arith.addi %k, %c1 : index
    scf.yield %next, %found : index, i1
  }
  return %seen : i1
}
"""
"""Raises the second flag, and looks at the first, at most so many times; returns whether it was
raised."""


def test_other_threads_run_while_a_kernel_does() -> None:
    kernel = compile(WAIT, threads=1)
    flags = np.zeros(2, np.int32)
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(kernel, flags, 1 << 31)
        while not flags[1]:
            time.sleep(0)
        # A kernel that held the interpreter would have finished by now.
        flags[0] = 1
        assert found.result()


def test_compiling_and_calling_from_several_threads() -> None:
    table = np.random.default_rng(0).standard_normal((40, 64)).astype(np.float32)
    ids = np.random.default_rng(1).integers(0, 40, (30, 1))
    expected = table.copy()
    np.add.at(expected, ids[:, 0], table[:30])
    shared = compile(GATHER)

    def work(number: int) -> bool:
        add = compile(scatter_add()) if number % 2 else shared
        for _ in range(50):
            rows = shared(table, ids[:, 0])
            assert np.array_equal(rows, table[ids[:, 0]])
            # Strided and wrong arguments bring in code that is compiled when it is needed.
            assert np.array_equal(shared(table[::-1], ids[:, 0]), table[::-1][ids[:, 0]])
            if number % 2:
                assert np.array_equal(add(table, ids, table[:30]), expected)
            with pytest.raises(ValueError, match=r"expected float32\[\?, 64\]"):
                shared(table[:, :3], ids[:, 0])
        return True

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))


@pytest.mark.parametrize("name", ["torch", "jax", "numpy.ma", "mlir_gs.dialect.base",
                                  "mlir_gs.execution.compilation.build"])  # fmt: skip
def test_modules_that_another_thread_is_importing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, ids = np.arange(256, dtype=np.float32).reshape(4, 64), np.array([2, 0])
    text = GATHER.replace("@", f"@{name.replace('.', '_')}_")
    kernel = compile(GATHER)
    monkeypatch.setitem(sys.modules, name, ModuleType(name))
    if not name.endswith("build"):  # What compiles waits for the other thread.
        compile(text)
    native._code(may_compile=True)
    np.testing.assert_array_equal(kernel(table, ids), table[[2, 0]])
    with pytest.raises(TypeError, match="found list"):
        kernel(table, [2, 0])
    np.testing.assert_array_equal(mlir_gs.take(table.tolist(), [2, 0], 0), table[[2, 0]])


def test_sizes_that_are_no_numbers(monkeypatch: pytest.MonkeyPatch, capfd) -> None:
    for text, said in (("12", ""), (" ", ""), ("x", "found 'x': 5 is used"), ("-1", "found '-1'")):
        monkeypatch.setenv("MLIR_GS_ANY", text)
        assert environment_number("MLIR_GS_ANY", 5) == (12 if text == "12" else 5)
        environment_number("MLIR_GS_ANY", 5)
        found = capfd.readouterr().err
        assert said in found
        assert found.count("\n") == (1 if said else 0)
