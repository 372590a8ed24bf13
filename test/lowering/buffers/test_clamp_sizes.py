"""What a loop allocates may have a negative size where the loop has no step."""

import mlir_gs
import numpy as np

TEXT = """
func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = arith.subi %n, %c1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%m) : memref<?xf32>
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      memref.store %v, %a[%j] : memref<?xf32>
    }
    scf.for %j = %c0 to %m step %c1 {
      %k = arith.addi %j, %c1 : index
      %v = memref.load %a[%j] : memref<?xf32>
      memref.store %v, %x[%k] : memref<?xf32>
    }
  }
  return
}
"""


def test_a_loop_without_a_step() -> None:
    compiled = mlir_gs.compile(TEXT)
    for size in (0, 1, 2, 5):
        x = np.arange(1, size + 1, dtype=np.float32)
        compiled(x)
        np.testing.assert_array_equal(x, np.ones(size))
