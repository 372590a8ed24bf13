"""Sizes of a `tensor.expand_shape` whose product has more than 64 bits, or negative factors."""

import mlir_gs
import numpy as np
import pytest

TEXT = """
func.func @main(%x: tensor<?xf32>, %a: index, %b: index, %c: index) -> tensor<f32> {
  %0 = tensor.expand_shape %x [[0, 1, 2]] output_shape [%a, %b, %c]
      : tensor<?xf32> into tensor<?x?x?xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<f32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<f32>) -> tensor<f32>
  %1 = linalg.reduce { arith.addf } ins(%0 : tensor<?x?x?xf32>) outs(%init : tensor<f32>)
      dimensions = [0, 1, 2]
  return %1 : tensor<f32>
}
"""
FAR = 1 << 32


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((2, 3, 1), ""),
        ((6, 1, 1), ""),
        ((2, 4, 1), "expected 8, found 6"),
        ((-2, -3, 1), "size 0 of the result must be at least 0"),
        ((2, -3, -1), "size 1 of the result must be at least 0"),
        # The low 64 bits are 6.
        ((0xAAAAAAAAAAAAAAAB >> 1, 2, 6), "must be at most what 64 bits hold"),
        ((FAR, FAR, 1), "must be at most what 64 bits hold"),
        ((3 * FAR, 2 * FAR, 2), "must be at most what 64 bits hold"),
    ],
)
def test_products(sizes: tuple[int, ...], message: str) -> None:
    kernel = mlir_gs.compile(TEXT, threads=1)
    if not message:
        assert kernel(np.ones(6, np.float32), *sizes) == 6
        return
    with pytest.raises(ValueError, match=message):
        kernel(np.ones(6, np.float32), *sizes)


def test_products_of_nothing() -> None:
    kernel = mlir_gs.compile(TEXT, threads=1)
    assert kernel(np.ones(0, np.float32), FAR, FAR, 0) == 0
    with pytest.raises(ValueError, match="must be at most what 64 bits hold"):
        kernel(np.ones(0, np.float32), FAR, FAR, 1)
