"""Stencils whose edges are padded, joined or set: loops over pieces, against `jax.jit`."""

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("jax_tvm_ffi")

import jax.numpy as jnp  # noqa: E402  (after importorskip)
from mlir_gs.integrations import jax as gs  # noqa: E402  (after importorskip)

# pyright: reportUnknownMemberType=false
SHAPES = [(1,), (40,), (40, 33), (2, 5, 40)]


def shifted(x: Any, d: int, by: int, mode: str) -> Any:
    """`x` moved by `by` along dim `d`, with what `mode` puts at its end."""
    n = x.shape[d]
    if mode == "roll":
        return jnp.roll(x, by, d)
    width = [(0, 0)] * x.ndim
    width[d] = (abs(by), abs(by))
    padded = jnp.pad(x, width, **({"constant_values": 7} if mode == "constant" else {}), mode=mode)
    return jax.lax.slice_in_dim(padded, abs(by) - by, abs(by) - by + n, axis=d)


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "wrap", "roll"])
@pytest.mark.parametrize("dtype", ["float32", "bool"])
def test_neighbours(mode: str, dtype: str) -> None:
    rng = np.random.default_rng(3)
    for shape in SHAPES:
        x = jnp.asarray(rng.integers(0, 2 if dtype == "bool" else 9, shape), dtype)

        def stencil(x: Any, count: int = 2) -> Any:
            for _ in range(count):
                found = x
                for d in range(x.ndim):
                    for by in (-1, 1):
                        found = (
                            found ^ y
                            if (y := shifted(x, d, by, mode)).dtype == bool
                            else y + found * 2
                        )
                x = found
            return x

        np.testing.assert_array_equal(gs.kernel(stencil)(x), jax.jit(stencil)(x), str(shape))


@pytest.mark.parametrize("seed", range(3))
def test_windows_at_known_places(seed: int) -> None:
    """Sets and sums of windows of an array that are computed from its neighbours."""
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(4, 40, rng.integers(1, 4)))
    x = jnp.asarray(rng.integers(0, 9, shape), jnp.float32)
    inside = tuple(slice(*sorted(rng.choice(n + 1, 2, replace=False))) for n in shape)

    def f(x: Any) -> Any:
        for _ in range(2):
            moved = sum(jnp.roll(x, by, d) for d in range(x.ndim) for by in (-1, 1))[inside]
            x = x.at[inside].add(moved).at[inside].multiply(0.5)
            x = x.at[inside].set(x[inside] - moved).at[..., -1].set(x[..., 0])
        return x

    np.testing.assert_array_equal(gs.kernel(f)(x), jax.jit(f)(x))
    np.testing.assert_allclose(
        gs.kernel(jax.grad(lambda x: (f(x) ** 2).sum()))(x),
        jax.jit(jax.grad(lambda x: (f(x) ** 2).sum()))(x),
        1e-5,
    )


@pytest.mark.parametrize("shape", [(40, 24), (0, 24), (40, 0), (2, 0, 40)])
def test_reductions_and_parts_without_elements(shape: tuple[int, ...]) -> None:
    """A sum whose dim only a pad has; parts that have no elements."""

    def sums(x: Any) -> Any:
        joined = jnp.concatenate([x, x * 2], -1)
        return jnp.pad(joined, [(3, 4), *[(0, 0)] * (x.ndim - 1)], constant_values=2).sum(-1)

    x = jnp.arange(np.prod(shape), dtype=jnp.float32).reshape(shape) % 7
    np.testing.assert_array_equal(gs.kernel(sums)(x), jax.jit(sums)(x))


def test_pieces_of_pieces_of_pieces() -> None:
    """Their number doubles 16 times: nothing looks at each."""

    def tiled(x: Any) -> Any:
        for _ in range(16):
            x = jnp.concatenate([x, x])
        return -x

    x = jnp.arange(16.0)
    np.testing.assert_array_equal(gs.kernel(tiled)(x), -np.tile(np.asarray(x), 1 << 16))
