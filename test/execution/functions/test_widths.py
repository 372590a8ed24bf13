"""Kernels for known widths of rows do what the one for all widths does; there are few of them."""

import numpy as np
import pytest
from mlir_gs import at, segment_max, segment_sum, take, take_along_axis
from mlir_gs.execution.functions import widths

RNG = np.random.default_rng(3)


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widths, "LEAST", 0)
    monkeypatch.setattr(widths, "_made", {})


@pytest.mark.parametrize("width", [0, 3, 33])
@pytest.mark.parametrize("dtype", ["float32", "uint8"])
def test_rows_of_a_width(width: int, dtype: str) -> None:
    table = (RNG.random((20, width)) * 100).astype(dtype)
    ids = RNG.integers(-20, 20, 50)
    np.testing.assert_array_equal(take(table, ids, axis=0), table[ids])
    np.testing.assert_array_equal(take(table[:, ::-1], ids, axis=0), table[ids][:, ::-1])
    np.testing.assert_array_equal(at(table)[ids].get(), table[ids])
    np.testing.assert_array_equal(at(table.T)[:, ids].get(), table.T[:, ids])
    cube = table.reshape(4, 5, width)
    np.testing.assert_array_equal(at(cube)[:, ids % 5].get(), cube[:, ids % 5])
    if width:
        index = (ids % 4, slice(None), ids % width)
        np.testing.assert_array_equal(at(cube)[index].get(), cube[index])
    np.testing.assert_array_equal(at(cube)[::-1, ::2].get(), cube[::-1, ::2])
    expected = table.copy()
    np.add.at(expected, ids, table[ids])
    np.testing.assert_array_equal(at(table)[ids].add(table[ids]), expected)
    expected = np.zeros_like(table)
    np.add.at(expected, np.sort(ids % 20), table[ids])
    found = segment_sum(table[ids], np.sort(ids % 20), 20, indices_are_sorted=True)
    np.testing.assert_array_equal(found, expected)


def calls(rng: np.random.Generator) -> None:
    """Each function once, on arrays whose widths and numbers of rows are drawn."""
    rows, count = (int(n) for n in rng.integers(1, 9, 2))
    width = int(rng.choice([1, 2, 5]))
    table, cube = rng.random((rows, width)), rng.random((rows, 3, width))
    ids, other = rng.integers(-rows, rows, count), rng.integers(0, 3, count)
    new, slices = rng.random((count, width)), rng.random((count, 3, width))
    np.testing.assert_array_equal(take(table, ids, axis=0), table[ids])
    np.testing.assert_array_equal(take(cube, other, axis=1), cube[:, other])
    np.testing.assert_array_equal(take(cube, ids, 0, out=slices.copy()), cube[ids])
    np.testing.assert_array_equal(at(table)[ids].get(), table[ids])
    np.testing.assert_array_equal(at(cube)[ids, other].get(), cube[ids, other])
    for index, x, values in (ids, table, new), ((ids, other), cube, new), (ids, cube, slices):
        expected = x.copy()
        np.add.at(expected, index, values)
        np.testing.assert_array_equal(at(x)[index].add(values), expected)
    out = np.where(rng.random(count) < 0.2, rows, ids)
    expected = table.copy()
    np.maximum.at(expected, ids[out < rows], new[out < rows])
    np.testing.assert_array_equal(at(table)[out].max(new), expected)
    ids %= rows
    for order in ids, np.sort(ids):
        expected = np.zeros_like(table)
        np.add.at(expected, order, new)
        sorted = order is not ids
        found = segment_sum(new, order, rows, indices_are_sorted=sorted)
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(segment_sum(slices, ids, 0), cube[:0])
    for axis in 0, 1, -1:
        shape = [1 if d != axis % 3 and rng.random() < 0.5 else n for d, n in enumerate(cube.shape)]
        shape[axis] = count
        where = rng.integers(0, cube.shape[axis], shape)
        expected = np.take_along_axis(cube, where, axis)
        np.testing.assert_array_equal(take_along_axis(cube, where, axis), expected)


def test_calls_of_other_sizes_after_one_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widths, "LEAST", 12)
    rng = np.random.default_rng(1)
    for _ in range(60):
        calls(rng)


def test_out_of_bounds_is_said_as_before() -> None:
    table = np.ones((5, 4))
    with pytest.raises(IndexError, match="index 7 is out of bounds for axis 0 with size 5"):
        take(table, np.array([0, 7]), axis=0)


def test_one_width_after_another_gets_the_kernel_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widths, "MOST", 2)
    for width in range(1, 6):
        table = RNG.random((6, width)).astype(np.float32)
        ids = RNG.integers(0, 6, 9)
        np.testing.assert_array_equal(take(table, ids, axis=0), table[ids])
        expected = np.full((3, width), -np.inf, np.float32)
        np.maximum.at(expected, ids // 2, table[ids])
        np.testing.assert_array_equal(segment_max(table[ids], ids // 2, 3), expected)
    assert max(len(made) for made in widths._made.values()) == widths.MOST
    assert widths.known_width("kind", widths.GREATEST + 1, 1 << 30) is None
