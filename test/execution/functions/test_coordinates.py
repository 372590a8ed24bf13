"""Coordinates of every integer type, and numbers that none holds, in every function and mode."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import (
    at,
    bincount,
    embedding_bag,
    gather_nd,
    put_along_axis,
    scatter_nd,
    segment_sum,
    take,
    take_along_axis,
)
from numpy.lib.stride_tricks import as_strided

X = np.arange(5.0)
FAR = [np.array([2**64 - 1, 2**63, 1], np.uint64), [2**64 - 1, 2**63, 1], [2**70, 2**63, 1]]
"""Above everything, above everything and 1."""
BELOW = [[-(2**70), 2**80, 1], np.array([-(2**63), 2**63 - 1, 1])]


@pytest.mark.parametrize("ids", FAR)
def test_what_int64_does_not_hold_is_out_of_bounds(ids: Any) -> None:
    nan, number = np.nan, np.asarray(ids, object)[0]
    for found in (
        take(X, ids, mode="fill"),
        take_along_axis(X, ids, mode="fill"),
        at(X)[ids].get(mode="fill"),
        at(X)[ids,].get(mode="fill", wrap_negative_indices=False),
    ):
        np.testing.assert_array_equal(found, [nan, nan, 1])
    for found in (
        take(X, ids, mode="clip"),
        take_along_axis(X, ids, mode="clip"),
        at(X)[ids].get(),
    ):
        np.testing.assert_array_equal(found, [4, 4, 1])
    turned = [int(n) % 5 for n in ids]
    for found in (take(X, ids, mode="wrap"), take_along_axis(X, ids, mode="wrap")):
        np.testing.assert_array_equal(found, turned)
    np.testing.assert_array_equal(at(X)[ids].get(mode="wrap"), turned)
    for found in (
        at(X)[ids].set(9),
        at(X)[ids].add(8),
        at(X)[ids].apply(lambda v: v + 8),
        put_along_axis(X, ids, 9.0, 0, inplace=False, mode="drop"),
    ):
        np.testing.assert_array_equal(found, [0, 9, 2, 3, 4])
    np.testing.assert_array_equal(segment_sum([1.0, 2, 4], ids, 3), [0, 4, 0])
    tuples = np.asarray(ids, object)[:, None]
    for refused in (
        lambda: take(X, ids),
        lambda: take_along_axis(X, ids),
        lambda: put_along_axis(X.copy(), ids, 0, 0),
        lambda: at(X)[ids].get(mode="error"),
        lambda: at(X)[ids].set(0, mode="error"),
        lambda: gather_nd(X, tuples),
        lambda: scatter_nd(X, tuples, 0),
        lambda: segment_sum([1.0, 2, 4], ids, 3, mode="error"),
        lambda: embedding_bag(ids, X[:, None], offsets=np.array([0])),
    ):
        with pytest.raises(IndexError, match=rf"index {number} is out of bounds for axis 0 with"):
            refused()


@pytest.mark.parametrize("ids", BELOW)
def test_what_is_far_below(ids: Any) -> None:
    np.testing.assert_array_equal(take(X, ids, mode="clip"), [0, 4, 1])
    np.testing.assert_array_equal(at(X)[ids].get(), [0, 4, 1])
    np.testing.assert_array_equal(take(X, ids, mode="wrap"), [int(n) % 5 for n in ids])
    np.testing.assert_array_equal(at(X)[ids].set(9), [0, 9, 2, 3, 4])


def test_bins_of_unsigned_numbers() -> None:
    found = bincount(FAR[0], length=3)
    np.testing.assert_array_equal(found, [0, 1, 0])
    with pytest.raises(TypeError, match="x must have integer elements, found float64"):
        bincount([0.5])


@pytest.mark.parametrize("framework", ["torch", "jax.numpy"])
def test_unsigned_numbers_of_torch_and_jax(needs, framework: str) -> None:
    module = needs(framework)
    jax = needs("jax")
    with jax.enable_x64(True):
        ids = module.asarray(FAR[0])
        np.testing.assert_array_equal(at(module.asarray(X))[ids].get(), [4, 4, 1])
        np.testing.assert_array_equal(take(module.asarray(X), ids, mode="wrap"), [0, 3, 1])
        np.testing.assert_array_equal(at(module.asarray(X))[ids].add(8), [0, 9, 2, 3, 4])


DTYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8",
          ml_dtypes.int4, ml_dtypes.uint4]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (1,), (2, 0), (3,)])
def test_every_type_and_form(dtype: Any, shape: tuple[int, ...]) -> None:
    ids = np.array([7, 2, 7][: max(int(np.prod(shape)), 1)]).astype(dtype)
    ids = np.resize(ids, shape).astype(dtype)
    plain = ids.astype(np.int64)
    for form in (ids, ids[()]) if shape == () else (ids, ids[::-1][::-1]):
        np.testing.assert_array_equal(take(X, form, mode="wrap"), X[plain % 5])
        np.testing.assert_array_equal(take(X, form, mode="clip"), X[np.minimum(plain, 4)])
        np.testing.assert_array_equal(at(X)[form].get(mode="wrap"), X[plain % 5])
        np.testing.assert_array_equal(at(X)[form].get(), X[np.minimum(plain, 4)])
        expected = X.copy()
        np.add.at(expected, plain % 5, 1)
        np.testing.assert_array_equal(at(X)[form].add(1, mode="wrap"), expected)


def test_bools_are_numbers_for_take_alone() -> None:
    ids = np.array([True, False])
    np.testing.assert_array_equal(take(X, ids), np.take(X, ids))
    for refused in (
        lambda: take_along_axis(X, ids),
        lambda: gather_nd(X, ids[:, None]),
        lambda: segment_sum([1, 2], ids),
    ):
        with pytest.raises(IndexError, match="must be integers, found bool"):
            refused()


def test_negative_indices_clip_as_in_numpy_or_after_they_wrap() -> None:
    ids = np.array([-1, -9, 9])
    np.testing.assert_array_equal(take(X, ids, mode="clip"), np.take(X, ids, mode="clip"))
    np.testing.assert_array_equal(take_along_axis(X, ids, mode="clip"), [4, 0, 4])
    np.testing.assert_array_equal(
        put_along_axis(X, ids[:2], 9, 0, inplace=False, mode="clip"), [9, 1, 2, 3, 9]
    )
    with pytest.raises(ValueError, match="mode must be one of raise, wrap, clip, drop, found 'f"):
        put_along_axis(X, ids, 0, 0, mode="fill")


def test_an_axis_longer_than_the_type_of_its_indices_counts() -> None:
    size = (1 << 31) + 9
    zeros = as_strided(np.zeros(1, np.int8), (size,), (0,), writeable=False)
    ids = np.array([-1, -(1 << 31), (1 << 31) - 1, 0], np.int32)
    for mode in ("raise", "wrap", "fill", "clip"):
        assert take(zeros, ids, mode=mode).tolist() == [0] * 4
        assert take_along_axis(zeros, ids, mode=mode).tolist() == [0] * 4
    assert at(zeros)[ids].get(mode="fill", fill_value=1).tolist() == [0] * 4
    assert at(zeros)[ids].get(mode="wrap").tolist() == [0] * 4
    assert gather_nd(zeros, ids[:, None]).tolist() == [0] * 4
    for dtype in (np.int8, np.uint8, np.int16):
        assert take(zeros, np.array([100, 7], dtype), mode="wrap").tolist() == [0, 0]


def test_arguments_that_are_no_integers() -> None:
    for refused in (
        lambda: take(X, [0], "a"),
        lambda: take_along_axis(X, [0], 0.0),
        lambda: gather_nd(X, [[0]], 0.0),
        lambda: embedding_bag([[0]], X[:, None], padding_idx="a"),
    ):
        with pytest.raises(TypeError, match="object cannot be interpreted as an integer"):
            refused()
    for number in (5, -6, 2**70):
        with pytest.raises(ValueError, match=f"padding_idx must be a row of weight.* {number}$"):
            embedding_bag([[0]], X[:, None], padding_idx=number)


def test_a_fill_where_negative_indices_do_not_wrap() -> None:
    found = at(X)[[-1, 1, -9]].get(mode="fill", fill_value=7, wrap_negative_indices=False)
    np.testing.assert_array_equal(found, [7, 1, 7])


@pytest.mark.parametrize("mode", ["error", "clip", "wrap", "fill", None])
@pytest.mark.parametrize("sizes", [(3, 2), (0, 2), (0, 0)])
def test_no_index_is_looked_at_where_broadcasting_leaves_none(
    sizes: tuple[int, ...], mode: str | None
) -> None:
    x, empty = np.zeros(sizes, np.float32), np.zeros((0, 1), int)
    for index in ((np.array([7]), empty), (empty, np.array([[7, -9]])), (np.array([7]), False)):
        assert at(x)[index].get(mode=mode).shape == x[index].shape
        for written in (at(x)[index].set(1, mode=mode), at(x)[index].add(1, mode=mode)):
            np.testing.assert_array_equal(written, x)
    # NumPy looks at single numbers, and at those of a slice that is empty.
    for index in ((7, empty[:, 0]), (np.array([7]), slice(0, 0))):
        with pytest.raises(IndexError):
            x[index]
        with pytest.raises(IndexError):
            at(x)[index].get(mode="error")


def test_no_index_along_an_axis_is_looked_at_where_broadcasting_leaves_none() -> None:
    ids = np.full((2, 1, 3), 5, np.uint8)
    for sizes in ((3, 0, 1), (0, 0, 1), (0, 0, 3)):
        x = np.zeros(sizes, np.float32)
        assert np.take_along_axis(x, ids, 0).shape == take_along_axis(x, ids, 0).shape
        np.put_along_axis(x, ids, 4.0, 0)
        assert put_along_axis(x, ids, 4.0, 0) is None


KINDS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]


@pytest.mark.parametrize("kind", [*KINDS, ">i2", ">u8"])
def test_every_type_is_read_as_it_is(kind: str) -> None:
    """Numbers that would be negative in a signed type of the size are none."""
    dtype = np.dtype(kind)
    table = np.arange(600.0, dtype=np.float32).reshape(300, 2)
    numbers = np.array([0, 7, 127, 200, 255, 100])
    ids = (numbers % 128 if dtype == np.int8 else numbers).astype(dtype)
    if dtype.kind == "i":
        ids[0] = -1
    plain = ids.astype(np.int64)
    np.testing.assert_array_equal(take(table, ids, axis=0), table[plain])
    np.testing.assert_array_equal(at(table)[ids].get(), table[plain])
    np.testing.assert_array_equal(at(table)[ids, 1].get(), table[plain, 1])
    np.testing.assert_array_equal(at(table)[ids, np.int32([1])].get(), table[plain, 1])
    np.testing.assert_array_equal(take_along_axis(table[:, 0], ids), table[plain, 0])
    np.testing.assert_array_equal(gather_nd(table, ids[:, None]), table[plain])
    for mode in ("clip", "wrap"):
        small = table[:130]
        expected = small[plain % 130] if mode == "wrap" else small[plain.clip(0, 129)]
        np.testing.assert_array_equal(take(small, ids, axis=0, mode=mode), expected)
    inside = plain < 130
    expected = np.where(inside[:, None], table[plain], -1)
    expected[plain < 0] = table[129] if dtype.kind == "i" else -1
    np.testing.assert_array_equal(at(table[:130])[ids].get(mode="fill", fill_value=-1), expected)
    added = np.zeros(300)
    np.add.at(added, plain, 1.5)
    np.testing.assert_array_equal(at(np.zeros(300))[ids].add(1.5), added)
    np.testing.assert_array_equal(at(np.zeros(300))[ids].add(np.full(6, 1.5)), added)
    np.testing.assert_array_equal(at(np.zeros(300))[ids].add(np.full(6, 1.5)), added)
    rows = np.where(plain < 0, 0, plain).astype(dtype)
    np.testing.assert_array_equal(bincount(rows), np.bincount(rows.astype(np.int64)))
    weights = np.ones((6, 3), np.float32)
    expected = np.zeros((300, 3), np.float32)
    np.add.at(expected, rows.astype(np.int64), weights)
    np.testing.assert_array_equal(segment_sum(weights, rows, 300), expected)
    bags = np.array([0, 2, 6]).astype(dtype)
    found = embedding_bag(rows, table, bags, "sum", include_last_offset=True)
    expected = np.stack([table[rows[:2].astype(int)].sum(0), table[rows[2:].astype(int)].sum(0)])
    np.testing.assert_array_equal(found, expected)
    with pytest.raises(IndexError, match="out of bounds"):
        take(table[:50], ids, axis=0)


def test_coordinates_of_two_types() -> None:
    grid = np.arange(12.0).reshape(3, 4)
    y, x = np.array([0, 2, 1], np.uint8), np.array([-1, 0, 3])
    np.testing.assert_array_equal(at(grid)[y, x].get(), grid[y, x])
    np.testing.assert_array_equal(at(grid)[y, x].get(mode="fill"), grid[y, x])
    expected = grid.copy()
    expected[y, x] = 9
    np.testing.assert_array_equal(at(grid)[y, x].set(9), expected)


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.int64])
def test_many_indices_with_gaps_or_backwards(dtype: Any) -> None:
    rng = np.random.default_rng(6)
    pairs = rng.integers(0, 100, (20_000, 2)).astype(dtype)
    x, values = rng.standard_normal((100, 3)), rng.standard_normal((20_000, 3))
    for ids in (pairs[:, 0], pairs[::-1, 1], pairs.T, pairs[::2]):
        for _ in range(2):  # the second call may find a kernel by its types
            np.testing.assert_array_equal(take(x, ids, axis=0), x[ids])
            np.testing.assert_array_equal(take(x[:, 0], ids), x[ids, 0])
            np.testing.assert_array_equal(at(x)[ids, 1].get(), x[ids, 1])
    for ids in (pairs[:, 0], pairs[::-1, 1]):
        wanted = np.zeros((100, 3))
        np.add.at(wanted, ids, values)
        for _ in range(2):
            np.testing.assert_array_equal(at(wanted * 0)[ids].add(values), wanted)
            np.testing.assert_array_equal(segment_sum(values, ids, 100), wanted)
    with pytest.raises(IndexError, match="index 99 is out of bounds for axis 0 with size 99"):
        take(x[:99], np.where(pairs > 98, 99, pairs)[:, 0], axis=0)


@pytest.mark.parametrize("kind", ["i4", "i8", "u1"])
def test_positions_that_lie_apart(kind: str) -> None:
    """As the first columns of argpartition: a call, and one by what is known of it."""
    rng = np.random.default_rng(3)
    x, ids = rng.random((2000, 60)), np.argsort(rng.random((2000, 60)), axis=1).astype(kind)
    for some in (ids[:, :20], ids[:, ::-2], ids.T[:30].T):
        for _ in range(2):
            np.testing.assert_array_equal(
                take_along_axis(x, some, 1), np.take_along_axis(x, some, 1)
            )
            np.testing.assert_array_equal(take(x[0], some), np.take(x[0], some))
        found, expected = x.copy(), x.copy()
        put_along_axis(found, some, 2.0, 1)
        np.put_along_axis(expected, some, 2.0, 1)
        np.testing.assert_array_equal(found, expected)
    ids[5, 3] = 60
    for function in (take_along_axis, lambda *call: put_along_axis(call[0], call[1], 0, call[2])):
        before = x.copy()
        with pytest.raises(IndexError, match="index 60 is out of bounds for axis 1 with size 60"):
            function(x, ids[:, :20], 1)
        np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("size", [5, 20000])
def test_reads_of_what_is_not_aligned(size: int) -> None:
    def unaligned(array: Any) -> Any:
        made = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype)
        made[...] = array
        assert not made.flags.aligned
        return made

    rng = np.random.default_rng(3)
    x, ids = rng.random(size), rng.integers(-size, size, size)
    for some, places in ((unaligned(x), ids), (x, unaligned(ids)), (unaligned(x), unaligned(ids))):
        for _ in range(2):
            np.testing.assert_array_equal(take(some, places), np.take(some, places))
            np.testing.assert_array_equal(
                take_along_axis(some, places), np.take_along_axis(some, places)
            )
