"""The first elements of sorts, found in one pass, against JAX: ties, NaN, zeros, all counts."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")


def _compare(f: Callable[..., Any], *arrays: Any) -> None:
    from mlir_gs.integrations.jax import kernel

    for found, wanted in zip(
        jax.tree.leaves(kernel(f)(*arrays)), jax.tree.leaves(jax.jit(f)(*arrays)), strict=True
    ):
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(*(np.asarray(each).astype("f8") for each in (found, wanted)))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8", "uint32"])
def test_top_k(dtype: str) -> None:
    rng = np.random.default_rng(5)
    for shape, count in [((40,), 1), ((3, 50), 7), ((2, 3, 33), 33), ((4, 1), 1), ((2, 200), 150)]:
        x = rng.integers(0, 9, shape).astype(np.float32)
        if "float" in dtype:
            x[rng.random(shape) < 0.2] = np.nan
            x[rng.random(shape) < 0.2] = -0.0
            x[rng.random(shape) < 0.1] = -np.inf
        _compare(lambda x, n=count: jax.lax.top_k(x, n), jnp.asarray(x).astype(dtype))


def test_elements_in_order_and_from_the_last() -> None:
    for x in (np.arange(300.0), -np.arange(300.0), np.zeros(300)):
        _compare(lambda x: jax.lax.top_k(x, 20), jnp.asarray(x, jnp.float32))


def test_first_of_several_keys_along_another_dim() -> None:
    rng = np.random.default_rng(6)
    a, b = (jnp.asarray(rng.integers(0, 4, (40, 6)), jnp.int32) for _ in range(2))
    c = jnp.asarray(rng.normal(size=(40, 6)), jnp.float32)

    def first(a: Any, b: Any, c: Any) -> Any:
        return [each[:5] for each in jax.lax.sort((a, b, c), dimension=0, num_keys=2)]

    _compare(first, a, b, c)
    # One that is used as a whole is sorted.
    _compare(lambda a: (jnp.sort(a, 0)[:5], jnp.sort(a, 0)), a)
