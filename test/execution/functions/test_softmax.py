"""Softmax over segments and its gradient, against JAX's and torch's own spelling of it."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from mlir_gs import segment_softmax, segment_softmax_gradient

SHAPES = ((70,), (70, 3), (90, 8), (40, 100), (40, 2, 3), (9000,), (6000, 8))


def _exact(x: np.ndarray, ids: np.ndarray, count: int) -> np.ndarray:
    x = x.astype(np.float64)
    with np.errstate(all="ignore"):
        greatest = np.full((count, *x.shape[1:]), -np.inf)
        np.maximum.at(greatest, ids, x)
        powers = np.exp(x - greatest[ids])
        sums = np.zeros_like(greatest)
        np.add.at(sums, ids, powers)
        return powers / sums[ids]


@pytest.mark.parametrize("is_sorted", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_softmax_and_gradient(shape: tuple[int, ...], is_sorted: bool) -> None:
    rng = np.random.default_rng(len(shape) + shape[0])
    ids = rng.integers(0, 17, shape[0]).astype(np.int32)
    ids = np.sort(ids) if is_sorted else ids
    x = rng.normal(size=shape) * 5
    for dtype, tolerance in ((np.float32, 4e-6), (np.float64, 1e-14), (np.float16, 2e-3)):
        y = x.astype(dtype)
        # Three segments are empty.
        found = segment_softmax(y, ids, 20, indices_are_sorted=is_sorted)
        assert (found.dtype, found.shape) == (y.dtype, y.shape)
        wanted = _exact(y, ids, 20)
        np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=1e-7 * (dtype == np.float16))
        g = rng.normal(size=shape).astype(dtype)
        exact = found.astype(np.float64)
        sums = np.zeros((20, *shape[1:]))
        np.add.at(sums, ids, g * exact)
        back = segment_softmax_gradient(g, found, ids, indices_are_sorted=is_sorted)
        wanted = exact * (g - sums[ids])
        np.testing.assert_allclose(back, wanted, rtol=tolerance, atol=2 * tolerance)


@pytest.mark.parametrize("is_sorted", [False, True])
def test_as_jax_and_torch(needs: Any, is_sorted: bool) -> None:
    """Values that are no numbers too; the gradient is that of the frameworks' own spelling."""
    torch, jax = needs("torch"), needs("jax")
    x = np.array(
        [[1, np.nan], [2, 1], [np.inf, 3], [1, 2], [-np.inf, 0], [-np.inf, 5], [-np.inf, 1],
         [3, 4], [-200, 0], [90, -90]], np.float32)  # fmt: skip
    ids = np.array([0, 0, 1, 1, 2, 2, 3, 3, 5, 5])
    if not is_sorted:
        order = np.random.default_rng(1).permutation(len(ids))
        x, ids = x[order], ids[order]

    # JAX has 0 for less.
    tiny = float(np.finfo(np.float32).tiny)

    def in_jax(data: Any) -> Any:
        ops, count = jax.ops, 7
        powers = jax.numpy.exp(data - ops.segment_max(data, ids, count)[ids])
        return powers / ops.segment_sum(powers, ids, count)[ids]

    found = segment_softmax(jax.numpy.asarray(x), ids, 7, indices_are_sorted=is_sorted)
    np.testing.assert_allclose(found, in_jax(x), rtol=2e-6, atol=tiny)

    tensor = torch.from_numpy(x).requires_grad_()
    where = torch.from_numpy(ids)[:, None].expand(-1, 2)
    greatest = torch.full((7, 2), -torch.inf).scatter_reduce(0, where, tensor.detach(), "amax")
    powers = (tensor - greatest.gather(0, where)).exp()
    wanted = powers / torch.zeros(7, 2).scatter_add(0, where, powers).gather(0, where)
    ours = segment_softmax(tensor.detach(), ids, 7, indices_are_sorted=is_sorted)
    assert isinstance(ours, torch.Tensor)
    np.testing.assert_allclose(ours, wanted.detach(), rtol=2e-6, atol=1e-45)
    gradient = torch.randn(10, 2)
    wanted.backward(gradient)
    found = segment_softmax_gradient(gradient, ours, ids, 7, indices_are_sorted=is_sorted)
    np.testing.assert_allclose(found, tensor.grad, rtol=1e-4, atol=1e-6)


def test_edges() -> None:
    x = np.array([1, 2, 3, 4], np.float32)
    half = 1 / (1 + np.exp(-1))
    # Ids out of bounds are 0, as if they were not there.
    found = segment_softmax(x, [-1, 0, 0, 2], 2)
    np.testing.assert_allclose(found, [0, 1 - half, half, 0], rtol=1e-6)
    found = segment_softmax(x, [-1, 0, 0, 2], 2, indices_are_sorted=True)
    np.testing.assert_allclose(found, [0, 1 - half, half, 0], rtol=1e-6)
    assert segment_softmax(x[:0], np.zeros(0, int)).shape == (0,)
    assert segment_softmax(np.zeros((3, 0), "f4"), [0, 1, 1]).shape == (3, 0)
    assert segment_softmax(np.zeros(3, ml_dtypes.bfloat16), [4, 4, 4]).dtype == ml_dtypes.bfloat16
    for message, call in {
        "one id for each row of data": lambda: segment_softmax(x, [0, 1]),
        "num_segments must be 0 or more": lambda: segment_softmax(x, [0, 1, 1, 1], -1),
        "softmax must have": lambda: segment_softmax_gradient(x, x[:2], [0, 1, 1, 1]),
    }.items():
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError, match="data must have float elements, found int64"):
        segment_softmax(np.arange(3), [0, 1, 1])


def test_exponentials() -> None:
    """One row to a segment of two: exp(x) / (1 + exp(x)) for all x that float32 can tell apart."""
    x = np.concatenate([np.linspace(-104, 0, 20001), -np.exp2(np.arange(-30, 7, 0.25))])
    x = x.astype(np.float32)
    pairs = np.stack([x, np.zeros_like(x)], axis=1)
    found = segment_softmax(pairs.reshape(-1), np.repeat(np.arange(len(x)), 2))[::2]
    e = np.exp(x.astype(np.float64))
    wanted = e / (1 + e)
    least = np.finfo(np.float32).smallest_subnormal
    np.testing.assert_allclose(found, wanted, rtol=3e-7, atol=float(least))
