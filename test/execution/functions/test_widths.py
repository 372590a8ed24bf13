"""Kernels for known widths of rows do what the one for all widths does; there are few of them."""

import numpy as np
import pytest
from mlir_gs import at, segment_max, segment_sum, take
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
