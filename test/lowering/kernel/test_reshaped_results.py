"""One allocation that a function returns in several shapes: arrays that share no memory."""

import mlir_gs
import numpy as np
import pytest

SHAPES = {"tall": (6, 2), "flat": (12,), "wide": (3, 4)}


@pytest.mark.parametrize(
    "names", ["wide", "flat wide", "wide tall", "tall wide", "wide wide", "wide flat tall", "flat"]
)
def test_results(names: str) -> None:
    types = {name: f"tensor<{'x'.join(map(str, n))}xf32>" for name, n in SHAPES.items()}
    returned = ", ".join(types[name] for name in names.split())
    text = f"""
func.func @f(%x: tensor<6x2xf32>) -> ({returned}) {{
  %e = tensor.empty() : tensor<6x2xf32>
  %tall = linalg.map {{ math.sqrt }} ins(%x : tensor<6x2xf32>) outs(%e : tensor<6x2xf32>)
  %flat = tensor.collapse_shape %tall [[0, 1]] : tensor<6x2xf32> into tensor<12xf32>
  %wide = tensor.expand_shape %flat [[0, 1]] output_shape [3, 4]
      : tensor<12xf32> into tensor<3x4xf32>
  return {", ".join("%" + name for name in names.split())} : {returned}
}}"""
    x = np.arange(12, dtype=np.float32).reshape(6, 2)
    found = mlir_gs.compile(text)(x)
    results = [np.asarray(one) for one in (found if isinstance(found, tuple) else [found])]
    for name, result in zip(names.split(), results, strict=True):
        np.testing.assert_array_equal(result, np.sqrt(x).reshape(SHAPES[name]))
    assert len({result.ctypes.data for result in results}) == len(results)
