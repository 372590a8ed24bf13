"""Bodies with ops that upstream takes on scalars only."""

import mlir_gs
import numpy as np
import pytest

POWERS = """
func.func @main(%rows: tensor<9x16xf32>, %at: tensor<7xi32>) -> tensor<7x16xf32> {
  %out = tensor.empty() : tensor<7x16xf32>
  %r = gs.generic (i, j) [s = %at[i]]
      ins(%rows[s, j]) outs(%out[i, j]) iterators(i = parallel, j = parallel)
      : (tensor<9x16xf32>, tensor<7xi32>, tensor<7x16xf32>) -> tensor<7x16xf32> {
  ^bb0(%x: f32, %current: f32):
    %n = arith.constant EXPONENT : i64
    %p = math.fpowi %x, %n : f32, i64
    gs.yield %p : f32
  }
  return %r : tensor<7x16xf32>
}
"""


# LLVM takes exponents of 32 bits.
@pytest.mark.parametrize("exponent", [-3, 0, 2, 5, 1 << 32, (1 << 32) + 2, -(1 << 31) - 1])
def test_integer_powers(exponent: int) -> None:
    rng = np.random.default_rng(3)
    rows = rng.uniform(0.5, 2, (9, 16)).astype(np.float32)
    at = rng.integers(0, 9, 7).astype(np.int32)
    found = mlir_gs.compile(POWERS.replace("EXPONENT", str(exponent)), threads=1)(rows, at)
    with np.errstate(over="ignore"):
        wanted = (rows[at].astype(np.float64) ** exponent).astype(np.float32)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


NUMBER_POWERS = """
func.func @main(%x: tensor<8xELEMENT>, %n: tensor<8xi64>) -> tensor<8xELEMENT> {
  %out = tensor.empty() : tensor<8xELEMENT>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
      affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %n : tensor<8xELEMENT>, tensor<8xi64>) outs(%out : tensor<8xELEMENT>) {
  ^bb0(%a: ELEMENT, %k: i64, %o: ELEMENT):
    %m = arith.trunci %k : i64 to EXPONENT
    %p = math.fpowi %a, %m : ELEMENT, EXPONENT
    linalg.yield %p : ELEMENT
  } -> tensor<8xELEMENT>
  return %r : tensor<8xELEMENT>
}
"""


@pytest.mark.parametrize("exponent", ["i8", "i16", "i48"])
@pytest.mark.parametrize("element", ["f32", "f64", "f16"])
def test_powers_by_any_width(element: str, exponent: str) -> None:
    bits = int(exponent[1:])
    n = np.array([3, -1, 0, 2, -(1 << (bits - 1)), (1 << (bits - 1)) - 1, 5, -5], np.int64)
    x = np.array([-1.5, 2.0, np.nan, -0.5, -1.0, -1.0, -np.inf, -0.0], f"float{element[1:]}")
    text = NUMBER_POWERS.replace("ELEMENT", element).replace("EXPONENT", exponent)
    found = mlir_gs.compile(text, threads=1)(x, n)
    with np.errstate(all="ignore"):
        wanted = (x.astype(np.float64) ** n.astype(np.float64)).astype(x.dtype)
    np.testing.assert_allclose(found, wanted, rtol=1e-3 if element == "f16" else 1e-6)
