"""take_along_axis and put_along_axis against JAX: values, jit, derivatives, vmap."""

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("jax_tvm_ffi")

import jax.numpy as jnp  # noqa: E402  (after importorskip)
from mlir_gs.integrations import jax as gs  # noqa: E402  (after importorskip)

RNG = np.random.default_rng(20261121)
SHAPES = [
    ((5,), (3,), 0), ((4, 6), (4, 3), 1), ((4, 6), (3, 6), 0), ((3, 4, 5), (3, 2, 5), 1),
    ((3, 4, 5), (3, 4, 7), -1), ((3, 4, 5), (2, 4, 5), -3), ((1, 4, 5), (3, 2, 5), 1),
    ((3, 4, 1), (3, 2, 5), 1), ((3, 4, 5), (1, 2, 1), 1), ((4, 6), (5,), None),
    ((4, 6), (4, 0), 1), ((1, 1, 5), (2, 3, 4), 2), ((3, 4, 5), (3, 2, 1), 1),
    ((3, 4, 5, 2), (3, 2, 5, 1), 1), ((3, 4, 5, 2), (3, 1, 1, 1), -3),
]  # fmt: skip


def drawn(shape: Any) -> Any:
    return jnp.asarray(RNG.standard_normal(shape), jnp.float32)


def indices(source: Any, shape: Any, axis: int | None, dtype: str = "int32") -> Any:
    """Inside of the axis, from either end."""
    size = int(np.prod(source)) if axis is None else source[axis]
    return jnp.asarray(RNG.integers(-size, size, shape), dtype)


def equal(found: Any, wanted: Any) -> None:
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize(("shape", "at", "axis"), SHAPES)
def test_take(shape: Any, at: Any, axis: int | None) -> None:
    x, i = drawn(shape), indices(shape, at, axis)
    wanted = jnp.take_along_axis(x, i, axis)
    equal(gs.take_along_axis(x, i, axis), wanted)
    equal(jax.jit(gs.take_along_axis, static_argnums=2)(x, i, axis), wanted)
    equal(gs.take_along_axis(x, i.astype("int8"), axis), wanted)


@pytest.mark.parametrize("mode", ["fill", "clip"])
def test_modes(mode: str) -> None:
    x, i = drawn((3, 4, 5)), jnp.asarray(RNG.integers(-9, 9, (3, 6, 5)))
    equal(gs.take_along_axis(x, i, 1, mode=mode), jnp.take_along_axis(x, i, 1, mode=mode))
    equal(
        gs.take_along_axis(x, i, 1, fill_value=7.0),
        jnp.take_along_axis(x, i, 1, mode="fill", fill_value=7.0),
    )


@pytest.mark.parametrize(("shape", "at", "axis"), SHAPES)
def test_derivatives(shape: Any, at: Any, axis: int | None) -> None:
    x, i = drawn(shape), indices(shape, at, axis)
    weights = drawn(jnp.take_along_axis(x, i, axis).shape)

    def loss(take: Any) -> Any:
        return lambda x: (jnp.sin(take(x, i, axis)) * weights).sum()

    for derivative in (jax.grad, jax.jacfwd):
        found = derivative(loss(gs.take_along_axis))(x)
        np.testing.assert_allclose(
            found, derivative(loss(jnp.take_along_axis))(x), rtol=1e-5, atol=1e-6
        )


@pytest.mark.parametrize("mapped", [(0, 0), (1, None), (None, 2), (2, 1)])
def test_vmap(mapped: Any) -> None:
    x = drawn((3, 3, 3, 4) if mapped[0] is not None else (3, 3, 4))
    i = indices((3,), (3, 3, 3, 4) if mapped[1] is not None else (3, 3, 4), 0)
    for axis in (0, 1):
        found = jax.vmap(lambda x, i, a=axis: gs.take_along_axis(x, i, a), mapped)(x, i)
        equal(found, jax.vmap(lambda x, i, a=axis: jnp.take_along_axis(x, i, a), mapped)(x, i))


@pytest.mark.parametrize(("shape", "at", "axis"), [s for s in SHAPES if 1 not in s[0]])
def test_put(shape: Any, at: Any, axis: int | None) -> None:
    """Distinct coordinates: JAX gives no order for others."""
    size = int(np.prod(shape)) if axis is None else shape[axis]
    order = RNG.permuted(np.broadcast_to(np.arange(size), (64, size)), axis=1)
    count = at[0] if axis is None else at[axis]
    if count > size:
        count = size
    lines = [n for d, n in enumerate(at) if axis is not None and d != axis % len(at)]
    i = order[: int(np.prod(lines))][:, :count].reshape(*lines, count)
    i = jnp.asarray(i if axis is None else np.moveaxis(i, -1, axis))
    x, v = drawn(shape), drawn(i.shape)
    wanted = jnp.put_along_axis(x, i, v, axis, inplace=False)
    equal(gs.put_along_axis(x, i, v, axis), wanted)
    equal(gs.put_along_axis(x, i, 3, axis), jnp.put_along_axis(x, i, 3, axis, inplace=False))
    grads = [
        jax.grad(lambda x, v, p=put: (p(x, v) ** 2).sum(), (0, 1))(x, v)
        for put in (
            lambda x, v: gs.put_along_axis(x, i, v, axis),
            lambda x, v: jnp.put_along_axis(x, i, v, axis, inplace=False),
        )
    ]
    for found, right in zip(*grads, strict=True):
        np.testing.assert_allclose(found, right, rtol=1e-6)


def test_put_that_adds() -> None:
    x, i, v = drawn((3, 4)), jnp.asarray(RNG.integers(-6, 6, (3, 9))), drawn((3, 9))
    wanted = np.array(x)
    for row, column in np.ndindex(3, 9):
        if -4 <= i[row, column] < 4:
            wanted[row, i[row, column]] += v[row, column]
    np.testing.assert_array_equal(gs.put_along_axis(x, i, v, 1, "add"), wanted)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: gs.take_along_axis(x, jnp.zeros((3,), int), 0), "must have rank 2, found 1"),
        (lambda x: gs.take_along_axis(x, jnp.zeros((4, 2), int), 1), "do not fit source"),
        (lambda x: gs.take_along_axis(x, jnp.zeros((3, 2)), 1), "indices must be integers"),
        (lambda x: gs.take_along_axis(x, jnp.zeros((3, 2), int), 2), "out of range for rank 2"),
        (lambda x: gs.put_along_axis(x, jnp.zeros((3, 2), int), jnp.zeros(3), 1), "do not fit ind"),
        (lambda x: gs.put_along_axis(x[:1], jnp.zeros((3, 2), int), 0, 1), "do not fit dest"),
    ],
)
def test_what_does_not_fit(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call(drawn((3, 4)))
