"""Upstream's tensor.gather and tensor.scatter, run: compiled and reference against NumPy."""

import numpy as np
import pytest
from frontend_harness import check

PASS = "convert-tensor-to-gs"
RNG = np.random.default_rng(20240711)

DTYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
}
COORDINATES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "index": np.int64}


def numbers(element: str, *shape: int) -> np.ndarray:
    return RNG.integers(0, 100, shape).astype(DTYPES[element])


def tuples(kind: str, leading: tuple[int, ...], *limits: int) -> np.ndarray:
    """Coordinate tuples within `limits`, of shape `leading` ++ [number of limits]."""
    columns = [RNG.integers(0, limit, leading) for limit in limits]
    return np.stack(columns, axis=-1).astype(COORDINATES[kind])


def gather(source: str, indices: str, dims: list[int], result: str) -> str:
    return f"""
func.func @f(%s: tensor<{source}>, %i: tensor<{indices}>) -> tensor<{result}> {{
  %r = tensor.gather %s[%i] gather_dims({dims})
      : (tensor<{source}>, tensor<{indices}>) -> tensor<{result}>
  return %r : tensor<{result}>
}}"""


def scatter(updates: str, dest: str, indices: str, dims: list[int]) -> str:
    return f"""
func.func @f(%u: tensor<{updates}>, %d: tensor<{dest}>, %i: tensor<{indices}>)
    -> tensor<{dest}> {{
  %r = tensor.scatter %u into %d[%i] scatter_dims({dims}) unique
      : (tensor<{updates}>, tensor<{dest}>, tensor<{indices}>) -> tensor<{dest}>
  return %r : tensor<{dest}>
}}"""


def test_gather_full_coordinates() -> None:
    source, indices = numbers("f32", 4, 5, 6), tuples("index", (1, 7), 4, 5, 6)
    expected = source[tuple(np.moveaxis(indices, -1, 0))]
    text = gather("4x5x6xf32", "1x7x3xindex", [0, 1, 2], "1x7xf32")
    check(text, PASS, [source, indices], expected)
    kept = gather("4x5x6xf32", "1x7x3xindex", [0, 1, 2], "1x7x1x1x1xf32")
    check(kept, PASS, [source, indices], expected[..., None, None, None])


@pytest.mark.parametrize("kind", COORDINATES)
def test_gather_one_dim(kind: str) -> None:
    source, indices = numbers("f32", 2, 3, 4), tuples(kind, (5, 6), 3)
    expected = np.moveaxis(source[:, indices[..., 0]], 0, 2)
    text = gather("2x3x4xf32", f"5x6x1x{kind}", [1], "5x6x2x4xf32")
    check(text, PASS, [source, indices], expected)


@pytest.mark.parametrize("element", DTYPES)
def test_gather_non_contiguous_dims(element: str) -> None:
    source, indices = numbers(element, 2, 3, 4), tuples("index", (5, 6), 2, 4)
    expected = source[indices[..., 0], :, indices[..., 1]]
    text = gather(f"2x3x4x{element}", "5x6x2xindex", [0, 2], f"5x6x3x{element}")
    check(text, PASS, [source, indices], expected)
    kept = gather(f"2x3x4x{element}", "5x6x2xindex", [0, 2], f"5x6x1x3x1x{element}")
    check(kept, PASS, [source, indices], expected[:, :, None, :, None])


@pytest.mark.parametrize(("rows", "columns", "count"), [(3, 4, 5), (1, 1, 1), (2, 3, 0), (2, 0, 3)])
def test_gather_dynamic_sizes(rows: int, columns: int, count: int) -> None:
    source, indices = numbers("f64", rows, columns), tuples("i64", (count,), rows)
    text = gather("?x?xf64", "?x1xi64", [0], "?x?xf64")
    check(text, PASS, [source, indices], source[indices[:, 0]])


def test_gather_one_coordinate() -> None:
    source, indices = numbers("i32", 3, 4), np.array([2], np.int64)
    text = gather("3x4xi32", "1xindex", [0], "4xi32")
    check(text, PASS, [source, indices], source[2])


@pytest.mark.parametrize("element", DTYPES)
def test_scatter_slices(element: str) -> None:
    dest, updates = numbers(element, 6, 3, 4), numbers(element, 5, 3)
    rows = RNG.permutation(6)[:5]
    columns = RNG.integers(0, 4, 5)
    expected = dest.copy()
    expected[rows, :, columns] = updates
    indices = np.stack([rows, columns], axis=-1)
    text = scatter(f"5x3x{element}", f"6x3x4x{element}", "5x2xindex", [0, 2])
    check(text, PASS, [updates, dest, indices], expected)
    kept = scatter(f"5x1x3x1x{element}", f"6x3x4x{element}", "5x2xindex", [0, 2])
    check(kept, PASS, [updates[:, None, :, None], dest, indices], expected)


@pytest.mark.parametrize("kind", COORDINATES)
def test_scatter_dynamic_sizes(kind: str) -> None:
    text = scatter("?x?xf32", "?x?xf32", f"?x1x{kind}", [0])
    for rows, columns, count in ((6, 5, 4), (6, 5, 0), (1, 1, 1), (3, 0, 2)):
        dest, updates = numbers("f32", rows, columns), numbers("f32", count, columns)
        where = RNG.permutation(rows)[:count].astype(COORDINATES[kind])
        expected = dest.copy()
        expected[where] = updates
        check(text, PASS, [updates, dest, where[:, None]], expected)


def test_update_by_gather_compute_scatter() -> None:
    """The RFC's spelling of an update: gather, compute, scatter at the same coordinates."""
    dest, by = numbers("f32", 8, 4), numbers("f32", 3, 4)
    where = np.array([[6], [0], [3]])
    expected = dest.copy()
    expected[where[:, 0]] += by
    text = """
func.func @f(%d: tensor<8x4xf32>, %i: tensor<3x1xindex>, %by: tensor<3x4xf32>) -> tensor<8x4xf32> {
  %old = tensor.gather %d[%i] gather_dims([0]) unique
      : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  %new = linalg.add ins(%old, %by : tensor<3x4xf32>, tensor<3x4xf32>)
      outs(%old : tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = tensor.scatter %new into %d[%i] scatter_dims([0]) unique
      : (tensor<3x4xf32>, tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}"""
    check(text, PASS, [dest, where, by], expected)
