"""Columns that are brought together in strips: the elements of every other way to do it."""

import numpy as np
import pytest
from mlir_gs import execution

TAKE = """
func.func @f(%table: tensor<{shape}x{type}>, %i: tensor<{shape}x{index}>)
    -> tensor<{shape}x{type}> {{
  %r = "gs.gather_elements"(%table, %i) {{dim = {dim} : i64{attributes}}}
      : (tensor<{shape}x{type}>, tensor<{shape}x{index}>) -> tensor<{shape}x{type}>
  return %r : tensor<{shape}x{type}>
}}"""

UPDATE = """
func.func @f(%updates: tensor<{shape}x{type}>, %dest: tensor<{shape}x{type}>,
    %i: tensor<{shape}xi32>) -> tensor<{shape}x{type}> {{
  %r = "gs.scatter_elements"(%updates, %dest, %i) ({{{body}}}) {{dim = {dim} : i64{attributes}}}
      : (tensor<{shape}x{type}>, tensor<{shape}x{type}>, tensor<{shape}xi32>)
      -> tensor<{shape}x{type}>
  return %r : tensor<{shape}x{type}>
}}"""
ADD = """
  ^bb0(%current: f32, %update: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  """

# Rows of the matrix, rows of the coordinates, columns.
SIZES = [(7, 9, 200), (40, 23, 64), (40, 23, 65), (33, 50, 127), (5, 0, 300), (64, 64, 31)]


@pytest.fixture(autouse=True)
def all_is_far(applied, on_target) -> list[bool]:
    """Every matrix is as if no cache held it; whether strips were found, op by op."""
    on_target(strip_matrix_bytes=0)
    return applied("strips")


def _places(rng: np.random.Generator, rows: int, shape: tuple[int, ...], beyond: int) -> np.ndarray:
    return rng.integers(-beyond, rows + beyond, shape)


def _in_columns(size: int, columns: int, dtype: np.dtype, shift: int) -> np.ndarray:
    """A matrix that begins `shift` elements behind a line."""
    memory = np.zeros(size * columns * dtype.itemsize + 128, np.uint8)
    first = -memory.ctypes.data % 64 + shift * dtype.itemsize
    return memory[first : first + size * columns * dtype.itemsize].view(dtype).reshape(size, -1)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("mode", ["", ', mode = "clip"', ', mode = "fill"'])
@pytest.mark.parametrize("name", ["f32", "i8", "f64", "bf16"])
def test_takes(name: str, mode: str, threads: int, all_is_far: list[bool]) -> None:
    text = TAKE.format(shape="?x?", type=name, index="i64", dim=0, attributes=mode)
    kernel = execution.compile(text, threads=threads)
    assert all_is_far == [True]
    rng = np.random.default_rng(1)
    dtype = kernel.parameters[0].element.dtype
    for number, (rows, count, columns) in enumerate(SIZES):
        table = _in_columns(rows, columns, dtype, number)
        table[...] = rng.integers(-100, 100, table.shape).astype(dtype)
        places = _places(rng, rows, (count, columns), 3 if mode else 0)
        expected = np.take_along_axis(table, places.clip(0, rows - 1), 0)
        if "fill" in mode:
            fill = np.int8(-128) if name == "i8" else np.nan
            expected[(places < 0) | (places >= rows)] = fill
        assert kernel(table, places).tobytes() == expected.tobytes()


@pytest.mark.parametrize("threads", [1, 2])
def test_takes_in_batches(threads: int, all_is_far: list[bool]) -> None:
    """Along the middle of three dims, and of fixed sizes."""
    rng = np.random.default_rng(2)
    for shape, sizes in (("?x?x?", (3, 50, 70)), ("4x60x96", (4, 60, 96)), ("2x9x33", (2, 9, 33))):
        text = TAKE.format(shape=shape, type="f32", index="i32", dim=1, attributes="")
        table = rng.standard_normal(sizes, dtype=np.float32)
        places = rng.integers(0, sizes[1], sizes).astype(np.int32)
        result = execution.compile(text, threads=threads)(table, places)
        np.testing.assert_array_equal(result, np.take_along_axis(table, places, 1))
    assert all_is_far == [True, True, False]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("attributes", ["", ', mode = "drop"', ', mode = "error"'])
@pytest.mark.parametrize("body", ["", ADD], ids=["set", "add"])
def test_updates(body: str, attributes: str, threads: int, all_is_far: list[bool]) -> None:
    """In order: of sets the last one stays, sums have the bits of the loop."""
    text = UPDATE.format(shape="?x?", type="f32", dim=0, body=body, attributes=attributes)
    kernel = execution.compile(text, threads=threads)
    assert all_is_far == [False]
    rng = np.random.default_rng(3)
    for number, (rows, count, columns) in enumerate(SIZES):
        dest = _in_columns(rows, columns, np.dtype(np.float32), number)
        dest[...] = rng.standard_normal(dest.shape)
        updates = rng.standard_normal((count, columns), dtype=np.float32)
        places = _places(rng, rows, (count, columns), 3 if "drop" in attributes else 0)
        places = places.astype(np.int32)
        expected = dest.copy()
        for i, j in np.ndindex(places.shape):
            if 0 <= places[i, j] < rows:
                here = (places[i, j], j)
                expected[here] = expected[here] + updates[i, j] if body else updates[i, j]
        assert kernel(updates, dest, places).tobytes() == expected.tobytes()
        if "error" in attributes and places.size:
            before = dest.copy()
            places[-1, -1] = rows
            with pytest.raises(IndexError, match=f"{rows}"):
                kernel(updates, dest, places)
            np.testing.assert_array_equal(dest, before)


def test_updates_in_place(all_is_far: list[bool]) -> None:
    text = UPDATE.format(shape="?x?", type="f32", dim=0, body=ADD, attributes="")
    kernel = execution.compile(text, threads=2, donate=[1])
    rng = np.random.default_rng(4)
    dest = rng.standard_normal((30, 100), dtype=np.float32)
    updates = rng.standard_normal((40, 100), dtype=np.float32)
    places = rng.integers(0, 30, (40, 100)).astype(np.int32)
    expected = dest.copy()
    np.add.at(expected, (places, np.arange(100)), updates)
    assert kernel(updates, dest, places) is dest
    assert dest.tobytes() == expected.tobytes()
    assert all_is_far == [False]


TWO = """
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf64>, %i: memref<?x?xi64>, %y: memref<?x?xf64>) {
  gs.generic (d0, d1) [s0 = %i[d0, d1]]
      ins(%a[s0, d1], %b[s0, d1]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<?x?xf32>, memref<?x?xf64>, memref<?x?xi64>, memref<?x?xf64>) -> () {
  ^bb0(%x: f32, %z: f64, %current: f64):
    %wide = arith.extf %x : f32 to f64
    %sum = arith.addf %wide, %z : f64
    gs.yield %sum : f64
  }
  return
}"""


@pytest.mark.parametrize("threads", [1, 2])
def test_two_matrices(threads: int, all_is_far: list[bool]) -> None:
    kernel = execution.compile(TWO, threads=threads)
    rng = np.random.default_rng(5)
    a, b = rng.standard_normal((20, 90), dtype=np.float32), rng.standard_normal((20, 90))
    places = rng.integers(0, 20, (30, 90))
    y = np.zeros((30, 90))
    kernel(a, b, places, y)
    both = a.astype(np.float64) + b
    np.testing.assert_array_equal(y, np.take_along_axis(both, places, 0))
    assert all_is_far == [True]


SAME = """
func.func @f(%x: memref<?x?xf32>, %i: memref<?x?xi64>) {
  gs.generic (d0, d1) [s0 = %i[d0, d1]]
      ins(%x[s0, d1]) outs(%x[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<?x?xf32>, memref<?x?xi64>, memref<?x?xf32>) -> () {
  ^bb0(%value: f32, %current: f32):
    %sum = arith.addf %value, %value : f32
    gs.yield %sum : f32
  }
  return
}"""


def test_an_input_that_is_the_output(all_is_far: list[bool]) -> None:
    """It would be read where it is no longer written."""
    x = np.ones((8, 90), np.float32)
    execution.compile(SAME, threads=1)(x, np.zeros((5, 90), np.int64))
    np.testing.assert_array_equal(x[0], np.full(90, 32, np.float32))
    assert all_is_far == [False]
