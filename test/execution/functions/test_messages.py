"""Rows reduced into segments where they are read: equal to take, multiply and reduce."""

from typing import Any

import numpy as np
import pytest
from mlir_gs import (
    gather_segment_max,
    gather_segment_mean,
    gather_segment_sum,
    segment_max,
    segment_mean,
    segment_sum,
)
from mlir_gs.execution.functions import widths

RNG = np.random.default_rng(6)
EDGES = 60
PAIRS = [
    (gather_segment_sum, segment_sum),
    (gather_segment_mean, segment_mean),
    (gather_segment_max, segment_max),
]


@pytest.mark.parametrize(("fused", "plain"), PAIRS)
@pytest.mark.parametrize(
    ("shape", "dtype"),
    [((9,), "float32"), ((9, 5), "float16"), ((9, 2, 3), "uint8"), ((9, 0), "int64")],
)
def test_one_after_the_other(fused: Any, plain: Any, shape: tuple[int, ...], dtype: str) -> None:
    data = (RNG.random(shape) * 100).astype(dtype)
    indices, ids = RNG.integers(-9, 9, EDGES).astype(np.int32), RNG.integers(-2, 14, EDGES)
    for count in (None, 12):
        found, expected = (
            fused(data, indices, ids, count),
            plain(data[indices], ids, count),
        )
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
    ids = np.sort(ids).astype(np.uint8 if fused is gather_segment_max else np.int64)
    np.testing.assert_array_equal(
        fused(data[::-1], indices, ids, 12, indices_are_sorted=True),
        plain(data[::-1][indices], ids, 12),
    )


@pytest.mark.parametrize("known", [False, True])
def test_weights(known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if known:
        monkeypatch.setattr(widths, "LEAST", 0)
        monkeypatch.setattr(widths, "_made", {})
    data = RNG.integers(-9, 9, (9, 5)).astype(np.float32)
    indices, ids = RNG.integers(0, 9, EDGES), RNG.integers(0, 7, EDGES)
    weights = RNG.integers(-3, 3, EDGES)
    for fused, plain in PAIRS[:2]:
        expected = plain(data[indices] * weights[:, None].astype(np.float32), ids, 7)
        np.testing.assert_array_equal(fused(data, indices, ids, 7, weights), expected)


def test_refuses() -> None:
    data = np.ones((4, 3))
    with pytest.raises(IndexError, match="index 4 is out of bounds for axis 0 with size 4"):
        gather_segment_sum(data, [0, 4], [0, 1])
    with pytest.raises(IndexError, match="out of bounds"):
        gather_segment_sum(data[:0], [0], [0])
    with pytest.raises(ValueError, match="of one length"):
        gather_segment_sum(data, [0, 1], [0])
    with pytest.raises(ValueError, match="weights must have shape"):
        gather_segment_sum(data, [0, 1], [0, 1], weights=[1.0])
    with pytest.raises(ValueError, match="num_segments must be 0 or more"):
        gather_segment_mean(data, [0], [0], -1)
    assert gather_segment_sum(data, [], [], 2).tolist() == [[0.0] * 3] * 2


def test_tensors_of_torch(needs: Any) -> None:
    torch = needs("torch")
    data, ids = torch.ones(4, 3), torch.tensor([0, 2])
    found = gather_segment_sum(data, ids, ids, 3)
    assert isinstance(found, torch.Tensor)
    assert found.tolist() == [[1.0] * 3, [0.0] * 3, [1.0] * 3]


@pytest.mark.parametrize("shape", [(3, 2, 2), (3, 0, 2), (0, 2, 2)])
def test_no_segments_of_rows_of_several_dims(shape: tuple[int, ...]) -> None:
    edges = np.zeros(2 if shape[0] else 0, np.int64)
    for reduce in (gather_segment_sum, gather_segment_mean, gather_segment_max):
        assert reduce(np.ones(shape), edges, edges, 0).shape == (0, *shape[1:])
        with pytest.raises(IndexError):
            reduce(np.ones(shape), np.array([3]), np.array([0]), 0)
