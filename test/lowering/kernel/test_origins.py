"""Memory that branches choose, in loops that are outlined, and sizes that a view is given."""

import mlir_gs
import numpy as np

CHOSEN = """
func.func @f(%c: i1, %o: memref<8xf32>, %p: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %one, %a[%i] : memref<8xf32>
    memref.store %one, %b[%i] : memref<8xf32>
  }
  %s = arith.select %c, %a, %b : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %s[%c0] : memref<8xf32>
    %w = arith.addf %v, %one : f32
    memref.store %w, %a[%c0] : memref<8xf32>
    memref.store %w, %o[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %s[%c0] : memref<8xf32>
    %w = arith.addf %v, %one : f32
    memref.store %w, %a[%c0] : memref<8xf32>
    memref.store %w, %p[%i] : memref<8xf32>
  }
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}
"""

STACK = """
func.func @g(%c: i1, %n: f32, %o: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %s = scf.if %c -> memref<1xf32> {
    %m = memref.alloca() : memref<1xf32>
    memref.store %n, %m[%c0] : memref<1xf32>
    scf.yield %m : memref<1xf32>
  } else {
    %m = memref.alloca() : memref<1xf32>
    memref.store %one, %m[%c0] : memref<1xf32>
    scf.yield %m : memref<1xf32>
  }
  %k = arith.addf %n, %one : f32
  %t = scf.if %c -> memref<1xf32> {
    %m = memref.alloca() : memref<1xf32>
    memref.store %k, %m[%c0] : memref<1xf32>
    scf.yield %m : memref<1xf32>
  } else {
    %m = memref.alloca() : memref<1xf32>
    memref.store %one, %m[%c0] : memref<1xf32>
    scf.yield %m : memref<1xf32>
  }
  %v = memref.load %s[%c0] : memref<1xf32>
  %w = memref.load %t[%c0] : memref<1xf32>
  memref.store %v, %o[%c0] : memref<2xf32>
  memref.store %w, %o[%c1] : memref<2xf32>
  return
}
"""

TOLD = """
func.func @h(%x: memref<?xf32>, %n: index) -> memref<?x?xf32, strided<[?, 1]>> {
  %r = memref.reinterpret_cast %x to offset: [0], sizes: [2, %n], strides: [%n, 1]
      : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  return %r : memref<?x?xf32, strided<[?, 1]>>
}
"""


def test_chosen_memory_is_no_memory_of_its_own() -> None:
    o, p = np.zeros(8, np.float32), np.zeros(8, np.float32)
    kernel = mlir_gs.compile(CHOSEN, threads=1)
    kernel(True, o, p)
    np.testing.assert_array_equal([*o, *p], np.arange(2, 18))
    kernel(False, o, p)
    np.testing.assert_array_equal([*o, *p], [2] * 16)


def test_memory_on_the_stack_of_a_branch() -> None:
    o = np.zeros(2, np.float32)
    mlir_gs.compile(STACK, threads=1)(True, 5.0, o)
    np.testing.assert_array_equal(o, [5, 6])


def test_sizes_that_the_type_does_not_know() -> None:
    x = np.arange(10, dtype=np.float32)
    found = mlir_gs.compile(TOLD, threads=1)(x, 5)
    np.testing.assert_array_equal(np.asarray(found), x.reshape(2, 5))
