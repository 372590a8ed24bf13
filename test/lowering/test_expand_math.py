"""Exponentials and logarithms of f32 against NumPy: equal but for the last bit."""

import numpy as np
import pytest
from mlir_gs import compile

ENDS = [
    0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 1e-45, -1e-45, 1e-38, 88.7228, 88.73, -103.9, -104,
    3.4e38, -3.4e38, 1e-8, -1e-8, 0.5, -0.5,
]  # fmt: skip


@pytest.mark.parametrize("name", ["exp", "expm1", "tanh", "log", "log1p"])
def test_all_kinds_of_numbers(name: str) -> None:
    kernel = compile(f"""
#d = affine_map<(d) -> (d)>
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {{
  %r = linalg.generic {{indexing_maps = [#d, #d], iterator_types = ["parallel"]}}
      ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {{
  ^bb0(%a: f32, %old: f32):
    %b = math.{name} %a : f32
    linalg.yield %b : f32
  }} -> tensor<?xf32>
  return %r : tensor<?xf32>
}}""")
    rng = np.random.default_rng(7)
    bits = rng.integers(0, 1 << 32, 1 << 16, dtype=np.uint32).view(np.float32)
    x = np.concatenate([np.array(ENDS, "f4"), bits, rng.normal(0, 5, 1 << 16).astype("f4")])
    found = np.asarray(kernel(x, np.zeros_like(x)))
    with np.errstate(all="ignore"):
        wanted = getattr(np, name)(x.astype(np.float64)).astype(np.float32)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    is_number = ~np.isnan(wanted)
    compared, wanted = found[is_number], wanted[is_number]
    np.testing.assert_array_equal(np.signbit(compared), np.signbit(wanted))
    apart = compared.view(np.int32).astype(np.int64) - wanted.view(np.int32)
    assert np.abs(apart).max() <= 1
    assert np.count_nonzero(apart) < len(x) / 1000
    # The elements that are left over from vectors have the same bits.
    again = np.asarray(kernel(x[-3:], np.zeros(3, np.float32)))
    np.testing.assert_array_equal(again, found[-3:])
