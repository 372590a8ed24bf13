"""Some of what random_pads.py runs, and amounts that a gather of what was padded has to know."""

import mlir_gs
import numpy as np
import pytest
from random_pads import check


@pytest.mark.parametrize("seed", range(40))
def test_random_pads(seed: int) -> None:
    check(seed)


def test_gather_of_what_is_cut_at_run_time() -> None:
    text = """
func.func @f(%x: tensor<6xf32>, %h: index, %i: tensor<3x1xi64>) -> tensor<3xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[0] high[%h] {
  ^bb0(%p: index):
    tensor.yield %c : f32
  } : tensor<6xf32> to tensor<?xf32>
  %1 = gs.gather %0[%i] gather_dims([0]) mode(fill) fill_value(0.000000e+00 : f32)
      : (tensor<?xf32>, tensor<3x1xi64>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}
"""
    kernel = mlir_gs.compile(text)
    x, indices = np.arange(1, 7, dtype=np.float32), np.array([[0], [3], [5]])
    np.testing.assert_array_equal(kernel(x, np.int64(-3), indices), [1, 0, 0])
    np.testing.assert_array_equal(kernel(x, np.int64(0), indices), [1, 4, 6])


def test_a_result_of_another_size_than_its_type_says() -> None:
    text = """
func.func @f(%x: tensor<3xf32>, %l: index) -> tensor<4xf32> {
  %c = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[%l] high[0] {
  ^bb0(%p: index):
    tensor.yield %c : f32
  } : tensor<3xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
    kernel = mlir_gs.compile(text)
    np.testing.assert_array_equal(kernel(np.ones(3, np.float32), np.int64(1)), [0, 1, 1, 1])
    with pytest.raises(RuntimeError, match=r"'tensor.pad' op dim 0 of the result has another size"):
        kernel(np.ones(3, np.float32), np.int64(1000))
