"""Drawn programs of the functions of JAX, and the same ones of jax.numpy."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax.numpy as jnp
import numpy as np
from mlir_gs.integrations import jax as gs

DTYPES = (
    *("bool", "int4", "uint4", "int8", "uint8", "int16", "int32", "uint32", "bfloat16", "float16"),
    *("float32", "float32", "complex64", "complex64", "float8_e4m3fn", "float8_e5m2"),
)
INDEX_DTYPES = ("int8", "uint8", "int16", "int32", "int32", "uint32")


@dataclass
class Program:
    """`ours` and `theirs` of an array, an index and, where `draw` gives three, updates."""

    text: str
    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    draw: Callable[[], tuple[Any, ...]]
    dtype: str


def _values(rng: random.Random, sizes: Any, dtype: str) -> Any:
    found = np.random.default_rng(rng.getrandbits(32)).integers(0, 4, sizes)
    if "complex" in dtype:
        found = found - 1j * found[::-1] if found.ndim else found + 1j
    return jnp.asarray(found).astype(dtype)


def _index(rng: random.Random, size: int, sizes: Any, dtype: str, inside: bool) -> Any:
    info = jnp.iinfo(dtype)
    count = int(np.prod(sizes))
    low = 0 if inside or info.min == 0 else -size
    found = [rng.randint(low, max(size - 1, low)) for _ in range(count)]
    if not inside:
        # JAX takes larger ones of 32 bits for negative ones.
        most = min(int(info.max), (1 << 31) - 1)
        far = [int(info.min), most, size, size + 1, 2 * size + 1, low - 1, 2 * low - 1]
        found = [rng.choice(far) if rng.random() < 0.3 else n for n in found]
        found = [min(max(n, int(info.min)), most) for n in found]
    return jnp.asarray(np.array(found, np.int64).reshape(sizes), dtype)


def _distinct(rng: random.Random, size: int, sizes: tuple[int, ...], mode: str) -> Any:
    """Along the last dim distinct places of an axis, written in several ways."""
    rows = int(np.prod(sizes[:-1]))
    found = np.array([rng.sample(range(size), sizes[-1]) for _ in range(rows)]).reshape(sizes)
    turns = {"wrap": (-2, -1, 0, 1), "drop": (-1, 0), "promise_in_bounds": (0,)}[mode]
    return found + size * np.array([rng.choice(turns) for _ in found.flat]).reshape(sizes)


def _shape(rng: random.Random, least: int = 1, most: int = 3) -> tuple[int, ...]:
    return tuple(rng.choice((1, 2, 3, 4, 6)) for _ in range(rng.randint(least, most)))


def _reading(rng: random.Random, dtype: str) -> tuple[str, dict[str, Any]]:
    mode = rng.choice(("fill", "fill", "clip", "wrap", "promise_in_bounds"))
    if mode != "fill" or rng.random() < 0.4:
        return mode, {}
    choices: list[Any] = [0, 2, True, np.int8(1)]
    if "float" in dtype or "complex" in dtype:
        choices += [1.5, -1.0, float("nan")]
    if "complex" in dtype:
        choices += [1j, 2 - 3j]
    return mode, {"fill_value": rng.choice(choices)}


def take(rng: random.Random) -> Program:
    dtype, kind, sizes, at = rng.choice(DTYPES), rng.choice(INDEX_DTYPES), _shape(rng), None
    axis = rng.choice((None, *range(-len(sizes), len(sizes))))
    at = _shape(rng, 0, 2)
    mode, options = _reading(rng, dtype)
    size = int(np.prod(sizes)) if axis is None else sizes[axis]
    theirs = "clip" if mode == "promise_in_bounds" else mode
    return Program(
        f"take {sizes} {at} {axis} {mode} {options} {dtype} {kind}",
        lambda x, i: gs.take(x, i, axis, mode=mode, **options),
        lambda x, i: jnp.take(x, i, axis=axis, mode=theirs, **options),
        lambda: (
            _values(rng, sizes, dtype),
            _index(rng, size, at, kind, mode == "promise_in_bounds"),
        ),
        dtype,
    )


def along(rng: random.Random) -> Program:
    dtype, kind, sizes = rng.choice(DTYPES), rng.choice(INDEX_DTYPES), _shape(rng)
    axis = rng.choice((None, *range(-len(sizes), len(sizes))))
    size = int(np.prod(sizes)) if axis is None else sizes[axis]
    at = [n if rng.random() < 0.8 else 1 for n in sizes] if axis is not None else [3]
    at[axis or 0] = rng.choice((1, 2, 5))
    mode, options = _reading(rng, dtype)

    def theirs(x: Any, i: Any) -> Any:
        if mode == "wrap":
            return jnp.take_along_axis(x, jnp.mod(i, size), axis, mode="clip")
        return jnp.take_along_axis(x, i, axis, mode=mode, **options)

    return Program(
        f"take_along_axis {sizes} {at} {axis} {mode} {options} {dtype} {kind}",
        lambda x, i: gs.take_along_axis(x, i, axis, mode=mode, **options),
        theirs,
        lambda: (
            _values(rng, sizes, dtype),
            _index(rng, size, at, kind, mode == "promise_in_bounds"),
        ),
        dtype,
    )


def put(rng: random.Random) -> Program:
    dtype, sizes = rng.choice(DTYPES), _shape(rng)
    axis = rng.randrange(len(sizes))
    size = sizes[axis]
    at = (*sizes[:axis], rng.randint(1, size), *sizes[axis + 1 :])
    mode = rng.choice(("drop", "wrap", "promise_in_bounds"))

    def draw() -> tuple[Any, ...]:
        last = (*sizes[:axis], *sizes[axis + 1 :], at[axis])
        i = np.moveaxis(_distinct(rng, size, last, mode), -1, axis)
        return _values(rng, sizes, dtype), jnp.asarray(i, "int32"), _values(rng, at, dtype)

    def theirs(x: Any, i: Any, v: Any) -> Any:
        i = jnp.mod(i, size) if mode == "wrap" else i
        name = "drop" if mode == "wrap" else mode
        return jnp.put_along_axis(x, i, v, axis, inplace=False, mode=name)

    return Program(
        f"put_along_axis {sizes} {at} {axis} {mode} {dtype}",
        lambda x, i, v: gs.put_along_axis(x, i, v, axis, mode=mode),
        theirs,
        draw,
        dtype,
    )


def _addressed(rng: random.Random) -> tuple[tuple[int, ...], tuple[int, ...], Any]:
    sizes = _shape(rng)
    count = rng.randint(1, min(2, len(sizes)))
    dims = tuple(sorted(rng.sample(range(len(sizes)), count)))
    return sizes, dims, _shape(rng, 0, 2)


def _tuples(rng: random.Random, sizes: Any, dims: Any, at: Any, kind: str, inside: bool) -> Any:
    columns = [_index(rng, sizes[d], at, kind, inside) for d in dims]
    return jnp.stack(columns, -1)


def _at(x: Any, i: Any, dims: Any, mode: str) -> tuple[Any, Any, str]:
    """The array with the addressed dims in front, the index expression, and JAX's mode."""
    moved = jnp.moveaxis(x, dims, range(len(dims)))
    columns = [i[..., k] for k in range(len(dims))]
    if mode == "wrap":
        columns = [jnp.mod(c, moved.shape[k]) for k, c in enumerate(columns)]
    return moved, tuple(columns), "clip" if mode == "wrap" else mode


def gather(rng: random.Random) -> Program:
    dtype, kind = rng.choice(DTYPES), rng.choice(INDEX_DTYPES)
    sizes, dims, at = _addressed(rng)
    mode, options = _reading(rng, dtype)
    wrap = rng.random() < 0.5

    def theirs(x: Any, i: Any) -> Any:
        moved, index, name = _at(x, i, dims, mode)
        return moved.at[index].get(mode=name, wrap_negative_indices=wrap, **options)

    return Program(
        f"gather {sizes} {dims} {at} {mode} {options} {wrap} {dtype} {kind}",
        lambda x, i: gs.gather(x, i, gather_dims=dims, mode=mode, wrap_negative=wrap, **options),
        theirs,
        lambda: (
            _values(rng, sizes, dtype),
            _tuples(rng, sizes, dims, at, kind, mode == "promise_in_bounds"),
        ),
        dtype,
    )


def scatter(rng: random.Random) -> Program:
    dtype, kind = rng.choice(DTYPES), rng.choice(INDEX_DTYPES)
    sizes, dims, at = _addressed(rng)
    combiner = rng.choice((None, "add", "add", "mul", "min", "max"))
    mode = rng.choice(("drop", "clip", "wrap", "promise_in_bounds"))
    wrap = rng.random() < 0.5
    if dtype in ("bool", "int4", "uint4") or dtype.startswith("float8"):
        combiner = None
    if combiner is None:
        # Which of several stays JAX leaves open.
        at = ()
    rest = tuple(n for d, n in enumerate(sizes) if d not in dims)
    method = {None: "set", "mul": "multiply"}.get(combiner, combiner)

    def theirs(x: Any, i: Any, v: Any) -> Any:
        moved, index, name = _at(x, i, dims, mode)
        found = getattr(moved.at[index], str(method))(v, mode=name, wrap_negative_indices=wrap)
        return jnp.moveaxis(found, range(len(dims)), dims)

    return Program(
        f"scatter {combiner} {sizes} {dims} {at} {mode} {wrap} {dtype} {kind}",
        lambda x, i, v: gs.scatter(
            x, i, v, combiner, scatter_dims=dims, mode=mode, wrap_negative=wrap
        ),
        theirs,
        lambda: (
            _values(rng, sizes, dtype),
            _tuples(rng, sizes, dims, at, kind, mode == "promise_in_bounds"),
            _values(rng, (*at, *rest), dtype),
        ),
        dtype,
    )


def segment_sum(rng: random.Random) -> Program:
    dtype = rng.choice(("int32", "uint8", "float32", "bfloat16", "complex64"))
    kind, rows, count = rng.choice(INDEX_DTYPES), rng.choice((1, 3, 6)), rng.choice((1, 2, 4))
    sizes = (rows, *_shape(rng, 0, 2))
    mode = rng.choice(("drop", "clip", "wrap"))

    def theirs(x: Any, i: Any) -> Any:
        import jax

        i = jnp.mod(i, count) if mode == "wrap" else i
        return jax.ops.segment_sum(x, i, count, mode="drop" if mode == "wrap" else mode)

    return Program(
        f"segment_sum {sizes} {count} {mode} {dtype} {kind}",
        lambda x, i: gs.segment_sum(x, i, count, mode=mode),
        theirs,
        lambda: (_values(rng, sizes, dtype), _index(rng, count, (rows,), kind, False)),
        dtype,
    )


PROGRAMS = (take, take, along, along, put, gather, scatter, scatter, segment_sum)
