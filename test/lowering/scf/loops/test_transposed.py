"""Inputs that are read transposed, against NumPy: sizes around those of tiles, all widths."""

import numpy as np
import pytest
from mlir_gs import compile

MODES = ["promise_in_bounds", "clip", "fill_or_drop"]
TYPES = {"i8": "i1", "i16": "i2", "f32": "f4", "f64": "f8"}


def _values(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    return np.random.default_rng(1).integers(-50, 50, shape).astype(dtype)


@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("threads", [1, 2])
def test_all_dims_permuted(element: str, threads: int) -> None:
    add = "addi" if element.startswith("i") else "addf"
    kernel = compile(
        f"""
func.func @f(%x: tensor<?x?x?x{element}>, %y: tensor<?x?x?x{element}>)
    -> (tensor<?x?x?x{element}>, tensor<?x?x?x{element}>) {{
  %r, %s = gs.generic (i, j, k) ins(%x[k, j, i]) outs(%y[i, j, k], %y[i, j, k])
      iterators(i = parallel, j = parallel, k = parallel)
      : (tensor<?x?x?x{element}>, tensor<?x?x?x{element}>, tensor<?x?x?x{element}>)
      -> (tensor<?x?x?x{element}>, tensor<?x?x?x{element}>) {{
  ^bb0(%a: {element}, %b: {element}, %c: {element}):
    %d = arith.{add} %a, %b : {element}
    gs.yield %a, %d : {element}, {element}
  }}
  return %r, %s : tensor<?x?x?x{element}>, tensor<?x?x?x{element}>
}}""",
        threads=threads,
    )
    for shape in [(1, 1, 1), (16, 1, 16), (17, 2, 33), (5, 3, 40), (64, 1, 64), (0, 2, 20)]:
        x, y = _values(shape, TYPES[element]), _values(shape[::-1], TYPES[element])
        moved, added = kernel(x, y)
        np.testing.assert_array_equal(moved, x.T)
        np.testing.assert_array_equal(added, x.T + y)


@pytest.mark.parametrize("mode", MODES)
def test_rows_at_coordinates(mode: str) -> None:
    fill = "fill(7.0 : f32)" if mode == "fill_or_drop" else ""
    kernel = compile(f"""
func.func @f(%x: tensor<?x?xf32>, %at: tensor<?xi64>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {{
  %r = gs.generic (i, j) [s = %at[j] mode({mode})] ins(%x[s, i] {fill}) outs(%y[i, j])
      iterators(i = parallel, j = parallel)
      : (tensor<?x?xf32>, tensor<?xi64>, tensor<?x?xf32>) -> tensor<?x?xf32> {{
  ^bb0(%a: f32, %old: f32):
    gs.yield %a : f32
  }}
  return %r : tensor<?x?xf32>
}}""")
    rng = np.random.default_rng(2)
    for n, m, k in [(9, 40, 50), (30, 16, 16), (3, 17, 15), (20, 33, 70)]:
        x = _values((n, m), "f4")
        low, high = (0, n) if mode == "promise_in_bounds" else (-3, n + 3)
        at = rng.integers(low, high, k)
        found = kernel(x, at, np.zeros((m, k), "f4"))
        wanted = x[np.clip(at, 0, n - 1)].T
        if mode == "fill_or_drop":
            wanted = np.where((at >= 0) & (at < n), wanted, np.float32(7))
        np.testing.assert_array_equal(found, wanted)
