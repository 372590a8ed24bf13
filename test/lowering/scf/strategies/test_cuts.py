"""Parts of rows and of columns: each thread computes all of its own, of known sizes or not."""

import numpy as np
import pytest
from mlir_gs import execution

# Rows of a table, each with a row of a matrix that all of them share, weighted and added up:
# register tiles.
TILES = """
func.func @f(%x: tensor<?x{n}xf32>, %p: tensor<{k}x{n}xf32>, %w: tensor<{b}x{k}xf32>,
    %i: tensor<{b}x{k}xi64>, %zeros: tensor<{b}x{n}xf32>) -> tensor<{b}x{n}xf32> {{
  %r = gs.generic (d0, d1, d2) [s = %i[d0, d1] mode(error)]
      ins(%x[s, d2], %p[d1, d2], %w[d0, d1]) outs(%zeros[d0, d2])
      iterators(d0 = parallel, d1 = reduction, d2 = parallel)
      : (tensor<?x{n}xf32>, tensor<{k}x{n}xf32>, tensor<{b}x{k}xf32>, tensor<{b}x{k}xi64>,
        tensor<{b}x{n}xf32>) -> tensor<{b}x{n}xf32> {{
  ^bb0(%a: f32, %c: f32, %factor: f32, %sum: f32):
    %1 = arith.addf %a, %c : f32
    %2 = arith.mulf %1, %factor : f32
    %3 = arith.addf %sum, %2 : f32
    gs.yield %3 : f32
  }}
  return %r : tensor<{b}x{n}xf32>
}}"""
KNOWN = [(True, True, True), (True, True, False), (True, False, True), (False, True, True)]
SIZES = [(64, 16, 256), (9, 16, 250), (3, 40, 256), (36, 8, 31)]


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_all_rows_and_columns_are_computed(sizes: tuple[int, int, int], threads: int) -> None:
    rng = np.random.default_rng(7)
    b, k, n = sizes
    x, p = (rng.integers(-8, 9, (rows, n)).astype(np.float32) for rows in (500, k))
    i = rng.integers(0, 500, (b, k))
    w = rng.integers(-2, 3, (b, k)).astype(np.float32)
    expected = ((x[i] + p) * w[:, :, None]).sum(1)
    for known in KNOWN:
        shape = (size if is_known else "?" for size, is_known in zip(sizes, known, strict=True))
        text = TILES.format(**dict(zip("bkn", shape, strict=True)))
        kernel = execution.compile(text, threads=threads, target="generic:serial-bytes=0")
        found = kernel(x, p, w, i, np.zeros((b, n), np.float32))
        assert np.array_equal(found, expected), known
