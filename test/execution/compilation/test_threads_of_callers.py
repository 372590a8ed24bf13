"""Python's threads: compiling and calling at once, and what runs meanwhile."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from mlir_gs.execution import compile
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
