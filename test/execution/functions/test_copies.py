"""Views with a step in their last dim are copied as NumPy copies them."""

import numpy as np
import pytest
from mlir_gs import at
from mlir_gs.execution.call import memory
from mlir_gs.execution.call.memory import LARGE
from mlir_gs.execution.functions import copies, few

RNG = np.random.default_rng(9)
SHAPES = [(1001,), (33, 45), (70, 90, 3), (5, 6, 7, 1), (40, 1), (3, 2, 17), (5, 64), (4, 65)]


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(few, "VIEW", 1)


@pytest.mark.parametrize("dtype", ["float32", "uint8", "complex64", "bool", "float16"])
@pytest.mark.parametrize("shape", SHAPES)
def test_steps(dtype: str, shape: tuple[int, ...]) -> None:
    x = (RNG.random(shape) * 100).astype(dtype)
    x.setflags(write=False)
    for step in (-4, -3, -2, -1, 2, 3, 4, 5):
        for index in ((..., slice(None, None, step)), (slice(None, None, -1), ..., None)):
            np.testing.assert_array_equal(at(x)[index].get(), x[index])
    for index in (
        (slice(None, None, -1),) * x.ndim,
        (slice(None, None, 2), ..., slice(None, None, -1)),
        (..., slice(1, 4, 2)),
        (..., slice(0, 0, 2)),
    ):
        if x.ndim > 1 or len(index) < 3:
            np.testing.assert_array_equal(at(x)[index].get(), x[index])


def test_what_is_copied_so() -> None:
    x = np.zeros((8, 6, 4), np.float32)
    assert copies.copied(x[..., ::-1]) is not None
    assert copies.copied(x[:, ::-1, ::2]) is None  # Rows are not a step apart.
    assert copies.copied(x) is None
    assert copies.copied(x.astype(np.complex128)[..., ::-1]) is None


@pytest.mark.parametrize(
    "dtype", ["int8", "float16", "complex128", "bool", ">f4", "M8[s]", "i4,f8"]
)
def test_large_arrays_are_copied_whole(dtype: str) -> None:
    given = RNG.integers(0, 99, (3, LARGE // 8, 7)).astype("i4").astype(dtype)
    given.flags.writeable = False
    for x in (given, given.T, given[:, ::2], given[:0], np.asfortranarray(given)):
        found = copies.whole(x)
        assert found.dtype == x.dtype
        assert found.flags.c_contiguous
        assert found.flags.writeable
        assert not np.shares_memory(found, given)
        np.testing.assert_array_equal(found, x)


@pytest.mark.parametrize("threads", [1, 2])
def test_larger_copies_than_glibc_keeps_lie_in_blocks(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies.openmp, "wanted_threads", lambda _: threads)
    monkeypatch.setattr(copies, "KEPT", LARGE)
    x = RNG.integers(0, 99, LARGE + 64, np.uint8)
    np.testing.assert_array_equal(copies.whole(x), x, strict=True)
    blocks: list[int] = []
    monkeypatch.setattr(memory.pool, "take", lambda size: blocks.append(size) or memory.Block(size))
    np.testing.assert_array_equal(copies.whole(x), x, strict=True)
    assert blocks == [x.nbytes]


def test_a_large_array_of_objects_is_copied() -> None:
    x = np.array([{}, None] * (LARGE // 16))
    assert copies.whole(x)[0] is x[0]
