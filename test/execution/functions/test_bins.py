"""Histograms with equal bins have NumPy's counts, also of values at the edges and beside them."""

from typing import Any

import numpy as np
import pytest
from mlir_gs import bincount, histogram, histogram2d
from mlir_gs.execution.functions import few, numbering

RNG = np.random.default_rng(5)
DTYPES = ["float32", "float64", "int8", "uint8", "int32", "uint32", "int64", "uint64", "float16"]


def values_at_edges(dtype: Any, low: float, high: float, count: int, size: int) -> np.ndarray:
    """Some anywhere, the edges, and the numbers beside them."""
    reach = high - low
    values = (RNG.random(size) * reach * 1.2 + low - 0.1 * reach).clip(
        0 if dtype[0] == "u" else -99
    )
    values = values.astype(dtype)
    edges = np.linspace(low, high, count + 1).astype(dtype)
    beside = [edges]
    if values.dtype.kind == "f":
        beside += [np.nextafter(edges, dtype_of(dtype, end)) for end in (-np.inf, np.inf)]
        beside.append(np.array([np.nan, np.inf, -np.inf, -0.0], dtype))
    return np.concatenate([values, *beside])


def dtype_of(dtype: str, value: float) -> Any:
    return np.array(value, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("low", "high", "count"), [(0, 1, 10), (-3.3, 7.7, 100), (0, 50, 50), (1, 2, 1)]
)
def test_equal_bins(dtype: str, low: float, high: float, count: int) -> None:
    values = values_at_edges(dtype, low, high, count, 5000)
    expected, edges = np.histogram(values, count, (low, high))
    found, same_edges = histogram(values, count, (low, high))
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(edges, same_edges)
    weights = RNG.integers(0, 9, values.shape)
    for kind in ("float64", "float32", "int32", "uint8", "complex64"):
        added = weights.astype(kind)
        np.testing.assert_array_equal(
            histogram(values, count, (low, high), weights=added)[0],
            np.histogram(values, count, (low, high), weights=added)[0],
        )


def test_bins_of_their_own_range() -> None:
    for dtype in ("float32", "float64", "int64"):
        values = (RNG.standard_normal(3000) * 1000).astype(dtype)
        for bins in (7, "auto"):
            found, expected = histogram(values, bins), np.histogram(values, bins)
            np.testing.assert_array_equal(found[0], expected[0])
            np.testing.assert_array_equal(found[1], expected[1])


def test_bins_too_narrow_to_compute() -> None:
    """Edges a few spacings apart: numbers of bins are searched for."""
    values = np.float32(1e6) + np.arange(100, dtype=np.float32) / 16
    edges = np.histogram_bin_edges(values, 50)
    assert numbering.spacing_of(values, edges) is None
    large = np.array([0, 1 << 60], np.int64)
    assert numbering.spacing_of(large, np.array([0.0, float(1 << 60)])) is None
    assert histogram(values, 50)[0].sum() == 100


def test_more_values_than_a_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mlir_gs.execution.functions.bins._BLOCK", 100)
    values = RNG.random(1234)
    np.testing.assert_array_equal(
        histogram(values, 9, (0, 1))[0], np.histogram(values, 9, (0, 1))[0]
    )


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"bins": 7},
        {"bins": [3, 8], "range": [[0, 1], [-1, 2]]},
        {"bins": np.array([0, 0.2, 0.7, 1.0])},
        {"bins": [np.array([0, 0.2, 1.0]), 4]},
        {"bins": 5, "density": True},
        {"bins": 5, "weights": RNG.random(500)},
        {"bins": 5, "weights": np.arange(500)},
        {"bins": 5, "range": [None, (0.2, 0.3)]},
    ],
)
def test_histogram2d(options: dict[str, Any]) -> None:
    for dtype in ("float64", "float32"):
        x, y = RNG.random(500).astype(dtype), RNG.random(500).astype(dtype)
        x[:4] = [0, 0.2, 0.7, 1]
        for found, expected in zip(
            histogram2d(x, y, **options), np.histogram2d(x, y, **options), strict=True
        ):
            assert found.dtype == expected.dtype
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_histogram2d_refuses() -> None:
    with pytest.raises(ValueError, match="one length"):
        histogram2d([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="weights must have the shape of x"):
        histogram2d([1.0, 2.0], [1.0, 2.0], weights=[1.0])
    with pytest.raises(ValueError, match="finite"):
        histogram2d([1.0, np.nan], [1.0, 2.0])
    with pytest.raises(ValueError, match="positive"):
        histogram2d([1.0], [1.0], 0)
    with pytest.raises(ValueError, match="must have one length"):
        histogram2d(np.ones(4), None)
    assert histogram2d([], [], 3)[0].tolist() == np.histogram2d([], [], 3)[0].tolist()


@pytest.mark.parametrize("weights", ["float16", "float32", "int16", "uint8", "uint64", "bool"])
@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint32", "int64", "bool"])
def test_bincount_of_every_type(dtype: str, weights: str) -> None:
    x = RNG.integers(0, 2 if dtype == "bool" else 100, 300).astype(dtype)
    added = (RNG.random(300) * 9).astype(weights)
    np.testing.assert_array_equal(bincount(x), np.bincount(x.astype(np.int64)))
    # NumPy calls a cast of uint64 unsafe; the sums are exact.
    np.testing.assert_array_equal(
        bincount(x, added), np.bincount(x.astype(np.int64), added.astype(np.float64))
    )


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int64", "float32"])
def test_few_numbers_are_counted_as_many_are(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values = RNG.integers(0, 9, 100).astype(dtype)
    weights = RNG.random(100, np.float32)

    def found() -> list[Any]:
        counts = [] if dtype == "float32" else [bincount(values), bincount(values, weights, 12)]
        return [*counts, *histogram(values, 4), *histogram(values, 5, (1, 7), True, weights),
                *histogram2d(values, weights, 3),
                *histogram2d(values.astype(float), weights.astype(float), 3)]  # fmt: skip

    by_kernels = found()
    monkeypatch.setattr(few, "MOST", 1000)
    for one, other in zip(found(), by_kernels, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-6)
    for refused in ([-1], [0.5]):
        with pytest.raises((ValueError, TypeError), match="x must"):
            bincount(np.array(refused))


@pytest.mark.parametrize("dtype", ["uint8", "uint16"])
def test_numbers_whose_type_is_in_bounds(dtype: str) -> None:
    values = RNG.integers(0, 256, 1000).astype(dtype)
    for least in (0, 255, 256, 257, 1 << 16):
        np.testing.assert_array_equal(
            bincount(values, minlength=least), np.bincount(values, minlength=least)
        )


@pytest.mark.parametrize("bins", [7, [3, 5]])
@pytest.mark.parametrize("types", ["f4 f8", "f2 f4", "i4 f4", "u1 f2", "u1 i8"])
def test_histogram2d_of_two_types(types: str, bins: Any) -> None:
    rng = np.random.default_rng(0)
    x, y = (rng.integers(0, 50, 3000).astype(each) for each in types.split())
    for found, wanted in zip(histogram2d(x, y, bins), np.histogram2d(x, y, bins), strict=True):
        assert found.dtype == wanted.dtype
        assert np.array_equal(found, wanted)


@pytest.mark.parametrize("kind", ["f8", "f4", "f2", "i8", "i4", "u1"])
@pytest.mark.parametrize(
    "edges",
    [[0, 1], [0, 1, 1], [0, 3, 3, 3, 8], [0, 2.5, 5, 9], [-np.inf, 3, np.inf], [0, 1, np.nan]],
)
def test_histogram_between_given_edges(kind: str, edges: list[float]) -> None:
    for count in (9, 517, 20_001):
        values = (RNG.random(count) * 12 - 1).clip(0 if kind == "u1" else -1).astype(kind)
        values[:6] = [0, 1, 3, 5, 8, 9]
        if kind.startswith("f"):
            values[7] = np.nan
        weights = RNG.integers(0, 9, count)
        for given in (None, weights):
            found = histogram(values, edges, weights=given)[0]
            np.testing.assert_array_equal(found, np.histogram(values, edges, weights=given)[0])


@pytest.mark.parametrize("bins", [[0, 1, 2, 9], True])
def test_weights_of_two_dims(bins: object) -> None:
    values = np.arange(12.0).reshape(3, 4)
    found, wanted = (each(values, bins, weights=values) for each in (histogram, np.histogram))
    np.testing.assert_array_equal(found[0], wanted[0])
    np.testing.assert_array_equal(found[1], wanted[1])


def test_counting_again_refuses_as_before() -> None:
    """A kernel that is known asks again what the first call asked."""
    x, weights = np.arange(5000) % 50, np.arange(5000.0)
    for _ in range(4):
        np.testing.assert_array_equal(bincount(x, weights, 50), np.bincount(x, weights))
        np.testing.assert_array_equal(bincount(x, None, 60), np.bincount(x, None, 60))
    np.testing.assert_array_equal(bincount(x, weights, 20), np.bincount(x, weights))
    with pytest.raises(ValueError, match="weights must have the shape of x"):
        bincount(x, weights[:4999], 50)
    with pytest.raises(ValueError, match="must not have negative elements"):
        bincount(x - 1, weights, 50)
    with pytest.raises(ValueError, match="must not be negative"):
        bincount(x, weights, -1)
    small = x.astype(np.uint8)
    for count in (300, 20):
        expected = np.bincount(x, weights, count)
        np.testing.assert_array_equal(bincount(small, weights, count), expected)
