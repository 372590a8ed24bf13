"""Results that are views of arguments: in the caller's memory for arrays of any strides."""

import numpy as np
import pytest
from mlir_gs.execution import compile

SLICE = """
func.func @main(%a: tensor<?x?xf32>, %at: index) -> tensor<1x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = tensor.extract_slice %a[%at, 0] [1, %n] [1, 1] : tensor<?x?xf32> to tensor<1x?xf32>
  return %r : tensor<1x?xf32>
}
"""
ROW = SLICE.replace("tensor<1x?xf32>", "tensor<?xf32>")
DEEP = """
func.func @main(%a: tensor<?x?xf32>, %at: index) -> tensor<?x1x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %r = tensor.expand_shape %a [[0, 1], [2]] output_shape [%m, 1, %n]
      : tensor<?x?xf32> into tensor<?x1x?xf32>
  return %r : tensor<?x1x?xf32>
}
"""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [(SLICE, lambda a: a[2:3]), (ROW, lambda a: a[2]), (DEEP, lambda a: a[:, None])],
    ids=["slice", "row", "expand_shape"],
)
def test_views_of_any_strides(text: str, wanted) -> None:
    kernel = compile(text, threads=1)
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    for given in (a, np.asfortranarray(a), np.repeat(a, 2, 1)[:, ::2], a[:, ::-1]):
        out = np.empty(wanted(given).shape, np.float32)
        assert kernel(given, 2, out=out) is out
        np.testing.assert_array_equal(out, wanted(given))
        np.testing.assert_array_equal(kernel(given, 2), wanted(given))
