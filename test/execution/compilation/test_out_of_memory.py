"""What does not fit into memory is a MemoryError, and costs nothing."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from mlir_gs.execution import compile
from sources import FIRST

SQUARES = """
func.func @last(%a: tensor<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n, %d) : tensor<?x?xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %v = arith.mulf %x, %x : f32
    linalg.yield %v : f32
  } -> tensor<?x?xf32>
  %x = tensor.extract %r[%c0, %c0] : tensor<?x?xf32>
  return %x : f32
}
"""
"""A temporary of %n rows."""

TWO = """
func.func @two(%a: memref<?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c0] : memref<?xf32>
  %p = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%p : memref<?xf32>)
  %q = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%q : memref<?xf32>)
  %y = memref.load %p[%c1] : memref<?xf32>
  %z = memref.load %q[%c1] : memref<?xf32>
  %s = arith.addf %y, %z : f32
  memref.store %s, %a[%c1] : memref<?xf32>
  memref.dealloc %p : memref<?xf32>
  memref.dealloc %q : memref<?xf32>
  return
}
"""
"""One temporary while there is another."""

LOOP = """
func.func @loop(%a: memref<?xf32>, %sizes: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c0] : memref<?xf32>
  %n = memref.dim %sizes, %c0 : memref<?xindex>
  scf.for %k = %c0 to %n step %c1 {
    %m = memref.load %sizes[%k] : memref<?xindex>
    %p = memref.alloc(%m) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%p : memref<?xf32>)
    %y = memref.load %p[%c1] : memref<?xf32>
    memref.store %y, %a[%c1] : memref<?xf32>
    memref.dealloc %p : memref<?xf32>
  }
  return
}
"""

TOO_MANY = 1 << 46
"""Floats that no address space of 47 bits holds."""


def test_the_temporaries_of_a_kernel() -> None:
    kernel = compile(SQUARES)
    array = np.full(8, 3, np.float32)
    assert kernel(array, 10) == 9
    for rows in (TOO_MANY, 1 << 59, 1 << 60, 1 << 61, 1 << 62, (1 << 63) - 1):
        with pytest.raises(MemoryError, match="allocates for itself"):
            kernel(array, rows)
    for rows in (0, -1, -(1 << 60)):
        # It has no element 0.
        with pytest.raises(ValueError, match=r"'tensor\.extract' op, index 0 must be"):
            kernel(array, rows)
    # Strided code is compiled on its own.
    with pytest.raises(MemoryError):
        kernel(array[::2], TOO_MANY)
    assert kernel(array, 10) == 9


def test_what_was_allocated_before_is_freed(
    resident: Callable[[Callable[[], object], int], int],
) -> None:
    kernel = compile(TWO)
    array = np.array([2, 7], np.float32)

    def fail() -> None:
        with pytest.raises(MemoryError):
            kernel(array, 1 << 18, TOO_MANY)

    assert resident(fail, 50) < 20 * 1024
    assert array[1] == 7
    kernel(array, 5, 6)
    assert array[1] == 4


def test_allocations_of_a_loop() -> None:
    kernel = compile(LOOP)
    array = np.array([2, 7], np.float32)
    kernel(array, np.array([5, 2, 900]))
    assert array[1] == 2
    with pytest.raises(MemoryError):
        kernel(array, np.array([5, TOO_MANY, 900]))


def test_results_that_do_not_fit() -> None:
    kernel = compile(
        "func.func @f(%n: index, %x: f32) -> tensor<?xf32> {\n"
        "  %e = tensor.empty(%n) : tensor<?xf32>\n"
        "  %r = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>\n"
        "  return %r : tensor<?xf32>\n}"
    )
    for _ in range(5):
        with pytest.raises((MemoryError, ValueError)):
            kernel(TOO_MANY, 1.0)
        with pytest.raises((MemoryError, ValueError)):
            kernel((1 << 63) - 1, 1.0)
    assert kernel(3, 2.0).sum() == 6
    owned = compile(FIRST)
    with pytest.raises(MemoryError):
        owned(np.full(2, float(TOO_MANY), np.float32))
    assert owned(np.full(2, 3, np.float32)).sum() == 9


def test_gs_run_says_so_in_one_line(tmp_path: Path) -> None:
    source = tmp_path / "squares.mlir"
    source.write_text(SQUARES)
    found = subprocess.run(
        [sys.executable, "-m", "mlir_gs.tools.gs_run", str(source), "--args", "_", str(1 << 50)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 1
    assert "MemoryError: what the function allocates" in found.stderr
    assert len(found.stderr.splitlines()) == 1
