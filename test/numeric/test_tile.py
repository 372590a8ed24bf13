"""Some of what fuzz_tile.py runs by the thousand, and tiles of every size against NumPy."""

from collections import Counter

import numpy as np
import pytest
from fuzz_tile import check
from harness import parsed
from mlir_gs import execution, lowering
from program import Program

GATHER = """
func.func @f(%t: tensor<{0}x{1}xf32>, %i: tensor<{2}x1xi64>) -> tensor<{2}x{1}xf32> {{
  %r = "gs.gather"(%t, %i) {{gather_dims = array<i64: 0>, mode = "{3}"}}
      : (tensor<{0}x{1}xf32>, tensor<{2}x1xi64>) -> tensor<{2}x{1}xf32>
  return %r : tensor<{2}x{1}xf32>
}}
"""
SCATTER = """
func.func @f(%u: tensor<{2}x{1}xf32>, %t: tensor<{0}x{1}xf32>, %i: tensor<{2}x1xi64>)
    -> tensor<{0}x{1}xf32> {{
  %r = gs.scatter %u into %t[%i] scatter_dims([0]) mode(drop) combine(add)
      : (tensor<{2}x{1}xf32>, tensor<{0}x{1}xf32>, tensor<{2}x1xi64>) -> tensor<{0}x{1}xf32>
  return %r : tensor<{0}x{1}xf32>
}}
"""


def tiled(text: str, options: str) -> execution.Kernel:
    module = parsed([Program("gs", "", text, (), lambda: (), True)])
    lowering.run_pipeline(module, f"builtin.module(gs-generalize,gs-tile{{{options}}})")
    assert "scf.for" in str(module) or "?" not in text
    return execution.compile(module, threads=1)


def test_random_programs() -> None:
    counts: Counter[str] = Counter()
    for seed in range(75):
        found, wrong = check(seed)
        assert not wrong, wrong
        counts += found
    for way, least in {"for": 10, "forall": 3, "into": 5, "consumer": 5}.items():
        assert counts[way] >= least, counts


SIZES = ["1", "2,3", "0,1", "4,5", "100,100", "7"]


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize("loops", ["for", "forall"])
def test_tiles_of_a_gather(sizes: str, loops: str) -> None:
    """Of dynamic sizes, with 0 and 1 among them; with a remainder and without."""
    kernel = tiled(GATHER.format("?", "?", "?", "clip"), f"sizes={sizes} loops={loops}")
    rng = np.random.default_rng(0)
    for rows, columns, count in [(9, 5, 8), (1, 1, 1), (3, 0, 4), (3, 4, 0), (20, 7, 101)]:
        table = rng.random((rows, columns), np.float32)
        ids = rng.integers(-2, rows + 2, (count, 1))
        expected = table[np.clip(ids[:, 0], 0, rows - 1)]
        np.testing.assert_array_equal(kernel(table, ids), expected)


@pytest.mark.parametrize("sizes", SIZES)
def test_tiles_of_a_scatter(sizes: str) -> None:
    """Elements are added in the order of the updates, so that sums have the same bits."""
    kernel = tiled(SCATTER.format("?", "?", "?"), f"sizes={sizes}")
    rng = np.random.default_rng(1)
    for rows, columns, count in [(4, 5, 30), (1, 1, 1), (3, 0, 4), (3, 4, 0), (0, 2, 3)]:
        table = rng.random((rows, columns), np.float32)
        updates = rng.random((count, columns), np.float32)
        ids = rng.integers(0, rows + 2, (count, 1))
        expected = table.copy()
        inside = ids[:, 0] < rows
        np.add.at(expected, ids[inside, 0], updates[inside])
        np.testing.assert_array_equal(kernel(updates, table, ids), expected)


@pytest.mark.parametrize("loops", ["for", "forall"])
def test_an_error_in_the_last_tile_writes_nothing(loops: str) -> None:
    kernel = tiled(GATHER.format("?", "4", "?", "error"), f"sizes=2 loops={loops}")
    table = np.ones((3, 4), np.float32)
    ids = np.array([[0], [1], [2], [3]])
    with pytest.raises(IndexError, match=r"coordinate 3 at position \[3, 0\] is out of bounds"):
        kernel(table, ids)
    np.testing.assert_array_equal(kernel(table, ids[:3]), table)
