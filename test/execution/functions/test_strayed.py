"""Reads that suppose coordinates to be in bounds, and what they do where some are not."""

import numpy as np
import pytest
from mlir_gs import at, take, take_along_axis

X = np.arange(60, dtype=np.float32).reshape(5, 12)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64"])
def test_before_and_after(dtype: str) -> None:
    inside = np.array([3, 0, 4], dtype)
    end = np.array([-1, 2, -5]).astype(dtype) if dtype[0] == "i" else inside
    outside = np.array([1, 7, 2], dtype)
    for ids in (inside, end, inside, end):
        np.testing.assert_array_equal(take(X, ids, axis=0), X[ids])
        np.testing.assert_array_equal(at(X)[ids].get(), X[ids])
        np.testing.assert_array_equal(at(X)[ids, ids].get(), X[ids, ids])
        np.testing.assert_array_equal(at(X)[ids, ids].get(mode="error"), X[ids, ids])
        np.testing.assert_array_equal(
            take_along_axis(X, ids[:, None], 0), np.take_along_axis(X, ids[:, None], 0)
        )
        for _ in range(2):
            with pytest.raises(IndexError, match="7 is out of bounds for axis 0 with size 5"):
                take(X, outside, axis=0)
            with pytest.raises(IndexError):
                at(X)[outside].get(mode="error")
        np.testing.assert_array_equal(at(X)[outside].get(), X[[1, 4, 2]])
        filled = at(X)[outside].get(mode="fill", fill_value=8)
        np.testing.assert_array_equal(filled, np.where([[0], [1], [0]], 8, X[[1, 4, 2]]))


def test_nothing_is_written_where_it_raises() -> None:
    out = np.zeros(3, np.float32)
    with pytest.raises(IndexError):
        take(X[0], np.array([0, 1, 99]), out=out)
    assert not out.any()
    assert take(X[0], np.array([0, -1, 2]), out=out) is out
    np.testing.assert_array_equal(out, [0, 11, 2])


def test_promises_and_the_end() -> None:
    ids = np.array([-1, 2])
    np.testing.assert_array_equal(at(X)[ids].get(mode="promise_in_bounds"), X[ids])
