"""Functions of JAX that index, each with arguments: what users write, as JAX lowers it.

`PROGRAMS` maps a name to a function of the modules (jax, jax.numpy) that gives the function to jit
and what to call it with. Numbers are small integers, so that results are exact.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Program = Callable[[Any, Any], tuple[Callable[..., Any], Sequence[Any]]]
PROGRAMS: dict[str, Program] = {}

X = np.arange(24, dtype=np.float32).reshape(4, 6) - 7
ROWS = np.array([1, 2, 9, -1, -9, 2], np.int32)
COLUMNS = np.array([0, 5, 1, -2, 6, 0], np.int32)
INSIDE = np.array([3, 0, 2], np.int32)
MODES = ("fill", "clip", "promise_in_bounds", "drop")
DTYPES = (
    "float32", "float16", "bfloat16", "int8", "int16", "int32", "uint8", "uint16", "uint32",
    "bool", "complex64",
)  # fmt: skip


def program(name: str, *arguments: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register `make(jax, jnp)`, which returns the function to jit."""

    def register(make: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[name] = lambda jax, jnp: (make(jax, jnp), arguments)
        return make

    return register


def _plain(name: str, function: Callable[..., Any], *arguments: Any) -> None:
    PROGRAMS[name] = lambda jax, jnp: (function, arguments)


_plain("x[i]", lambda x, i: x[i], X, ROWS)
_plain("x[:, i]", lambda x, i: x[:, i], X, COLUMNS)
_plain("x[i, j]", lambda x, i, j: x[i, j], X, ROWS, COLUMNS)
_plain("x[i[:, None], j]", lambda x, i, j: x[i[:, None], j], X, ROWS, COLUMNS)
_plain("x[i, 1:4]", lambda x, i: x[i, 1:4], X, INSIDE)
_plain("x[i0]", lambda x, i: x[i[0]], X, INSIDE)
_plain("x[None, i, ..., None]", lambda x, i: x[None, i, ..., None], X, INSIDE)
_plain("x[1:4:2, ::-1]", lambda x: x[1:4:2, ::-1], X)
_plain("x[2:2]", lambda x: x[2:2], X)
_plain("x[i][j]", lambda x, i: x[i][i], X, INSIDE)
_plain("x[scalar, i]", lambda x, i: x[i[0], i], X, INSIDE)
_plain("3-d x[:, i, j]", lambda x, i: x.reshape(2, 3, 4)[:, i % 3, i], X, INSIDE)
_plain("3-d x[i, :, j]", lambda x, i: x.reshape(3, 2, 4)[i % 3, :, i], X, INSIDE)
_plain("at set scalar", lambda x, i: x.at[i[0], 2].set(5), X, INSIDE)
_plain("at[1:3, i].set", lambda x, i: x.at[1:3, i[0]].set(2), X, INSIDE)
_plain("at[::2].add", lambda x: x.at[::2].add(1), X)
_plain("at[i, j].add", lambda x, i, j: x.at[i, j].add(3), X, ROWS, COLUMNS)
_plain("at rows", lambda x, i: x.at[i].add(x[: i.shape[0]] * 2), X, INSIDE)
_plain("at columns", lambda x, i: x.at[:, i].multiply(2), X, COLUMNS)
_plain("at apply", lambda x, i: x.at[i].apply(lambda e: e * 2 - 3), X, ROWS)
_plain("at divide", lambda x, i: x.at[i].divide(4), X, INSIDE)
_plain("at power", lambda x, i: x.at[i].power(2), X, INSIDE)
_plain("at subtract", lambda x, i: x.at[i].subtract(1), X, ROWS)
_plain(
    "unique and sorted",
    lambda x, i: x.at[i].add(1, unique_indices=True, indices_are_sorted=True),
    X,
    np.array([0, 2, 3], np.int32),
)
for _mode in MODES:
    _plain(f"get {_mode}", lambda x, i, m=_mode: x.at[i].get(mode=m),
           X, INSIDE if _mode == "promise_in_bounds" else ROWS)  # fmt: skip
    _plain(f"set {_mode}", lambda x, i, m=_mode: x.at[i].set(x[:3] * 2, mode=m), X, INSIDE)
    for _name in ("add", "multiply", "min", "max"):
        _plain(f"{_name} {_mode}", lambda x, i, m=_mode, n=_name: getattr(x.at[i], n)(4, mode=m),
               X, INSIDE if _mode == "promise_in_bounds" else ROWS)  # fmt: skip
_plain("get fill_value", lambda x, i: x.at[i].get(mode="fill", fill_value=3), X, ROWS)
_plain("get wrap_negative_indices", lambda x, i: x.at[i].get(wrap_negative_indices=False), X, ROWS)


def _by_dtype(dtype: str) -> None:
    @program(f"get and set {dtype}", X, ROWS)
    def get_and_set(jax: Any, jnp: Any) -> Any:
        def function(x: Any, i: Any) -> Any:
            typed, one = (x % 5).astype(dtype), jnp.ones((), dtype)
            return typed.at[i].get(mode="fill"), typed.at[i].set(one), typed.at[i].min(one)

        def complex_function(x: Any, i: Any) -> Any:
            typed = (x + 1j).astype(dtype)
            return typed.at[i].get(mode="fill"), typed.at[i].add(2j), typed.at[i].multiply(2j)

        return complex_function if dtype.startswith("complex") else function


for _dtype in DTYPES:
    _by_dtype(_dtype)
for _kind in ("int8", "int16", "int32", "uint8", "uint16", "uint32"):
    _plain(f"indices {_kind}", lambda x, i: (x[i], x.at[i].add(1)), X,
           np.array([3, 0, 120, 2]).astype(_kind))  # fmt: skip


@program("take", X, ROWS)
def _take(jax: Any, jnp: Any) -> Any:
    return lambda x, i: [
        jnp.take(x, i),
        jnp.take(x, i, axis=1),
        jnp.take(x, i, axis=0, mode="clip"),
        jnp.take(x, i, axis=0, mode="wrap"),
        jnp.take(x, i, axis=-1, mode="fill", fill_value=-1),
    ]


@program("take_along_axis", X, np.array([[0, 1, 2, 3, 0, 1], [1, 1, 1, 1, 9, -1]], np.int32))
def _take_along_axis(jax: Any, jnp: Any) -> Any:
    return lambda x, i: [
        jnp.take_along_axis(x, i, axis=0),
        jnp.take_along_axis(x, i.T[:4], axis=1),
        jnp.take_along_axis(x[None], i[None], axis=1, mode="clip"),
        jnp.take_along_axis(x, i.reshape(-1), axis=None),
    ]


@program("put_along_axis", X, np.array([[0, 1, 2, 3, 0, 1], [1, 2, 1, 1, 3, 0]], np.int32))
def _put_along_axis(jax: Any, jnp: Any) -> Any:
    return lambda x, i: [
        jnp.put_along_axis(x, i, 7.0, axis=0, inplace=False),
        jnp.put_along_axis(x, i[:, :2].repeat(2, 0), 7.0, axis=1, inplace=False),
    ]


@program("dynamic slices", X, INSIDE)
def _dynamic_slices(jax: Any, jnp: Any) -> Any:
    lax = jax.lax
    return lambda x, i: [
        lax.dynamic_slice(x, (i[0], i[1]), (2, 3)),
        lax.dynamic_slice_in_dim(x, i[0], 2, axis=1),
        lax.dynamic_index_in_dim(x, i[2], axis=0, keepdims=False),
        lax.dynamic_update_slice(x, x[:2, :2] * 9, (i[0], i[1])),
        lax.dynamic_update_index_in_dim(x, x[0] * 2, i[0], 0),
        lax.slice(x, (1, 2), (4, 6), (2, 3)),
    ]


@program("segments", X, np.array([0, 2, 2, 7], np.int32))
def _segments(jax: Any, jnp: Any) -> Any:
    ops = jax.ops
    return lambda x, i: [
        ops.segment_sum(x, i, 4),
        ops.segment_max(x, i, 4),
        ops.segment_min(x, i, 4),
        ops.segment_prod(x, i, 4),
        ops.segment_sum(x, i, 8, indices_are_sorted=True),
        jnp.bincount(i, length=5),
    ]


@program("gradients", X, ROWS)
def _gradients(jax: Any, jnp: Any) -> Any:
    return lambda x, i: [
        jax.grad(lambda v: (v[i] ** 2).sum())(x),
        jax.grad(lambda v: (v.at[i[:2]].multiply(3) ** 2).sum())(x),
        jax.vmap(lambda row, k: row[k])(x, i[:4]),
        jax.vmap(lambda row, k: row.at[k].add(5))(x, i[:4]),
        jax.vmap(lambda k: x[k], out_axes=1)(i),
        jax.vmap(lambda row: row[i], in_axes=1)(x),
    ]


@program("searching", X, ROWS)
def _searching(jax: Any, jnp: Any) -> Any:
    return lambda x, i: [
        jnp.nonzero(i > 1, size=4, fill_value=0)[0],
        jnp.where(i > 1, x[i, 0], 0),
        jnp.select([i > 1, i < 0], [i, -i], 5),
        jnp.roll(x, i[0], axis=1),
        jnp.diag(x[:4, :4]),
        jnp.tril(x),
    ]


@program("loops", X, INSIDE)
def _loops(jax: Any, jnp: Any) -> Any:
    lax = jax.lax
    return lambda x, i: [
        lax.fori_loop(0, 4, lambda k, c: c + x[k], jnp.zeros(6)),
        lax.scan(lambda c, k: (c.at[k].add(1), c[k]), x, i),
        lax.map(lambda k: x[k] * 2, i),
        lax.cond(i[0] > 1, lambda: x[i], lambda: x[:3]),
        lax.switch(i[0], [lambda: x[0], lambda: x[1], lambda: x[i[1]]]),
        lax.while_loop(lambda c: c[1].sum() < 300, lambda c: (c[0] + 1, c[1] * 2), (0, abs(x))),
    ]


@program("loops through coordinates", X, np.array([3, -1, 7, -9, 0, -8, -5, 2, 5], np.int32))
def _loops_through_coordinates(jax: Any, jnp: Any) -> Any:
    """Coordinates that no step changes, negative ones and those out of bounds among them."""

    def reached(i: Any, j: Any) -> Any:
        def step(state: Any) -> Any:
            front, k = state
            return front | jnp.zeros(7, bool).at[j].max(front[i]), k + 1

        return jax.lax.while_loop(lambda s: s[1] < 3, step, (jnp.arange(7) == 2, 0))

    def passed(x: Any, i: Any, steps: Any) -> Any:
        def step(k: Any, x: Any) -> Any:
            late = jax.lax.fori_loop(0, k, lambda _, y: y.at[i].set(y[i[::-1]] + 1), x)
            return x.at[i + k, 1].add(late[i, 0], mode="drop")

        return jax.lax.fori_loop(0, steps, step, x)

    wide = jnp.arange(100.0)
    return lambda x, i: [
        reached(i, i[::-1]),
        passed(x, i, 3),
        passed(x, i.reshape(3, 3)[1:].reshape(-1), i[0]),
        passed(x, i, i[1]),
        jax.lax.fori_loop(0, 3, lambda _, w: w + w[(i * 14).astype(jnp.int8)].sum(), wide),
    ]


@program("sorting", X % 5, ROWS)
def _sorting(jax: Any, jnp: Any) -> Any:
    return lambda x, i: [
        jnp.sort(x, axis=1),
        jnp.sort(x, axis=0, descending=True),
        jnp.argsort(x, axis=0),
        jnp.lexsort((i % 2, i % 3)),
        jax.lax.top_k(x, 3),
        jnp.unique(i, size=6),
        jnp.median(x, axis=1),
        jnp.searchsorted(jnp.sort(i), i),
        x[jnp.argsort(x[:, 1])],
    ]


@program("experts", X, np.array([[3, 1, 0, 2], [0, 0, 5, 5], [2, 2, 2, 9]], np.float32))
def _experts(jax: Any, jnp: Any) -> Any:
    """The routing of a mixture of experts: each row of x goes to two of four experts."""

    def route(x: Any, scores: Any) -> Any:
        weights, experts = jax.lax.top_k(scores, 2)
        tokens = x[: scores.shape[0]]
        slots = jnp.cumsum(jax.nn.one_hot(experts.reshape(-1), 4, dtype=jnp.int32), axis=0)
        slot = jnp.take_along_axis(slots, experts.reshape(-1, 1), axis=1)[:, 0] - 1
        inputs = (
            jnp.zeros((4, 2, x.shape[1]))
            .at[experts.reshape(-1), slot]
            .set(jnp.repeat(tokens, 2, axis=0), mode="drop")
        )
        outputs = inputs * jnp.arange(1, 5)[:, None, None]
        picked = outputs.at[experts.reshape(-1), slot].get(mode="fill", fill_value=0)
        return (picked.reshape(3, 2, -1) * weights[..., None]).sum(axis=1), inputs

    return route
