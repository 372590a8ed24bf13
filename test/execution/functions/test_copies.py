"""Views with a step in their last dim are copied as NumPy copies them."""

import numpy as np
import pytest
from mlir_gs import at
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
