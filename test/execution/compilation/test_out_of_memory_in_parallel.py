"""What iterations of a parallel loop allocate for themselves and cannot have is a MemoryError."""

from collections.abc import Callable

import numpy as np
import pytest
from mlir_gs.execution import CompileError, compile

ONE = """
func.func @one(%a: memref<?xf32>, %sizes: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c0] : memref<?xf32>
  %n = memref.dim %sizes, %c0 : memref<?xindex>
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {
    %m = memref.load %sizes[%k] : memref<?xindex>
    %p = memref.alloc(%m, %m) : memref<?x?xf32>
    linalg.fill ins(%x : f32) outs(%p : memref<?x?xf32>)
    %y = memref.load %p[%c1, %c0] : memref<?x?xf32>
    %z = arith.addf %y, %y : f32
    memref.store %z, %a[%k] : memref<?xf32>
    memref.dealloc %p : memref<?x?xf32>
    scf.reduce
  }
  return
}
"""
"""A square of its own in each iteration."""

TWO = """
func.func @two(%a: memref<?xf32>, %first: memref<?xindex>, %second: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%c0] : memref<?xf32>
  %n = memref.dim %first, %c0 : memref<?xindex>
  %kept = memref.alloc(%n) : memref<?xf32>
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {
    %m = memref.load %first[%k] : memref<?xindex>
    %p = memref.alloc(%m) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%p : memref<?xf32>)
    %l = memref.load %second[%k] : memref<?xindex>
    scf.for %again = %c0 to %c1 step %c1 {
      %q = memref.alloc(%l) : memref<?xf32>
      linalg.fill ins(%x : f32) outs(%q : memref<?xf32>)
      %y = memref.load %p[%c1] : memref<?xf32>
      %z = memref.load %q[%c1] : memref<?xf32>
      %s = arith.addf %y, %z : f32
      memref.store %s, %kept[%k] : memref<?xf32>
      memref.dealloc %q : memref<?xf32>
    }
    memref.dealloc %p : memref<?xf32>
    scf.reduce
  }
  memref.copy %kept, %a : memref<?xf32> to memref<?xf32>
  memref.dealloc %kept : memref<?xf32>
  return
}
"""
"""Two at a time in each iteration, and one outside."""

NESTED = """
func.func @nested(%a: memref<?xf32>, %sizes: memref<?x?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %sizes, %c0 : memref<?x?xindex>
  %m = memref.dim %sizes, %c1 : memref<?x?xindex>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %where = memref.alloc(%m) : memref<?xindex>
    scf.parallel (%j) = (%c0) to (%m) step (%c1) {
      %l = memref.load %sizes[%i, %j] : memref<?x?xindex>
      %p = memref.alloc(%l) : memref<?xindex>
      linalg.fill ins(%j : index) outs(%p : memref<?xindex>)
      %k = memref.load %p[%c1] : memref<?xindex>
      memref.store %k, %where[%j] : memref<?xindex>
      memref.dealloc %p : memref<?xindex>
      scf.reduce
    }
    %last = arith.subi %m, %c1 : index
    %at = memref.load %where[%last] : memref<?xindex>
    %one = arith.constant 1.0 : f32
    %there = arith.addi %at, %i : index
    memref.store %one, %a[%there] : memref<?xf32>
    memref.dealloc %where : memref<?xindex>
    scf.reduce
  }
  return
}
"""
"""What the inner loop leaves undone is an index of the outer one."""

TENSORS = """
func.func @tensors(%t: tensor<?xf32>, %sizes: tensor<?xindex>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %sizes, %c0 : tensor<?xindex>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = scf.forall (%k) in (%n) shared_outs(%o = %e) -> (tensor<?xf32>) {
    %m = tensor.extract %sizes[%k] : tensor<?xindex>
    %x = tensor.extract %t[%k] : tensor<?xf32>
    %big = tensor.empty(%m) : tensor<?xf32>
    %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        outs(%big : tensor<?xf32>) {
    ^bb0(%old: f32):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i32
      %g = arith.sitofp %j : i32 to f32
      %v = arith.addf %g, %x : f32
      linalg.yield %v : f32
    } -> tensor<?xf32>
    %s2 = arith.constant 2 : index
    %d = arith.remui %m, %s2 : index
    %y = tensor.extract %f[%d] : tensor<?xf32>
    %s = tensor.from_elements %y : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%k] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
"""

TOO_MANY = 1 << 46
LARGE = (TOO_MANY, 1 << 59, 1 << 62, (1 << 63) - 1, -1, -(1 << 60))


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_one_at_a_time(threads: int) -> None:
    kernel = compile(ONE, threads=threads)
    sizes = np.array([5, 3, 900, 2, 7, 2])
    array = np.full(6, 3, np.float32)
    kernel(array, sizes)
    assert array.tolist() == [6] * 6
    for large in LARGE:
        for place in (0, 2, 5):
            wrong = sizes.copy()
            wrong[place] = large
            with pytest.raises(MemoryError, match="allocates for itself"):
                kernel(array, wrong)
    array[:] = 4
    kernel(array, sizes)
    assert array.tolist() == [8] * 6


@pytest.mark.parametrize("threads", [1, 2])
def test_what_an_iteration_had_is_freed(
    threads: int, resident: Callable[[Callable[[], object], int], int]
) -> None:
    kernel = compile(TWO, threads=threads)
    array = np.full(40, 2, np.float32)
    first = np.full(40, 1 << 16)
    second = np.full(40, TOO_MANY)

    def fail() -> None:
        with pytest.raises(MemoryError):
            kernel(array, first, second)

    # 256 KiB in each iteration that fails.
    assert resident(fail, 200) < 20 * 1024
    assert array.tolist() == [2] * 40
    kernel(array, first, np.full(40, 5))
    assert array.tolist() == [4] * 40


@pytest.mark.parametrize("threads", [1, 2])
def test_nested_loops(threads: int) -> None:
    kernel = compile(NESTED, threads=threads)
    array = np.zeros(20, np.float32)
    kernel(array, np.full((8, 5), 3))
    assert array.tolist() == [0] * 4 + [1] * 8 + [0] * 8
    sizes = np.full((8, 5), 3)
    sizes[3, 4] = TOO_MANY
    sizes[6, 0] = -1
    for _ in range(50):
        with pytest.raises(MemoryError):
            kernel(array, sizes)
    kernel(array, np.full((8, 5), 3))


@pytest.mark.parametrize("threads", [1, 2])
def test_tensors_of_a_forall(threads: int) -> None:
    kernel = compile(TENSORS, threads=threads)
    values = np.arange(7, dtype=np.float32)
    sizes = np.array([3, 1000, 7, 4, 99, 3, 3])
    np.testing.assert_array_equal(kernel(values, sizes), values + sizes % 2)
    sizes[4] = TOO_MANY
    with pytest.raises(MemoryError):
        kernel(values, sizes)


def test_a_constant_size_that_no_memory_holds() -> None:
    text = ONE.replace(
        "memref.alloc(%m, %m) : memref<?x?xf32>", f"memref.alloc(%m) : memref<{1 << 62}x?xf32>"
    )
    text = text.replace("memref<?x?xf32>", f"memref<{1 << 62}x?xf32>")
    with pytest.raises(CompileError, match=f"a memref of {1 << 62}x. elements has more than"):
        compile(text, threads=2)
