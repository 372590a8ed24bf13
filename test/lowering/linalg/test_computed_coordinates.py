"""Coordinates of every kind that are computed from floats, wrapped and clipped in registers."""

import mlir_gs
import numpy as np
import pytest


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("wrap", ["", "wrap_negative"])
@pytest.mark.parametrize("shift", [0, 2])
def test_clip(bits, wrap, shift, threads):
    kernel = mlir_gs.compile(
        f"""
#d = affine_map<(d) -> (d)>
func.func @f(%x: tensor<50x2xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %0 = tensor.empty(%n) : tensor<?xi{bits}>
  %i = linalg.generic {{indexing_maps = [#d, #d], iterator_types = ["parallel"]}}
      ins(%y : tensor<?xf32>) outs(%0 : tensor<?xi{bits}>) {{
  ^bb0(%a: f32, %b: i{bits}):
    %f = math.floor %a : f32
    %g = arith.fptosi %f : f32 to i{bits}
    linalg.yield %g : i{bits}
  }} -> tensor<?xi{bits}>
  %1 = tensor.empty(%n) : tensor<?xf32>
  %r = gs.generic (d) [s = %i[d] mode(clip) {wrap}] ins(%x[s + {shift}, 1], %y[d]) outs(%1[d])
      : (tensor<50x2xf32>, tensor<?xf32>, tensor<?xi{bits}>, tensor<?xf32>) -> tensor<?xf32> {{
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    gs.yield %s : f32
  }}
  return %r : tensor<?xf32>
}}""",
        threads=threads,
    )
    rng = np.random.default_rng(bits)
    x = rng.standard_normal((50, 2)).astype(np.float32)
    for count in (0, 1, 17, 70_000):
        y = rng.uniform(-120, 120, count).astype(np.float32)
        at = np.floor(y).astype(np.int64)
        if wrap:
            at = np.where(at < 0, at + 50, at)
        expected = x[np.clip(at, -shift, 49 - shift) + shift, 1] + y
        np.testing.assert_array_equal(kernel(x, y), expected)
