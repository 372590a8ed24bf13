"""gather, scatter, take and segment_sum against JAX: values, derivatives, vmap."""

import itertools
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("jax_tvm_ffi")

import jax.numpy as jnp  # noqa: E402  (after importorskip)
from mlir_gs.integrations import jax as gs  # noqa: E402  (after importorskip)

DTYPES = [
    "bool", "int4", "uint4", "uint8", "int32", "bfloat16", "complex64", "float8_e4m3fn",
    "float8_e3m4", "float8_e8m0fnu",
]  # fmt: skip


def drawn(shape: Any, dtype: Any = "float32", seed: int = 20261120) -> Any:
    rng = np.random.default_rng(seed)
    if jnp.issubdtype(dtype, jnp.complexfloating):
        return jnp.asarray(rng.normal(size=shape) + 1j * rng.normal(size=shape), dtype)
    return jnp.asarray(rng.integers(1, 7, shape)).astype(dtype)


def equal(found: Any, wanted: Any) -> None:
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    if found.dtype.name not in ("float32", "complex64") and jnp.issubdtype(
        found.dtype, jnp.floating
    ):
        # NumPy knows no NaN of these.
        found, wanted = found.astype("float32"), wanted.astype("float32")
    np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))


def close(found: Any, wanted: Any) -> None:
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)


INDICES = jnp.array([[0, -1, 9], [2, 2, -7]])


@pytest.mark.parametrize("dtype", DTYPES)
def test_take_of_each_dtype(dtype: str) -> None:
    source = drawn((6, 5), dtype)
    inside = jnp.array([[5, 0], [-6, -1]])
    equal(gs.take(source, inside, 0), source[inside])


def test_take_clips() -> None:
    source = drawn((6, 5))
    wanted = jnp.take(source, INDICES, axis=0, mode="clip")
    equal(wanted[0, 1], source[0])
    equal(gs.take(source, INDICES, 0, mode="clip"), wanted)


@pytest.mark.parametrize("dtype", ["bool", "int4", "uint4", "uint8", "int32", "bfloat16"])
def test_take_fills_as_jax_does(dtype: str) -> None:
    source = drawn((6, 5), dtype)
    equal(gs.take(source, INDICES, 0), jnp.take(source, INDICES, axis=0))


def test_take_fills_with_a_value() -> None:
    source = drawn((6, 5))
    wanted = jnp.take(source, INDICES, axis=1, fill_value=-2.0)
    equal(gs.take(source, INDICES, 1, fill_value=-2.0), wanted)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("indices", [3, [1, 4], [[0, 1], [2, -3]], np.zeros((0,), int)])
def test_take_along_each_axis(axis: int, indices: Any) -> None:
    source = drawn((6, 5, 7))
    indices = jnp.asarray(indices, jnp.int32)
    equal(gs.take(source, indices, axis), jnp.take(source, indices, axis=axis))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "uint32"])
def test_indices_of_each_dtype(dtype: str) -> None:
    source = drawn((120, 2))
    indices = jnp.array([0, 7, 119], dtype)
    equal(gs.take(source, indices, 0), source[indices])


def test_several_dims_are_addressed() -> None:
    source = drawn((4, 5, 6))
    pairs = jnp.array([[0, 5], [3, 2], [1, 1]])
    equal(gs.gather(source, pairs, gather_dims=(0, 2)), source[pairs[:, 0], :, pairs[:, 1]])
    batches = jnp.array([[[1]], [[4]], [[0]], [[2]]])
    found = gs.gather(source, batches, gather_dims=(1,), batch_dims=1)
    equal(found, jnp.take_along_axis(source, batches, 1))


COMBINED = {
    None: lambda at, updates: at.set(updates),
    "add": lambda at, updates: at.add(updates),
    "mul": lambda at, updates: at.multiply(updates),
    "min": lambda at, updates: at.min(updates),
    "max": lambda at, updates: at.max(updates),
}


@pytest.mark.parametrize("dtype", ["uint8", "int32", "bfloat16", "complex64"])
@pytest.mark.parametrize("name", COMBINED)
def test_scatter(dtype: str, name: str | None) -> None:
    dest, updates = drawn((6, 5), dtype), drawn((4, 5), dtype, 1)
    # JAX leaves open which of repeated coordinates is set.
    rows = jnp.array([3, 5, 9, 0] if name is None else [3, 3, 9, 0])
    if (dtype, name) == ("complex64", "mul"):
        # XLA rounds products of complex numbers together with their sums.
        dest, updates = jnp.round(dest), jnp.round(updates)
    found = jax.jit(lambda *a: gs.scatter(*a, name))(dest, rows[:, None], updates)
    equal(found, COMBINED[name](dest.at[rows], updates))


def test_bools_add_as_or() -> None:
    dest, rows = jnp.array([False, True]), jnp.array([[0], [0], [1]])
    equal(gs.scatter_add(dest, rows, jnp.ones(3, bool)), jnp.array([True, True]))


def test_the_last_of_repeated_coordinates_stays() -> None:
    rows = jnp.array([[1], [1], [1]])
    found = gs.scatter(jnp.zeros(3), rows, jnp.array([1.0, 2.0, 3.0]))
    equal(found, jnp.array([0.0, 3.0, 0.0]))


def test_segment_sum() -> None:
    data, ids = drawn((4, 3, 5)), jnp.array([[0, 2, 9], [2, 2, 0], [-1, 1, 1], [0, 0, 2]])
    wanted = jax.ops.segment_sum(data.reshape(12, 5), ids.reshape(12), 4)
    equal(gs.segment_sum(data, ids, 4), wanted)


@pytest.mark.parametrize(("axis", "mode"), [(0, "clip"), (1, "fill")])
def test_derivatives_of_take(axis: int, mode: str) -> None:
    source, indices = drawn((6, 5)), jnp.array([[0, 4], [2, 2], [1, 8]])

    def ours(source: Any) -> Any:
        return jnp.sin(gs.take(source, indices, axis, mode=mode, fill_value=1.0)).sum(axis)

    def theirs(source: Any) -> Any:
        found = jnp.take(source, indices, axis=axis, mode=mode, fill_value=1.0)
        return jnp.sin(found).sum(axis)

    for derivative in (jax.jacrev, jax.jacfwd):
        close(jax.jit(derivative(ours))(source), derivative(theirs)(source))
    hessians = [jax.jacfwd(jax.grad(lambda s, f=f: f(s).sum())) for f in (ours, theirs)]
    close(hessians[0](source), hessians[1](source))


@pytest.mark.parametrize("name", [None, "add"])
def test_derivatives_of_scatter(name: str | None) -> None:
    dest, updates = drawn((6, 5)), drawn((4, 5), seed=1)
    rows = jnp.array([3, 5, 9, 0] if name is None else [3, 3, 9, 0])

    def ours(dest: Any, updates: Any) -> Any:
        return jnp.sin(gs.scatter(dest, rows[:, None], updates, name)).sum(1)

    def theirs(dest: Any, updates: Any) -> Any:
        return jnp.sin(COMBINED[name](dest.at[rows], updates)).sum(1)

    for derivative, number in itertools.product((jax.jacrev, jax.jacfwd), (0, 1)):
        wanted = derivative(theirs, number)(dest, updates)
        close(jax.jit(derivative(ours, number))(dest, updates), wanted)


def test_only_updates_that_stay_have_a_derivative() -> None:
    rows = jnp.array([[1], [2], [1]])
    weights = jnp.array([1.0, 10.0, 100.0])

    def loss(dest: Any, updates: Any) -> Any:
        return (gs.scatter(dest, rows, updates) * weights).sum()

    to_dest, to_updates = jax.grad(loss, (0, 1))(jnp.ones(3), jnp.ones(3))
    equal(to_dest, jnp.array([1.0, 0.0, 0.0]))
    equal(to_updates, jnp.array([0.0, 100.0, 10.0]))


def test_a_scatter_without_a_derivative_says_so() -> None:
    rows = jnp.array([[1]])
    with pytest.raises(NotImplementedError, match="a scatter with max has no derivative"):
        jax.grad(lambda u: gs.scatter(jnp.zeros(3), rows, u, "max").sum())(jnp.ones(1))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("mapped", [(0, 0), (-1, 1), (1, None), (-1, None), (None, 0), (None, -1)])
def test_vmap_of_take(axis: int, mapped: Any) -> None:
    source, indices = drawn((4, 4, 4)), drawn((4, 4), "int32", 1) % 4
    # What is not mapped has one dim less.
    source = source if mapped[0] is not None else source[0]
    indices = indices if mapped[1] is not None else indices[0]
    found = jax.vmap(lambda s, i: gs.take(s, i, axis), mapped)(source, indices)
    equal(found, jax.vmap(lambda s, i: jnp.take(s, i, axis=axis), mapped)(source, indices))


@pytest.mark.parametrize(
    "mapped",
    [(0, 0, 0), (-1, 0, 1), (None, 0, 0), (0, None, None), (1, None, -1), (None, None, 0)],
)
def test_vmap_of_scatter(mapped: Any) -> None:
    shapes, dtypes = [(4, 5), (4,), (4, 5)], ["float32", "int32", "float32"]
    arrays = []
    for number, (shape, axis, dtype) in enumerate(zip(shapes, mapped, dtypes, strict=True)):
        axis = axis if axis != -1 else len(shape)
        full = shape if axis is None else (*shape[:axis], 3, *shape[axis:])
        arrays.append(drawn(full, dtype, number) % 5)
    found = jax.vmap(lambda d, i, u: gs.scatter_add(d, i[:, None], u), mapped)(*arrays)
    equal(found, jax.vmap(lambda d, i, u: d.at[i].add(u), mapped)(*arrays))


def test_vmap_twice_and_of_batches() -> None:
    source, indices = drawn((3, 2, 4, 5)), drawn((3, 2, 6), "int32", 1) % 4
    twice = jax.vmap(jax.vmap(lambda s, i: gs.take(s, i, 0)))
    equal(twice(source, indices), jax.vmap(jax.vmap(lambda s, i: s[i]))(source, indices))
    for axes in ((0, None), (None, 0), (3, 1)):
        s = source if axes[0] is not None else source[0]
        i = indices[..., None] if axes[1] is not None else indices[0][..., None]
        if axes == (3, 1):
            s, i = jnp.moveaxis(source, 0, 3), jnp.moveaxis(i, 0, 1)

        def one(s: Any, i: Any) -> Any:
            return gs.gather(s, i, gather_dims=(1,), batch_dims=1)

        def other(s: Any, i: Any) -> Any:
            return jax.vmap(lambda t, j: t[j[..., 0]])(s, i)

        equal(jax.vmap(one, axes)(s, i), jax.vmap(other, axes)(s, i))


def test_gradient_under_vmap() -> None:
    tables, indices = drawn((3, 6, 5)), drawn((3, 4), "int32", 1) % 6
    ours = jax.jit(jax.vmap(jax.grad(lambda t, i: jnp.sin(gs.take(t, i, 0)).sum())))
    theirs = jax.vmap(jax.grad(lambda t, i: jnp.sin(t[i]).sum()))
    close(ours(tables, indices), theirs(tables, indices))


def test_a_scatter_in_jit_is_in_place() -> None:
    step = jax.jit(lambda d, i, u: gs.scatter_add(d, i, u), donate_argnums=0)
    dest, rows, updates = drawn((64, 5)), jnp.array([[3], [3]]), drawn((2, 5), seed=1)
    wanted, address = dest.at[rows[:, 0]].add(updates), dest.unsafe_buffer_pointer()
    assert " copy(" not in step.lower(dest, rows, updates).compile().as_text()
    found = step(dest, rows, updates)
    assert found.unsafe_buffer_pointer() == address
    equal(found, wanted)


def test_what_is_used_again_is_copied() -> None:
    dest, rows, updates = drawn((64, 5)), jnp.array([[3], [3]]), drawn((2, 5), seed=1)
    before, after = jax.jit(lambda d: (d * 1, gs.scatter_add(d, rows, updates)))(dest)
    equal(before, dest)
    equal(after, dest.at[rows[:, 0]].add(updates))
    equal(dest, drawn((64, 5)))
    itself = jax.jit(lambda d: gs.scatter(d, jnp.arange(3)[::-1, None], d))(dest[:3])
    equal(itself, dest[:3][::-1])


def test_a_loop_of_scatters() -> None:
    rows, updates = jnp.array([[1], [1], [0]]), drawn((3, 5))
    looped = jax.jit(
        lambda d: jax.lax.fori_loop(0, 9, lambda _, x: gs.scatter_add(x, rows, updates), d)
    )
    wanted = jnp.zeros((4, 5)).at[rows[:, 0]].add(9 * updates)
    equal(looped(jnp.zeros((4, 5))), wanted)


def test_an_error_of_the_kernel_is_an_exception() -> None:
    take = jax.jit(lambda s, i: gs.take(s, i, 0, mode="error"))
    source = drawn((6, 5))
    equal(take(source, jnp.array([-6, 5])), source[jnp.array([0, 5])])
    # From its fast path JAX raises ValueError.
    errors = (jax.errors.JaxRuntimeError, ValueError)
    with pytest.raises(errors, match=r"coordinate 6 .* out of bounds for size 6"):
        take(source, jnp.array([0, 6])).block_until_ready()
    with pytest.raises(errors, match=r"'gs.generic' op.* out of bounds"):
        gs.scatter_add(source, jnp.array([[7]]), source[:1], mode="error").block_until_ready()


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (((6, 5), (2,)), {}, TypeError, "last dim of indices must have size 1"),
        (((6, 5), (2, 2)), {"gather_dims": (1, 0)}, TypeError, "addressed dims must ascend"),
        (((6, 5), (2, 1)), {"gather_dims": (2,)}, TypeError, "dim 2 is out of range for rank 2"),
        (((6, 5), (2, 1)), {"gather_dims": (1,), "batch_dims": 1}, TypeError, "must agree"),
        (((6, 5), (2, 1)), {"batch_dims": 3}, TypeError, "batch_dims 3 is more than"),
        (((6, 5), (2, 1)), {"mode": "drop"}, ValueError, "mode must be fill, clip"),
    ],
)
def test_what_does_not_fit(arguments: Any, options: Any, error: Any, message: str) -> None:
    source, indices = drawn(arguments[0]), jnp.zeros(arguments[1], jnp.int32)
    with pytest.raises(error, match=message):
        gs.gather(source, indices, **options)


def test_arguments_that_do_not_fit_a_scatter() -> None:
    dest, rows = drawn((6, 5)), jnp.array([[1]])
    with pytest.raises(TypeError, match=r"updates must have shape \[1, 5\], found \[1, 4\]"):
        gs.scatter(dest, rows, drawn((1, 4)))
    with pytest.raises(TypeError, match="updates must be float32 as dest, found int32"):
        gs.scatter(dest, rows, drawn((1, 5), "int32"))
    with pytest.raises(TypeError, match="indices must be integers, found float32"):
        gs.scatter(dest, rows * 1.0, drawn((1, 5)))
    with pytest.raises(ValueError, match="combiner must be None, add"):
        gs.scatter(dest, rows, drawn((1, 5)), "and")
    with pytest.raises(TypeError, match="segment_ids must have the leading dims of data"):
        gs.segment_sum(dest, jnp.zeros(4, int), 3)
