"""Slices whose last element is further away than 64 bits hold: an error, and no access."""

import mlir_gs
import numpy as np
import pytest

FAR = (1 << 61, 1 << 62, (1 << 63) - 1, -(1 << 62), -(1 << 63))
TENSOR = """
func.func @main(%a: tensor<5xf32>, %o: index, %n: index, %s: index) -> tensor<?xf32> {
  %r = tensor.extract_slice %a[%o] [%n] [STEP] : tensor<5xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
MEMREF = """
func.func @main(%a: memref<5xf32>, %o: index, %n: index, %s: index) -> tensor<?xf32> {
  %v = memref.subview %a[%o] [%n] [STEP]
      : memref<5xf32> to memref<?xf32, strided<[LAYOUT], offset: ?>>
  %m = memref.alloc(%n) : memref<?xf32>
  memref.copy %v, %m : memref<?xf32, strided<[LAYOUT], offset: ?>> to memref<?xf32>
  %r = bufferization.to_tensor %m restrict writable : memref<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
"""


@pytest.mark.parametrize("step", [*FAR[:4], None])
@pytest.mark.parametrize("text", [TENSOR, MEMREF], ids=["tensor", "memref"])
def test_ends_beyond_64_bits(text: str, step: int | None) -> None:
    filled = text.replace("STEP", "%s" if step is None else str(step))
    kernel = mlir_gs.compile(
        filled.replace("LAYOUT", "?" if step is None else str(step)), threads=1
    )
    x = np.arange(5, dtype=np.float32)
    for run in FAR if step is None else (0,):
        for start in (0, 4):
            np.testing.assert_array_equal(kernel(x, start, 0, run), [])
            np.testing.assert_array_equal(kernel(x, start, 1, run), [x[start]])
            # 2^3 times 2^61, 2^2 times 2^62 and 2 times 2^63 are 0 in 64 bits.
            for count in (2, 3, 5, 9, 17):
                with pytest.raises(ValueError, match=r"the end of slice 0|offset 0"):
                    kernel(x, start, count, run)
