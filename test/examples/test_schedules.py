"""The schedules of examples/transform: the same results as without, and as NumPy's."""

from pathlib import Path

import mlir_gs
import numpy as np
import pytest
from mlir_gs import lowering
from mlir_gs.bindings import ir
from mlir_gs.dialect import context
from mlir_gs.lowering.transform import load_transform_ops
from mlir_gs.lowering.transform.ops import GsTransform

EXAMPLES = Path(__file__).parents[2] / "examples" / "transform"


def kernel(name: str, scheduled: bool) -> mlir_gs.Kernel:
    ctx = context()
    load_transform_ops(ctx)
    with ctx, ir.Location.unknown():
        module = mlir_gs.parse((EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8"))
        if scheduled:
            lowering.run_pipeline(module, "transform-interpreter,canonicalize,cse")
            assert "scf.for" in str(module)
    return mlir_gs.compile(module)


def whole(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Small whole numbers, whose sums are exact in any order."""
    return rng.integers(-3, 4, shape).astype(np.float32)


@pytest.mark.parametrize("scheduled", [False, True])
def test_gathered_matmul(scheduled: bool) -> None:
    rng = np.random.default_rng(0)
    table, ids, w = whole(rng, 1000, 64), rng.integers(-5, 1005, (512, 1)), whole(rng, 64, 32)
    found = kernel("matmul", scheduled)(table, ids, w)
    np.testing.assert_array_equal(found, table[np.clip(ids[:, 0], 0, 999)] @ w)


@pytest.mark.parametrize("scheduled", [False, True])
def test_experts(scheduled: bool) -> None:
    rng = np.random.default_rng(1)
    x, expert = whole(rng, 24, 16), rng.integers(0, 4, (24, 1))
    first, second = whole(rng, 4, 16, 32), whole(rng, 4, 32, 16)
    found = kernel("experts", scheduled)(x, expert, first, second)
    hidden = np.maximum(np.einsum("td,tdh->th", x, first[expert[:, 0]]), 0)
    np.testing.assert_array_equal(found, np.einsum("th,tho->to", hidden, second[expert[:, 0]]))


def test_attention() -> None:
    """The schedule changes no bit; NumPy adds in another order."""
    rng = np.random.default_rng(2)
    q = rng.standard_normal((8, 64), np.float32) / 8
    keys, values = (rng.standard_normal((100, 16, 64), np.float32) for _ in range(2))
    pages = rng.permutation(100)[:32, None]
    found = kernel("attention", True)(q, keys, values, pages)
    np.testing.assert_array_equal(found, kernel("attention", False)(q, keys, values, pages))
    k, v = (each[pages[:, 0]].reshape(-1, 64).astype(np.float64) for each in (keys, values))
    weights = np.exp(q @ k.T - (q @ k.T).max(1, keepdims=True))
    np.testing.assert_allclose(found, weights @ v / weights.sum(1, keepdims=True), 1e-4, 1e-5)


def test_the_page_names_each_op() -> None:
    page = (EXAMPLES.parents[1] / "docs" / "transform.md").read_text(encoding="utf-8")
    names = [op.OPERATION_NAME for op in GsTransform.operations]
    assert len(names) == 9
    assert [name for name in names if f"`{name}`" not in page] == []
