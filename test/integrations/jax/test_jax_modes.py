"""Modes, fill values and dtypes of indices of the functions of JAX, against jax.numpy."""

from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("jax_tvm_ffi")

import jax.numpy as jnp  # noqa: E402  (after importorskip)
from mlir_gs.integrations import jax as gs  # noqa: E402  (after importorskip)

X = jnp.arange(12.0).reshape(3, 4)
FAR = jnp.array([-9, -5, -4, -1, 0, 3, 4, 17])


def equal(found: Any, wanted: Any) -> None:
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))


@pytest.mark.parametrize("mode", [None, "fill", "clip", "wrap"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_take(mode: str | None, axis: int | None) -> None:
    equal(gs.take(X, FAR, axis, mode=mode), jnp.take(X, FAR, axis=axis, mode=mode))
    equal(gs.take(X, FAR, mode=mode), jnp.take(X, FAR, mode=mode))


@pytest.mark.parametrize("mode", ["fill", "clip"])
def test_take_along_axis_counts_from_the_end_before_it_clips(mode: str) -> None:
    rows = jnp.stack([FAR] * 3)
    wanted = jnp.take_along_axis(X, rows, 1, mode=mode)
    equal(gs.take_along_axis(X, rows, 1, mode=mode), wanted)
    equal(gs.take_along_axis(X, rows, 1, mode="wrap"), X[:, FAR % 4])


def test_mode_wrap_of_the_rest() -> None:
    pairs = jnp.array([[-1, 5], [7, -9]])
    equal(gs.gather(X, pairs, gather_dims=(0, 1), mode="wrap"), X[pairs[:, 0] % 3, pairs[:, 1] % 4])
    rows, updates = jnp.array([-1, 7, 3]), jnp.ones((3, 4))
    equal(gs.scatter_add(X, rows[:, None], updates, mode="wrap"), X.at[rows % 3].add(1))
    equal(
        gs.put_along_axis(X, rows[:, None], 9, 1, mode="wrap"), X.at[jnp.arange(3), rows % 4].set(9)
    )
    wanted = jax.ops.segment_sum(updates, rows % 2, 2)
    equal(gs.segment_sum(updates, rows, 2, mode="wrap"), wanted)
    equal(gs.segment_sum(updates, rows), jax.ops.segment_sum(updates, rows))


def test_a_type_of_indices_that_holds_no_size_of_the_axis() -> None:
    x = jnp.arange(200.0)
    for dtype, numbers in (("int8", [-128, -1, 127]), ("uint8", [0, 199, 255]), ("int4", [-8, 7])):
        wide = jnp.array(numbers)
        for mode in ("fill", "clip", "wrap"):
            wanted = jnp.take(x, wide, mode=mode)
            equal(gs.take(x, jnp.array(numbers, dtype), mode=mode), wanted)
    equal(gs.take(x, jnp.array([True, False])), x[jnp.array([1, 0])])


@pytest.mark.parametrize("transform", [jax.grad, jax.jacfwd])
def test_derivatives_and_batches_of_mode_wrap(transform: Any) -> None:
    weights = jnp.arange(1.0, 9)
    ours, theirs = (
        jax.vmap(transform(lambda x, i, t=take: jnp.vdot(t(x, i, mode="wrap") ** 2, weights)))
        for take in (gs.take, jnp.take)
    )
    rows = jnp.stack([FAR, FAR[::-1], FAR])
    equal(ours(X, rows), theirs(X, rows))


@pytest.mark.parametrize(
    ("dtype", "values"),
    [
        ("complex64", [None, 3, 3 + 1j, 1j, np.nan, np.complex64(2j), jnp.float32(2)]),
        ("float32", [None, 2, -0.0, np.nan, np.inf, True, np.float64(2)]),
        ("int32", [None, 2.7, -1, True]),
        ("uint8", [None, 300, 7]),
        ("float4_e2m1fn", [None, 1.5]),
        ("int4", [None, -3]),
    ],
)
def test_fill_values(dtype: str, values: list[Any]) -> None:
    x, out = jnp.arange(3).astype(dtype), jnp.array([5, 1])
    for value in values:
        static = value.item() if isinstance(value, jax.Array) else value
        wanted = np.asarray(jnp.take(x, out, fill_value=static))
        for found in (
            gs.take(x, out, fill_value=value),
            gs.gather(x, out[:, None], fill_value=value),
            gs.take_along_axis(x, out, 0, fill_value=value),
        ):
            assert found.dtype == wanted.dtype
            if np.isnan(wanted.astype(complex)).any():
                np.testing.assert_array_equal(np.asarray(found), wanted)
            else:
                assert np.asarray(found).tobytes() == wanted.tobytes()


def test_a_zero_of_each_sign() -> None:
    for value in (0.0, -0.0, 0.0):
        equal(1 / gs.take(X, jnp.array([99]), fill_value=value), 1 / jnp.array([value]))


def test_fill_values_that_are_refused() -> None:
    out = jnp.array([9])
    with pytest.raises(TypeError, match="fill_value must be static, found a traced value"):
        jax.jit(lambda v: gs.take(X, out, fill_value=v))(1.0)
    with pytest.raises(ValueError, match="fill_value must be one number, found an array of shape"):
        gs.take(X, out, fill_value=[1.0, 2.0])
    with pytest.raises(TypeError, match="fill_value must be real numbers"):
        gs.take(X, out, fill_value=1j)


def test_a_not_a_number_is_compiled_for_once() -> None:
    from mlir_gs.integrations.jax.slices import _target

    out = jnp.array([9])
    gs.take(X, out, 1, fill_value=float("nan"))
    before = _target.cache_info().misses
    gs.take(X, out, 1, fill_value=-float("nan") * 0)
    gs.take(X, out, 1, fill_value=float("nan"))
    assert _target.cache_info().misses <= before + 1


def test_unsigned_indices_of_64_bits() -> None:
    with jax.enable_x64(True):
        x, far = jnp.arange(5.0), jnp.array([2**64 - 1, 2**63, 1], jnp.uint64)
        equal(gs.take(x, far), jnp.array([jnp.nan, jnp.nan, 1]))
        equal(gs.take(x, far, mode="clip"), jnp.array([4.0, 4, 1]))
        equal(gs.take(x, far, mode="wrap"), jnp.array([0.0, 3, 1]))
        equal(gs.take_along_axis(x, far, 0), jnp.array([jnp.nan, jnp.nan, 1]))
        equal(gs.put_along_axis(x, far, 9, 0), jnp.array([0.0, 9, 2, 3, 4]))
        equal(gs.segment_sum(x[:3], far, 3), jnp.array([0.0, 2, 0]))


def test_modes_as_jax_enumerates_them() -> None:
    mode = jax.lax.GatherScatterMode
    equal(gs.take(X, FAR, 0, mode=mode.CLIP), jnp.take(X, FAR, axis=0, mode="clip"))
    equal(gs.take(X, FAR, 0, mode=mode.FILL_OR_DROP), jnp.take(X, FAR, axis=0))
    wanted = X.at[FAR].set(1, mode="drop", wrap_negative_indices=False)
    found = gs.scatter(X, FAR[:, None], jnp.ones((8, 4)), mode=mode.FILL_OR_DROP)
    equal(found, wanted)


def test_nothing_to_clip_or_wrap_to() -> None:
    empty, one = X[:0], jnp.array([[0]])
    for mode in ("clip", "wrap", "error"):
        with pytest.raises(IndexError, match=f"size 0 has no element: mode '{mode}' needs one"):
            gs.gather(empty, one, mode=mode)
        assert gs.gather(empty, one[:0], mode=mode).shape == (0, 4)
    assert jnp.isnan(gs.gather(empty, one)).all()
    with pytest.raises(IndexError, match="size 0 has no element: mode 'error' needs one"):
        gs.scatter(empty, one, X[:1], mode="error")
    assert gs.scatter(empty, one, X[:1]).shape == (0, 4)


def test_num_segments_of_traced_ids() -> None:
    with pytest.raises(TypeError, match="num_segments is needed where segment_ids are traced"):
        jax.jit(lambda i: gs.segment_sum(X, i))(jnp.array([0, 1, 1]))


@pytest.mark.parametrize("name", ["min", "max", "mul"])
def test_complex_numbers_as_jax_combines_them(name: str) -> None:
    rng = np.random.default_rng(3)
    dest, updates = (jnp.asarray(rng.integers(-2, 3, (n, 2, 2)) @ [1, 1j], "complex64")
                     for n in (5, 9))  # fmt: skip
    dest = dest.at[0, 0].set(jnp.nan)
    rows = rng.integers(0, 6, 9)
    wanted = getattr(dest.at[rows], {"mul": "multiply"}.get(name, name))(updates)
    equal(gs.scatter(dest, rows[:, None], updates, name), wanted)
