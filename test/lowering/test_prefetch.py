"""Loops that ask for elements ahead: for what comes after the last point they ask for nothing."""

import numpy as np
import pytest
from mlir_gs import execution
from mlir_gs.lowering import prefetch_elements, prefetch_next_row

SET = """
func.func @f(%updates: tensor<?x?xf32>, %dest: tensor<?x?xf32>, %i: tensor<?x?x{index}>)
    -> tensor<?x?xf32> {{
  %r = "gs.scatter_elements"(%updates, %dest, %i) ({{}}) {{dim = {dim} : i64{attributes}}}
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x{index}>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}}"""

TAKE = """
func.func @f(%table: tensor<?x?xf32>, %i: tensor<?x?x{index}>) -> tensor<?x?xf32> {{
  %r = "gs.gather_elements"(%table, %i) {{dim = {dim} : i64{attributes}}}
      : (tensor<?x?xf32>, tensor<?x?x{index}>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}}"""

ADD = """
func.func @f(%updates: tensor<?xf64>, %dest: tensor<?xf64>, %i: tensor<?x1xi32>)
    -> tensor<?xf64> {
  %r = "gs.scatter"(%updates, %dest, %i) ({
  ^bb0(%current: f64, %update: f64):
    %new = arith.addf %current, %update : f64
    "gs.yield"(%new) : (f64) -> ()
  }) {scatter_dims = array<i64: 0>, mode = "drop"}
      : (tensor<?xf64>, tensor<?xf64>, tensor<?x1xi32>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}"""


@pytest.fixture(autouse=True)
def all_is_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every array is as if no cache held it."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    monkeypatch.setattr(prefetch_elements, "FAR", 0)
    monkeypatch.setattr(prefetch_next_row, "CACHED", 0)
    monkeypatch.setattr(prefetch_next_row, "MOST_ROW_BYTES", 1 << 30)


SHAPES = [(0, 7), (1, 1), (3, 16), (200, 47), (200, 48), (90, 333), (1, 5000), (5000, 1), (700, 64)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("mode", ["", ', mode = "clip"', ', mode = "fill"'])
def test_takes(mode: str, dim: int, threads: int) -> None:
    kernel = execution.compile(TAKE.format(dim=dim, index="i64", attributes=mode), threads=threads)
    rng = np.random.default_rng(1)
    for shape in SHAPES:
        size = max(shape[dim], 1) + 9
        rows = (size, shape[1]) if dim == 0 else (shape[0], size)
        table = rng.standard_normal(rows, dtype=np.float32)
        beyond = 0 if mode == "" else 3
        places = rng.integers(-beyond, size + beyond, shape)
        expected = np.take_along_axis(table, places.clip(0, size - 1), dim)
        if "fill" in mode:
            expected[(places < 0) | (places >= size)] = np.nan
        assert kernel(table, places).tobytes() == expected.tobytes()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("attributes", ["", ", unique", ', mode = "drop"'])
def test_sets(attributes: str, dim: int, threads: int) -> None:
    text = SET.format(dim=dim, index="i32", attributes=attributes)
    kernel = execution.compile(text, threads=threads)
    rng = np.random.default_rng(2)
    for shape in SHAPES:
        size = shape[dim] + 9
        rows = (size, shape[1]) if dim == 0 else (shape[0], size)
        dest, updates = (rng.standard_normal(s, dtype=np.float32) for s in (rows, shape))
        if attributes == ", unique":
            order = np.argsort(rng.random(rows), axis=dim)
            places = order[: shape[0], : shape[1]].astype(np.int32)
        else:
            beyond = 0 if attributes == "" else 3
            places = rng.integers(-beyond, size + beyond, shape).astype(np.int32)
        expected = dest.copy()
        for at in np.ndindex(shape):
            if 0 <= places[at] < size:
                expected[(places[at], at[1]) if dim == 0 else (at[0], places[at])] = updates[at]
        assert kernel(updates, dest, places).tobytes() == expected.tobytes()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_ordered_sums(threads: int) -> None:
    """By one thread, and shared by owners of a large output."""
    kernel = execution.compile(ADD, threads=threads)
    rng = np.random.default_rng(3)
    for count, size in ((0, 5), (47, 9), (48, 9), (5001, 40), (90_001, 200_003)):
        dest, updates = rng.standard_normal(size), rng.standard_normal(count)
        places = rng.integers(-2, size + 2, (count, 1)).astype(np.int32)
        inside = (places[:, 0] >= 0) & (places[:, 0] < size)
        expected = dest.copy()
        np.add.at(expected, places[inside, 0], updates[inside])
        assert kernel(updates, dest, places).tobytes() == expected.tobytes()
