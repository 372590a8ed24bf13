"""Cumulative sums and their kin, bit by bit against JAX: no quadratic windows."""

from collections.abc import Callable
from typing import Any

import mlir_gs
import numpy as np
import pytest
from stablehlo_harness import assert_same, compiled, imported


@pytest.mark.parametrize("element", ["float32", "uint8", "bfloat16"])
@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("axis", [0, 2])
def test_equals_jax(element: str, is_reversed: bool, axis: int, needs: Callable[..., Any]) -> None:
    jax = needs("jax")
    x = np.random.default_rng(axis).integers(0, 6, (5, 7, 3)).astype(jax.numpy.dtype(element))

    def scans(x: Any) -> Any:
        options = {"axis": axis, "reverse": is_reversed}
        return jax.lax.cumsum(x, **options), jax.lax.cummax(x, **options)

    module = imported(jax.jit(scans).lower(x).as_text())
    assert str(module).count("gs.generic") == 2
    assert_same(compiled(module, [x]), [np.asarray(each) for each in scans(x)], element)


def test_other_windows_are_upstreams() -> None:
    text = """
func.func @main(%x: tensor<6xf32>, %zero: tensor<f32>) -> tensor<6xf32> {
  %0 = "stablehlo.reduce_window"(%x, %zero) <{padding = dense<[[2, 0]]> : tensor<1x2xi64>,
      window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}"""
    found = mlir_gs.compile(text)(np.arange(6, dtype="f4"), np.float32(0))
    np.testing.assert_array_equal(found, [0, 1, 3, 6, 9, 12])


@pytest.mark.parametrize("element", ["float32", "int8", "bfloat16"])
def test_the_place_of_the_greatest(element: str, needs: Callable[..., Any]) -> None:
    """Ties are of the first, and a NaN is greatest; the reduced dim is last, first and between."""
    jax = needs("jax")
    rng = np.random.default_rng(3)
    x = rng.integers(-3, 4, (5, 37, 18)).astype(jax.numpy.dtype(element))
    if element != "int8":
        x[rng.random(x.shape) < 0.05] = np.nan
        x[rng.random(x.shape) < 0.05] = -0.0

    def places(x: Any) -> Any:
        return [f(x, axis=n) for f in (jax.numpy.argmax, jax.numpy.argmin) for n in range(3)]

    module = imported(jax.jit(places).lower(x).as_text())
    found = compiled(module, [x])
    assert_same(found, [np.asarray(each) for each in places(x)], "as JAX")
    numpys = [f(x, n).astype(np.int32) for f in (np.argmax, np.argmin) for n in range(3)]
    assert_same(found, numpys, "as NumPy")
