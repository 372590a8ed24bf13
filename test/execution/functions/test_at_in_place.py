"""`at(x, in_place=True)`: `x` has what a copy would have, and nothing of its size is made."""

import tracemalloc
from typing import Any

import mlir_gs
import numpy as np
import pytest

METHODS = {
    "set": None, "add": np.add, "subtract": np.subtract, "multiply": np.multiply,
    "min": np.minimum, "max": np.maximum,
}  # fmt: skip


@pytest.mark.parametrize("method", [*METHODS, "divide", "power"])
@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_as_a_copy(method: str, dtype: Any) -> None:
    rng = np.random.default_rng(0)
    given = rng.integers(1, 9, (30, 4)).astype(dtype)
    values = rng.integers(1, 4, (7, 4)).astype(dtype)
    indices = rng.integers(-30, 30, 7)
    for x in (given.copy(), np.asfortranarray(given), given[:, ::-1].copy()[:, ::-1]):
        wanted = getattr(mlir_gs.at(x)[indices], method)(values)
        if wanted.dtype != x.dtype:
            with pytest.raises(TypeError, match="has elements of int64, the result of float64"):
                getattr(mlir_gs.at(x, in_place=True)[indices], method)(values)
            continue
        # The second call is of a kernel that is known.
        for target in (x.copy(order="K"), x):
            found = getattr(mlir_gs.at(target, in_place=True)[indices], method)(values)
            assert found is target
            np.testing.assert_array_equal(target, wanted)


def test_beside_numpy() -> None:
    x, twin = np.zeros(1000), np.zeros(1000)
    indices = np.random.default_rng(0).integers(0, 1000, 200)
    for _ in range(2):
        mlir_gs.at(x, in_place=True)[indices].add(np.ones(200))
        np.add.at(twin, indices, np.ones(200))
    np.testing.assert_array_equal(x, twin)


@pytest.mark.parametrize("method", ["set", "add", "min"])
@pytest.mark.parametrize("shape", [(40,), (40, 3), (40, 3, 5), (0,), (40, 0)])
@pytest.mark.parametrize("number", [2, 1.5, np.float64(3.5), np.array(4.0)])
def test_one_number_for_all(method: str, shape: tuple[int, ...], number: Any) -> None:
    """The second call, at other coordinates, is of a kernel that is known."""
    rng = np.random.default_rng(1)
    for count in range(1, 1 + min(2, len(shape))):
        for dtype in (np.float32, np.int64):
            for _ in range(3):
                x = rng.integers(1, 9, shape).astype(dtype)
                sizes = [max(size, 1) for size in shape[:count]]
                ids = tuple(rng.integers(-size, size, 9) for size in sizes)
                found = x.copy()
                getattr(mlir_gs.at(found, in_place=True)[ids], method)(number)
                value = np.asarray(number).astype(dtype)
                if x.size and method == "set":
                    x[ids] = value
                elif x.size:
                    {"add": np.add, "min": np.minimum}[method].at(x, ids, value)
                np.testing.assert_array_equal(found, x)


def test_nothing_of_its_size_is_made() -> None:
    x, indices = np.zeros(1_000_000), np.arange(200)
    mlir_gs.at(x, in_place=True)[indices].add(np.ones(200))
    tracemalloc.start()
    mlir_gs.at(x, in_place=True)[indices].add(np.ones(200))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < x.nbytes // 10


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("shape", [(30, 6), (30, 5, 6), (30,)])
def test_views_are_written_where_they_are(method: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    for view in (np.s_[..., :4], np.s_[..., ::2], np.s_[::-1], np.s_[1::3], np.s_[..., ::-2]):
        whole = rng.integers(1, 9, shape).astype(np.float32)
        x, around = whole[view], whole.copy()
        places = rng.integers(-len(x), len(x), 7)
        values = rng.integers(1, 4, (7, *x.shape[1:])).astype(np.float32)
        around[view] = getattr(mlir_gs.at(x)[places], method)(values)
        assert getattr(mlir_gs.at(x, in_place=True)[places], method)(values) is x
        np.testing.assert_array_equal(whole, around)


def test_nothing_of_the_size_of_a_view_is_made() -> None:
    x, indices, values = np.zeros((1000, 1000))[:, :900], np.arange(5), np.ones((5, 900))
    mlir_gs.at(x, in_place=True)[indices].add(values)
    tracemalloc.start()
    mlir_gs.at(x, in_place=True)[indices].add(values)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < x.nbytes // 10


def test_what_is_not_aligned_is_written() -> None:
    x = np.zeros(81, np.uint8)[1:].view(np.float64)
    mlir_gs.at(x, in_place=True)[np.arange(3)].add(np.ones(3))
    assert x.tolist() == [1.0] * 3 + [0.0] * 7


def test_values_and_indices_in_its_memory() -> None:
    x = np.arange(8)
    wanted = mlir_gs.at(x)[::-1].set(x)
    np.testing.assert_array_equal(mlir_gs.at(x, in_place=True)[::-1].set(x), wanted)
    x = np.arange(8)[::-1].copy()
    wanted = mlir_gs.at(x)[x].add(1)
    np.testing.assert_array_equal(mlir_gs.at(x, in_place=True)[x].add(1), wanted)


def test_what_cannot_be_written() -> None:
    x = np.zeros(3)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="x cannot be written"):
        mlir_gs.at(x, in_place=True)[0].set(1.0)
    with pytest.raises(ValueError, match="x cannot be written"):
        mlir_gs.at([1.0], in_place=True)[0].set(1.0)


def test_an_index_out_of_bounds_writes_nothing() -> None:
    x = np.zeros(3)
    with pytest.raises(IndexError):
        mlir_gs.at(x, in_place=True)[np.array([0, 5])].set(np.ones(2), mode="error")
    assert not x.any()


def test_a_mask_and_a_function() -> None:
    x = np.arange(6.0)
    assert mlir_gs.at(x, in_place=True)[x > 3].set(0.0) is x
    np.testing.assert_array_equal(x, [0, 1, 2, 3, 0, 0])
    assert mlir_gs.at(x, in_place=True)[1:3].apply(lambda v: v * 2) is x
    np.testing.assert_array_equal(x, [0, 2, 4, 3, 0, 0])


def test_a_tensor(needs: Any) -> None:
    torch = needs("torch")
    x = torch.zeros(5, dtype=torch.bfloat16)
    indices, values = torch.tensor([1, 1, 4]), torch.ones(3, dtype=torch.bfloat16)
    assert mlir_gs.at(x, in_place=True)[indices].add(values) is x
    assert x.tolist() == [0, 2, 0, 0, 1]


def test_one_place_after_one_number_for_many() -> None:
    """Arrays of no dims: the kernel that is known takes coordinates of one."""
    x, number = np.zeros(6), np.array(3.0)
    for index in (np.array([1, 2]), np.array([1, 4]), np.array([1, 2]), np.array(5)):
        mlir_gs.at(x, in_place=True)[index].add(number)
    np.testing.assert_array_equal(x, [0, 9, 6, 0, 3, 3])
