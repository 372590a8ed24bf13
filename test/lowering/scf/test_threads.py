"""Ops that threads share: the bits of the sequential loop, whichever way the op is cut."""

from dataclasses import dataclass

import numpy as np
import pytest
from mlir_gs import execution

# Large enough for convert-gs-to-scf to use threads, and no multiple of anything.
ROWS, COLUMNS = 3001, 67
BYTES_SHARED = 1 << 18

ADD = """({
    ^bb0(%current: f32, %update: f32):
      %new = arith.addf %current, %update : f32
      gs.yield %new : f32
  })"""


@dataclass(frozen=True)
class Case:
    """A function of table, rows and coordinates, and the same in NumPy."""

    name: str
    text: str
    expected: object
    table: tuple[int, ...]
    updates: tuple[int, ...]
    coordinates: tuple[int, ...]


def _gather(name: str, source: str, indices: str, result: str, *shapes: tuple[int, ...]) -> Case:
    text = f"""
func.func @f(%table: tensor<{source}xf32>, %updates: tensor<?x?xf32>, %i: tensor<{indices}xi64>)
    -> tensor<{result}xf32> {{
  %r = gs.gather %table[%i] gather_dims([0])
      : (tensor<{source}xf32>, tensor<{indices}xi64>) -> tensor<{result}xf32>
  return %r : tensor<{result}xf32>
}}"""
    return Case(name, text, lambda table, _updates, i: table[i[..., 0]], *shapes)


def _scatter_add(name: str, row: str, *shapes: tuple[int, ...]) -> Case:
    text = f"""
func.func @f(%table: tensor<?x{row}xf32>, %updates: tensor<?x{row}xf32>, %i: tensor<?x1xi64>)
    -> tensor<?x{row}xf32> {{
  %r = "gs.scatter"(%updates, %table, %i) {ADD} {{scatter_dims = array<i64: 0>}}
      : (tensor<?x{row}xf32>, tensor<?x{row}xf32>, tensor<?x1xi64>) -> tensor<?x{row}xf32>
  return %r : tensor<?x{row}xf32>
}}"""

    def expected(table: np.ndarray, updates: np.ndarray, i: np.ndarray) -> np.ndarray:
        result = table.copy()
        np.add.at(result, i[:, 0], updates)
        return result

    return Case(name, text, expected, *shapes)


BAG = """
func.func @f(%table: tensor<?x64xf32>, %sums: tensor<?x64xf32>, %i: tensor<?x7xi64>)
    -> tensor<?x64xf32> {
  %r = gs.generic (d0, d1, d2) [s0 = %i[d0, d1]]
      ins(%table[s0, d2]) outs(%sums[d0, d2])
      iterators(d0 = parallel, d1 = reduction, d2 = parallel)
      : (tensor<?x64xf32>, tensor<?x7xi64>, tensor<?x64xf32>) -> tensor<?x64xf32> {
  ^bb0(%row: f32, %sum: f32):
    %new = arith.addf %sum, %row : f32
    gs.yield %new : f32
  }
  return %r : tensor<?x64xf32>
}"""


def _bag(table: np.ndarray, sums: np.ndarray, i: np.ndarray) -> np.ndarray:
    result = sums.copy()
    for place in range(i.shape[1]):
        result += table[i[:, place]]
    return result


CASES = (
    _gather("rows", "?x64", "?x1", "?x64", (500, 64), (1, 1), (ROWS, 1)),
    _gather("rows of any length", "?x?", "?x1", "?x?", (500, COLUMNS), (1, 1), (ROWS, 1)),
    _gather("elements", "?", "?x1", "?", (500,), (1, 1), (90001, 1)),
    _gather("one long row", "?x?", "?x1", "?x?", (3, 80003), (1, 1), (1, 1)),
    _gather("one batch", "?x64", "?x?x1", "?x?x64", (500, 64), (1, 1), (1, ROWS, 1)),
    _scatter_add("columns", "64", (100, 64), (ROWS, 64), (ROWS, 1)),
    _scatter_add("columns of any number", "?", (100, COLUMNS), (ROWS, COLUMNS), (ROWS, 1)),
    _scatter_add("owned rows", "32", (100, 32), (ROWS, 32), (ROWS, 1)),
    _scatter_add("narrow rows", "3", (100, 3), (40001, 3), (40001, 1)),
    Case("bags", BAG, _bag, (500, 64), (ROWS, 64), (ROWS, 7)),
)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bits_of_the_sequential_loop(case: Case, threads: int) -> None:
    rng = np.random.default_rng(0)
    table = rng.standard_normal(case.table, dtype=np.float32)
    updates = rng.standard_normal(case.updates, dtype=np.float32)
    coordinates = rng.integers(0, case.table[0], case.coordinates)
    expected = case.expected(table, updates, coordinates)
    assert expected.nbytes + updates.nbytes + coordinates.nbytes > BYTES_SHARED
    kept = [array.copy() for array in (table, updates, coordinates)]
    result = execution.compile(case.text, threads=threads)(table, updates, coordinates)
    assert result.tobytes() == expected.tobytes()
    for array, before in zip((table, updates, coordinates), kept, strict=True):
        assert array.tobytes() == before.tobytes()


@pytest.mark.parametrize("threads", [1, 2])
def test_strided_arrays(threads: int) -> None:
    rng = np.random.default_rng(1)
    case = CASES[1]
    table = rng.standard_normal((1000, 2 * COLUMNS), dtype=np.float32)[::2, ::2]
    coordinates = rng.integers(0, 500, (ROWS, 1))
    kernel = execution.compile(case.text, threads=threads)
    empty = np.zeros((1, 1), np.float32)
    result = kernel(table, empty, coordinates)
    assert result.tobytes() == np.ascontiguousarray(table[coordinates[:, 0]]).tobytes()
    backwards = table[::-1, ::-1]
    result = kernel(backwards, empty, coordinates)
    assert result.tobytes() == np.ascontiguousarray(backwards[coordinates[:, 0]]).tobytes()


EMPTY = """
func.func @f(%updates: tensor<?xi32>, %dest: tensor<0xi32>, %i: tensor<?x1xi64>) -> tensor<0xi32> {
  %r = gs.scatter %updates into %dest[%i] scatter_dims([0]) mode(MODE) combine(add)
      : (tensor<?xi32>, tensor<0xi32>, tensor<?x1xi64>) -> tensor<0xi32>
  return %r : tensor<0xi32>
}"""


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_an_output_without_elements(threads: int) -> None:
    """There is nothing to write, and nothing to cut; what is checked is checked."""
    updates, places = np.ones(3, np.int32), np.zeros((3, 1), np.int64)
    dest = np.zeros(0, np.int32)
    kernel = execution.compile(EMPTY.replace("MODE", "drop"), threads=threads)
    assert kernel(updates, dest, places).shape == (0,)
    with pytest.raises(IndexError, match="coordinate 0 at position"):
        execution.compile(EMPTY.replace("MODE", "error"), threads=threads)(updates, dest, places)
