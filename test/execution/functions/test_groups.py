"""Positions in groups: NumPy's stable sort by key, and where each group starts."""

import numpy as np
import pytest
from mlir_gs import group, group_values
from mlir_gs.execution.functions import groups

RNG = np.random.default_rng(4)
KINDS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("size", "count"), [(0, 0), (0, 3), (1, 1), (1000, 50), (70_000, 100)])
def test_groups(kind: str, size: int, count: int) -> None:
    keys = RNG.integers(0, max(count, 1), size).astype(kind)
    order, offsets = group(keys, count)
    np.testing.assert_array_equal(order, np.argsort(keys, kind="stable"))
    np.testing.assert_array_equal(offsets, np.searchsorted(np.sort(keys), np.arange(count + 1)))
    assert order.dtype == offsets.dtype == np.int64


def test_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "_SHARED", 0)
    monkeypatch.setattr(groups.openmp, "wanted_threads", lambda _: 3)
    for size in (1, 2, 4, 100, 1001):
        keys = RNG.integers(-2, 9, size)
        if size % 2:
            keys = np.sort(np.where(keys < 0, 8, keys))
        order, offsets = group(keys, 7)
        outside = (keys < 0) | (keys >= 7)
        np.testing.assert_array_equal(order, np.argsort(np.where(outside, 7, keys), kind="stable"))
        assert offsets[-1] == size - outside.sum()


def test_keys_out_of_bounds_come_last() -> None:
    order, offsets = group(np.array([3, -1, 2, 70, 3, 0]), 4)
    assert order.tolist() == [5, 2, 0, 4, 1, 3]
    assert offsets.tolist() == [0, 1, 1, 2, 4]
    assert group([1, 5, 1])[1].tolist() == [0, 0, 2, 2, 2, 2, 3]
    assert group([-3, -1])[0].tolist() == [0, 1]
    assert group([-3, -1])[1].tolist() == [0]
    assert group(np.array([2**64 - 1, 0], np.uint64), 2)[0].tolist() == [1, 0]


def test_keys_of_any_strides() -> None:
    keys = RNG.integers(0, 9, 60)
    keys.setflags(write=False)
    for view in (keys[::-1], keys[::3], np.broadcast_to(keys[:1], 5)):
        np.testing.assert_array_equal(group(view)[0], np.argsort(view, kind="stable"))


def test_refuses() -> None:
    with pytest.raises(ValueError, match="rank 1, found 2"):
        group([[1]])
    with pytest.raises(ValueError, match="num_groups must be 0 or more"):
        group([1], -1)
    with pytest.raises(IndexError, match="integers"):
        group([0.5])


VALUES = ["bool", "uint8", "float16", "int32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("kind", ["int32", "uint64"])
@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("size", [0, 1, 3, 1000, 70_000])
def test_values_in_the_order_of_their_keys(kind: str, ordered: bool, size: int) -> None:
    keys = RNG.integers(0, 12, size).astype(kind)
    keys = np.sort(keys) if ordered else keys
    values = [RNG.integers(0, 99, size).astype(each) for each in VALUES]
    *found, offsets = group_values(keys, *values, num_groups=9)
    order, expected = group(keys, 9)
    np.testing.assert_array_equal(offsets, expected)
    for one, value in zip(found, values, strict=True):
        assert one.dtype == value.dtype
        np.testing.assert_array_equal(one, value[order])


def test_pieces_in_order_whose_borders_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "_SHARED", 0)
    monkeypatch.setattr(groups.openmp, "wanted_threads", lambda _: 2)
    keys = np.repeat([1, 2, 0, 1], 50)
    values = np.arange(200.0)
    found, _ = group_values(keys, values)
    np.testing.assert_array_equal(found, values[np.argsort(keys, kind="stable")])


def test_rows_of_any_rank_and_strides() -> None:
    keys = RNG.integers(0, 5, 40)
    rows, numbers = RNG.random((40, 2, 3))[:, ::-1], np.arange(80)[::2]
    found, flat, _ = group_values(keys, rows, numbers)
    order = np.argsort(keys, kind="stable")
    np.testing.assert_array_equal(found, rows[order])
    np.testing.assert_array_equal(flat, numbers[order])
    assert group_values(keys)[0].tolist() == group(keys)[1].tolist()


def test_refuses_values() -> None:
    with pytest.raises(ValueError, match=r"values 1 must have 2 rows, .*found shape \(3,\)"):
        group_values([0, 1], [1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="one for each key, found shape"):
        group_values([0], 1.5)
    with pytest.raises(TypeError, match="not supported"):
        group_values([0], np.array(["a"]))


def test_a_sparse_matrix_by_rows(needs) -> None:
    sparse = needs("scipy.sparse")
    matrix = sparse.random_array((40, 30), density=0.2, format="coo", rng=RNG)
    columns, data, indptr = group_values(matrix.row, matrix.col, matrix.data, num_groups=40)
    found = sparse.csr_array((data, columns, indptr), (40, 30))
    np.testing.assert_array_equal(found.toarray(), matrix.toarray())
