"""Bodies with ops that upstream takes on scalars only."""

import mlir_gs
import numpy as np
import pytest

POWERS = """
func.func @main(%rows: tensor<9x16xf32>, %at: tensor<7xi32>) -> tensor<7x16xf32> {
  %out = tensor.empty() : tensor<7x16xf32>
  %r = "gs.generic"(%rows, %at, %out) ({
  ^bb0(%x: f32, %current: f32):
    %n = arith.constant EXPONENT : i64
    %p = math.fpowi %x, %n : f32, i64
    "gs.yield"(%p) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(i, j)[s] -> (i)>]],
      indexing_maps = [affine_map<(i, j)[s] -> (s, j)>, affine_map<(i, j)[s] -> (i, j)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<9x16xf32>, tensor<7xi32>, tensor<7x16xf32>) -> tensor<7x16xf32>
  return %r : tensor<7x16xf32>
}
"""


@pytest.mark.parametrize("exponent", [-3, 0, 2, 5])
def test_integer_powers(exponent: int) -> None:
    rng = np.random.default_rng(3)
    rows = rng.uniform(0.5, 2, (9, 16)).astype(np.float32)
    at = rng.integers(0, 9, 7).astype(np.int32)
    found = mlir_gs.compile(POWERS.replace("EXPONENT", str(exponent)), threads=1)(rows, at)
    np.testing.assert_allclose(found, rows[at].astype(np.float64) ** exponent, rtol=1e-5)
