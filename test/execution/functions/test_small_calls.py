"""Small calls of which the kernel is known, for arrays of other shapes, types and orders."""

import mlir_gs as gs
import numpy as np
import pytest

RNG = np.random.default_rng(20261129)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u2", "c16"])
def test_sets_of_rows(dtype: str) -> None:
    for rows, width, count in ((9, 3, 4), (9, 3, 4), (5, 2, 5), (4, 0, 3), (3, 1, 0)):
        x, u = (RNG.integers(0, 99, (n, width)).astype(dtype) for n in (rows, count))
        i = RNG.permutation(rows)[:count]
        for values in (u, np.asfortranarray(u), np.repeat(u, 2, 0)[::2]):
            wanted = x.copy()
            wanted[i] = values
            for _ in range(3):
                np.testing.assert_array_equal(gs.at(x)[i].set(values), wanted)


def test_shapes_that_broadcast_after_those_that_do_not() -> None:
    x, i = np.zeros((6, 4)), np.array([1, 3])
    for _ in range(3):
        gs.at(x)[i].add(np.ones((2, 4)))
    np.testing.assert_array_equal(gs.at(x)[i].add(np.ones((1, 4))).sum(), 8)
    np.testing.assert_array_equal(gs.at(x)[i[None]].add(np.ones((1, 2, 4))).sum(), 8)
    np.testing.assert_array_equal(gs.at(x)[np.array([7, -1])].add(np.ones((2, 4)))[5], np.ones(4))
    with pytest.raises(ValueError, match=r"shape|broadcast"):
        gs.at(x)[i].add(np.ones((3, 4)))


def test_bins_of_which_some_are_more_than_asked_for() -> None:
    x = RNG.integers(0, 50, 3000)
    w = RNG.random(3000)
    for minlength in (60, 60, 10, 0, 60):
        np.testing.assert_array_equal(
            gs.bincount(x, w, minlength), np.bincount(x, w, minlength), strict=True
        )
    with pytest.raises(ValueError, match="negative"):
        gs.bincount(x - 1, w, 60)
    with pytest.raises(ValueError, match="shape"):
        gs.bincount(x, w[1:], 60)


def test_messages() -> None:
    for rows, width, edges in ((7, 3, 20), (7, 3, 20), (4, 5, 9), (6, 1, 0)):
        x, w = RNG.random((rows, width)), RNG.random(edges)
        i, j = (RNG.integers(0, rows, edges) for _ in range(2))
        wanted = np.zeros_like(x)
        np.add.at(wanted, np.append(j, rows)[:-1], x[i] * w[:, None])
        for _ in range(3):
            np.testing.assert_allclose(gs.gather_segment_sum(x, i, j, rows, w), wanted)
        dropped = gs.gather_segment_sum(x, i, np.full(edges, rows), rows, w)
        np.testing.assert_array_equal(dropped, np.zeros_like(x))
    with pytest.raises(IndexError):
        gs.gather_segment_sum(x, np.array([9]), np.array([0]), 6, np.ones(1))
    with pytest.raises(ValueError, match="shape"):
        gs.gather_segment_sum(x, i, j, 6, np.ones(1))


@pytest.mark.parametrize("dtype", ["f8", "i8", "u2"])
def test_calls_of_equal_shapes(dtype: str) -> None:
    """A kernel that was found by types and shapes takes other orders, signs and bounds as well."""
    for x in (RNG.integers(0, 99, (7, 4)).astype(dtype), np.ones((4, 7), dtype).T):
        for i in (np.array([6, 0, 2]), np.array([-1, 0, -7]), np.arange(6)[::2]):
            for _ in range(3):
                found, along = gs.take(x, i, axis=0), gs.take_along_axis(x, i[:, None], 0)
                np.testing.assert_array_equal(found, np.take(x, i, axis=0), strict=True)
                np.testing.assert_array_equal(along, x[i], strict=True)
                out = np.empty_like(found)
                assert gs.take(x, i, 0, out) is out
                np.testing.assert_array_equal(out, found)
        for axis in (0.0, 0.5, [0]):
            for take in (gs.take, gs.take_along_axis):
                with pytest.raises(TypeError):
                    take(x, i[:, None], axis)
        with pytest.raises(IndexError, match="7"):
            gs.take(x, np.array([0, 7, 0]), axis=0)


def test_many_shapes() -> None:
    x = np.arange(600)
    for count in range(600):
        assert gs.take(x, x[:count]).tolist() == list(range(count))
