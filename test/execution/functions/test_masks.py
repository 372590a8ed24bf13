"""Index expressions that are one boolean array do what NumPy does with them."""

import numpy as np
import pytest
from mlir_gs import at

RNG = np.random.default_rng(8)
SHAPES = [
    ((0,), 1), ((1,), 1), ((1001,), 1), ((77, 3), 1), ((7, 5, 40), 1), ((7, 5, 40), 2),
    ((70_000,), 1), ((7, 0), 1), ((300, 400), 2), ((6, 4, 2), 3),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "rank"), SHAPES)
@pytest.mark.parametrize("dtype", ["float32", "uint8", "complex128", "bool"])
def test_masks(shape: tuple[int, ...], rank: int, dtype: str) -> None:
    x = (RNG.random(shape) * 100).astype(dtype)
    for share in (0, 0.01, 0.5, 1):
        mask = RNG.random(shape[:rank]) < share
        for array in (x, x[::-1], np.asfortranarray(x)):
            np.testing.assert_array_equal(at(array)[mask].get(), array[mask])
            expected = array.copy()
            expected[mask] = 7
            found = at(array)[mask].set(7)
            np.testing.assert_array_equal(found, expected)
            assert found.dtype == x.dtype
            assert not np.may_share_memory(found, array)
        values = RNG.random(x[mask].shape).astype(dtype)
        expected[mask] = values
        np.testing.assert_array_equal(at(expected)[mask].set(values), expected)


def test_flags_that_are_no_ones() -> None:
    """A view of bytes as flags: each that is not 0 is set."""
    mask = np.array([0, 2, 255, 0, 1, 128, 0, 0, 0, 3], np.uint8).view(np.bool_)
    x = np.arange(10.0)
    np.testing.assert_array_equal(at(x)[mask].get(), [1, 2, 4, 5, 9])
    np.testing.assert_array_equal(at(x)[mask].set(0), [0, 0, 0, 3, 0, 0, 6, 7, 8, 0])
    found = at(x)[mask].set(np.arange(5.0) + 20)
    np.testing.assert_array_equal(found, [0, 20, 21, 3, 22, 23, 6, 7, 8, 24])


def test_read_only_and_strided_flags() -> None:
    x, mask = np.arange(12.0), np.arange(24) % 3 == 0
    mask.setflags(write=False)
    np.testing.assert_array_equal(at(x)[mask[::2]].get(), x[mask[::2]])
    np.testing.assert_array_equal(at(x)[mask[11::-1]].set(1.5), np.where(mask[11::-1], 1.5, x))


def test_masks_that_do_not_fit() -> None:
    with pytest.raises(IndexError, match="boolean index did not match"):
        at(np.zeros(4))[np.ones(3, bool)].get()
    with pytest.raises(IndexError, match="too many indices"):
        at(np.zeros(4))[np.ones((4, 1), bool)].get()
    with pytest.raises(ValueError, match="mode must be one of"):
        at(np.zeros(4))[np.ones(4, bool)].get(mode="other")


@pytest.mark.parametrize("kind", ["u1", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("part", [0, 0.001, 0.3, 1])
def test_vectors_of_a_mask(kind: str, part: float) -> None:
    for count in (700, 4097, 70_001):
        x, mask = (RNG.random(count) * 99).astype(kind), RNG.random(count) < part
        np.testing.assert_array_equal(at(x)[mask].get(), x[mask])
