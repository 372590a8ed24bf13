"""Segments of an output that was filled before, with coordinates that are dropped."""

import numpy as np
import pytest
from mlir_gs.execution import compile

ROWS = """
func.func @f(%u: tensor<?x16xi8>, %i: tensor<?xi64>, %y: tensor<5x16xi8>) -> tensor<5x16xi8> {
  %one = arith.constant 1 : i8
  %ones = linalg.fill ins(%one : i8) outs(%y : tensor<5x16xi8>) -> tensor<5x16xi8>
  %r = gs.generic (d0, d1) [s0 = %i[d0] mode(fill_or_drop)]
      ins(%u[d0, d1]) outs(%ones[s0, d1]) iterators(d0 = reduction, d1 = parallel) sorted
      : (tensor<?x16xi8>, tensor<?xi64>, tensor<5x16xi8>) -> tensor<5x16xi8> {
  ^bb0(%a: i8, %old: i8):
    gs.yield %a : i8
  }
  return %r : tensor<5x16xi8>
}
"""
LEAST, MOST = -(2**63), 2**63 - 1
PLACES = [
    [3, 3, MOST], [MOST, MOST], [LEAST, LEAST], [LEAST, 0, 4], [0, 1, 5], [-1, 4, 5], [5, MOST], [],
]  # fmt: skip


@pytest.mark.parametrize("threads", [1, 2])
def test_coordinates_at_the_ends_of_64_bits(threads: int) -> None:
    kernel = compile(ROWS, threads=threads)
    for places in PLACES:
        updates = np.arange(16 * len(places), dtype=np.int8).reshape(-1, 16)
        expected = np.ones((5, 16), np.int8)
        for place, row in zip(places, updates, strict=True):
            if 0 <= place < 5:
                expected[place] = row
        found = kernel(updates, np.array(places, np.int64), np.zeros((5, 16), np.int8))
        np.testing.assert_array_equal(found, expected)
