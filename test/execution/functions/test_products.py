"""Rows at coordinates times matrices, beside NumPy, torch and JAX."""

from typing import Any

import ml_dtypes
import mlir_gs
import numpy as np
import pytest


def _given(k: int, n: int, groups: int, dtype: Any) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(k)
    x = rng.normal(size=(30, k)).astype(dtype)
    return x, rng.normal(size=(groups, k, n)).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16])
def test_gathered(dtype: Any) -> None:
    close = {2: 1e-2, 4: 1e-5, 8: 1e-12}[np.dtype(dtype).itemsize]
    for shape, k, n in (((4, 5), 40, 70), ((3,), 9, 20), ((0,), 5, 5), ((7,), 0, 16), ((), 8, 3)):
        x, (w,) = _given(k, n, 1, dtype)
        ids = np.random.default_rng(1).integers(-30, 30, shape)
        found = mlir_gs.gathered_matmul(x, ids, w)
        wide = np.promote_types(np.float32, dtype) if dtype != ml_dtypes.bfloat16 else np.float32
        wanted = x[ids].astype(wide) @ w.astype(wide)
        assert found.dtype == dtype
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found.astype(wide), wanted, rtol=close, atol=close)


def test_the_order_of_sums() -> None:
    """One rounding for each point, in order."""
    x, (w,) = _given(37, 24, 1, np.float32)
    ids = np.arange(30)
    wanted = np.zeros((30, 24), np.float32)
    for j in range(37):
        # A product of float32 is exact in float64; so is the sum but for its last rounding.
        exact = x[:, j, None].astype(np.longdouble) * w[j]
        wanted = (wanted + exact).astype(np.float32)
    np.testing.assert_array_equal(mlir_gs.gathered_matmul(x, ids, w), wanted)


SIZES = [7, 0, 13, 1, 3]


def test_grouped_as_jax(needs: Any) -> None:
    jax = needs("jax")
    x, w = _given(40, 70, 5, np.float32)
    ids = np.random.default_rng(2).integers(0, 30, 24).astype(np.int32)
    sizes = np.array(SIZES, np.int32)
    wanted = jax.lax.ragged_dot(x[ids], w, sizes)
    found = mlir_gs.grouped_matmul(x, w, sizes, ids)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    found = mlir_gs.grouped_matmul(x[ids], w, sizes)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("sizes", [[0, 0, 0, 0, 0], [7, 0, 9, 0, 0]])
def test_rows_after_the_last_group(sizes: list[int], needs: Any) -> None:
    jax = needs("jax")
    x, w = _given(40, 70, 5, np.float32)
    wanted = jax.lax.ragged_dot(x, w, np.array(sizes, np.int32))
    np.testing.assert_allclose(mlir_gs.grouped_matmul(x, w, sizes), wanted, rtol=1e-4, atol=1e-5)
    to = np.arange(30) % 3
    found = mlir_gs.grouped_matmul(x, w, sizes, out_indices=to, num_rows=3)
    summed = np.zeros((3, 70), np.float32)
    np.add.at(summed, to, np.asarray(wanted))
    np.testing.assert_allclose(found, summed, rtol=1e-4, atol=1e-4)


def test_experts_of_torch(needs: Any) -> None:
    """Each token goes to two experts, whose results are weighted and added."""
    torch = needs("torch")
    torch.manual_seed(0)
    tokens, w = torch.randn(30, 40), torch.randn(5, 40, 70)
    weights, experts = torch.rand(30, 5).topk(2)
    order = experts.reshape(-1).argsort(stable=True)
    rows = order // 2
    found = mlir_gs.grouped_matmul(
        tokens, w, torch.bincount(experts.reshape(-1), minlength=5), rows,
        out_indices=rows, scales=weights.reshape(-1)[order], num_rows=30,
    )  # fmt: skip
    wanted = torch.zeros(30, 70)
    for token in range(30):
        for weight, expert in zip(weights[token], experts[token], strict=True):
            wanted[token] += weight * (tokens[token] @ w[expert])
    assert isinstance(found, torch.Tensor)
    torch.testing.assert_close(found, wanted, rtol=1e-4, atol=1e-4)


def test_refused() -> None:
    x, w = _given(8, 6, 2, np.float32)
    for message, call in {
        "x and w must have shapes": lambda: mlir_gs.gathered_matmul(x, [0], w),
        "x and w must have shapes \\[rows, k\\] and \\[groups": lambda: mlir_gs.grouped_matmul(
            x, w[0], [30]
        ),
        "at most 30 together": lambda: mlir_gs.grouped_matmul(x, w, [29, 2]),
        "0 or more, at most 30": lambda: mlir_gs.grouped_matmul(x, w, [31, -1]),
        "group_sizes shape \\[2\\]": lambda: mlir_gs.grouped_matmul(x, w, [30]),
        "need out_indices": lambda: mlir_gs.grouped_matmul(x, w, [30, 0], scales=np.ones(30)),
        "need num_rows": lambda: mlir_gs.grouped_matmul(x, w, [1, 0], [0], out_indices=[0]),
        "must have shape \\[1\\]": lambda: mlir_gs.grouped_matmul(
            x, w, [1, 0], [0], out_indices=[0, 1], num_rows=2
        ),
    }.items():
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(IndexError, match="index 30 is out of bounds for axis 0 with size 30"):
        mlir_gs.gathered_matmul(x, [0, 30], w[0])
    with pytest.raises(IndexError, match="index 2 is out of bounds for axis 0 with size 2"):
        mlir_gs.grouped_matmul(x, w, [1, 0], [0], out_indices=[2], num_rows=2)
    with pytest.raises(TypeError, match="float elements of one type"):
        mlir_gs.gathered_matmul(x, [0], w[0].astype(np.float64))
