"""JAX's own gathers and scatters: indexing, `.at[]`, lax.gather and lax.scatter in all modes."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

DTYPES = ("f4", "f8", "f2", "i4", "i8", "i2", "u1", "u4", "?", "c8")
MODES = ("clip", "fill", "promise_in_bounds")


class Case(NamedTuple):
    name: str
    function: Callable
    arguments: tuple


class Draw:
    """Arrays of small numbers, and coordinates."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def array(self, dtype: str, *shape: int) -> np.ndarray:
        low = 0 if dtype in "u1 u4 ?" else -50
        found = self.rng.integers(low, 2 if dtype == "?" else 50, shape).astype(dtype)
        return found * (1 + 2j) if dtype == "c8" else found

    def at(self, size: int, *shape: int, dtype: str = "i4", far: bool = False) -> np.ndarray:
        low = 0 if dtype[0] == "u" else -size
        low, high = (low - 3, size + 4) if far else (low, size)
        return self.rng.integers(low, high, shape).astype(dtype)

    def once(self, size: int, count: int) -> np.ndarray:
        return self.rng.permutation(size)[:count].astype("i4")


def cases(seed: int = 0) -> Iterator[Case]:
    draw = Draw(seed)
    for dtype in DTYPES:
        yield from _indexing(draw, dtype)
        yield from _updates(draw, dtype)
    for dtype in ("f4", "i4", "u4", "?"):
        for mode in MODES:
            yield from _gathers(draw, dtype, mode)
    for dtype in ("f4", "i4", "u4"):
        for mode in MODES:
            yield from _scatters(draw, dtype, mode)
    yield from _modes(draw)


def _indexing(draw: Draw, dtype: str) -> Iterator[Case]:
    x, i, j = draw.array(dtype, 7, 5, 6), draw.at(5, 4), draw.at(5, 4)
    for kind in ("i4", "i8", "u4"):
        k = draw.at(5, 4, dtype=kind)
        yield Case(f"x[k] {dtype} {kind}", lambda x, k: x[k], (x, k))
        yield Case(f"x[:, k] {dtype} {kind}", lambda x, k: x[:, k], (x, k))
    yield Case(f"x[i, j] {dtype}", lambda x, i, j: x[i, j], (x, i, j))
    yield Case(f"x[i, :, j] {dtype}", lambda x, i, j: x[i, :, j], (x, i, j))
    yield Case(f"x[:, i, j] {dtype}", lambda x, i, j: x[:, i, j], (x, i, j))
    yield Case(f"x[1:4, ::2] {dtype}", lambda x: x[1:4, ::2], (x,))
    along = partial(jnp.take_along_axis, axis=1)
    yield Case(f"along {dtype}", along, (x, draw.at(5, 7, 3, 6)))
    row = lambda x, s: lax.dynamic_index_in_dim(x, s, 1)  # noqa: E731
    yield Case(f"dynamic_index {dtype}", row, (x, np.int32(3)))
    many = jax.vmap(lambda a, s: lax.dynamic_slice(a, (s, np.int32(0)), (2, 6)))
    yield Case(f"slices {dtype}", many, (x, draw.at(6, 7) % 6))


def _updates(draw: Draw, dtype: str) -> Iterator[Case]:
    x, i, once = draw.array(dtype, 7, 5), draw.at(7, 4), draw.once(7, 4)
    rows, points = draw.array(dtype, 4, 5), draw.array(dtype, 4)
    names = {"?": ("set", "min", "max"), "c8": ("set", "add", "multiply")}
    for name in names.get(dtype, ("set", "add", "min", "max", "multiply", "subtract")):

        def at(x: Any, i: Any, u: Any, name: str = name, **given: Any) -> Any:
            return getattr(x.at[i], name)(u, **given)

        yield Case(f"{name} {dtype}", at, (x, i, rows))
        unique = partial(at, unique_indices=True)
        yield Case(f"{name} unique {dtype}", unique, (x, once, rows))
        yield Case(
            f"{name} point {dtype}",
            lambda x, i, j, u, at=at: at(x, (i, j), u),
            (x, once, draw.at(5, 4), points),
        )
        for mode in ("drop", "clip"):
            far = np.array([-30, 2, 9, 4], "i4") if mode == "drop" else once
            yield Case(f"{name} {mode} {dtype}", partial(at, mode=mode), (x, far, rows))
    yield Case(f"set 1 {dtype}", lambda x, i: x.at[:, i].set(1), (x, draw.at(5, 3)))


def _gathers(draw: Draw, dtype: str, mode: str) -> Iterator[Case]:
    x, numbers = draw.array(dtype, 7, 5, 6), lax.GatherDimensionNumbers
    inside = mode == "promise_in_bounds"

    def where(*shape: int) -> np.ndarray:
        return draw.at(3, *shape) % 3 if inside else draw.at(6, *shape, far=True)

    one, two = where(4, 1), where(4, 2)
    forms = [
        ((1, 2), (0,), (0,), (1, 5, 6), one), ((1, 2), (0,), (0,), (1, 3, 6), one),
        ((0, 1), (0,), (0,), (1, 5, 6), one), ((0, 2), (0,), (0,), (1, 5, 6), one),
        ((1, 2, 3), (), (0,), (2, 5, 6), one), ((1, 2, 3), (), (0, 1), (2, 3, 6), two),
        ((1,), (0, 1), (0, 1), (1, 1, 6), two), ((1,), (0, 2), (0, 2), (1, 5, 1), two),
        ((1,), (0, 1), (1, 0), (1, 1, 6), two), ((1, 2), (1,), (0, 1), (3, 1, 6), two),
        ((1, 2, 3), (), (1,), (7, 2, 4), one), ((0, 1, 2), (), (2,), (7, 5, 2), one),
    ]  # fmt: skip
    for number, (*dims, sizes, i) in enumerate(forms):
        read = partial(lax.gather, dimension_numbers=numbers(*dims), slice_sizes=sizes, mode=mode)
        yield Case(f"gather {number} {mode} {dtype}", read, (x, i))
    batches = [
        ((2,), (1,), (0,), (1, 1, 6), where(7, 2, 1)),
        ((), (2,), (0, 1), (1, 1, 1), where(7, 5, 3, 1)),
        ((2, 3), (), (0,), (1, 2, 6), where(7, 2, 1)),
    ]
    for number, (offsets, dims, batch, sizes, i) in enumerate(batches):
        which = numbers(offsets, dims, dims or (1,), batch, batch)
        read = partial(lax.gather, dimension_numbers=which, slice_sizes=sizes, mode=mode)
        yield Case(f"gather batch {number} {mode} {dtype}", read, (x, i))


def _scatters(draw: Draw, dtype: str, mode: str) -> Iterator[Case]:
    x, numbers = draw.array(dtype, 7, 5, 6), lax.ScatterDimensionNumbers
    one = np.array([[0], [-4 if mode == "fill" else 3], [5]], "i4")
    two = np.array([[0, 1], [3, 0], [5, 2]], "i4")
    forms = [
        ((1, 2), (0,), (0,), (3, 5, 6), one), ((1, 2, 3), (), (0,), (3, 2, 5, 6), one),
        ((1,), (0, 1), (0, 1), (3, 6), two), ((1, 2), (0,), (0, 1), (3, 2, 6), two),
        ((0, 1), (0,), (0,), (5, 6, 3), one), ((1,), (0, 2), (0, 2), (3, 5), two),
    ]  # fmt: skip
    for name in ("scatter", "scatter_add", "scatter_min", "scatter_max", "scatter_mul"):
        for number, (*dims, shape, i) in enumerate(forms):
            write = partial(getattr(lax, name), dimension_numbers=numbers(*dims), mode=mode)
            case = f"{name} {number} {mode} {dtype}"
            yield Case(case, write, (x, i, draw.array(dtype, *shape)))


def _modes(draw: Draw) -> Iterator[Case]:
    x, far = draw.array("f4", 7, 5, 6), draw.at(7, 3, 2, far=True)
    for mode in ("clip", "fill", "wrap"):
        for axis in (None, 0, 1, 2):
            yield Case(f"take {axis} {mode}", partial(jnp.take, axis=axis, mode=mode), (x, far))
    for mode in ("clip", "fill"):
        yield Case(f"get {mode}", lambda x, i, m=mode: x.at[i].get(mode=m), (x, far))
    keys = np.sort(draw.at(5, 20) % 5)
    for name in ("sum", "max", "min", "prod"):
        segments = partial(getattr(jax.ops, f"segment_{name}"), num_segments=5)
        yield Case(f"segment_{name}", segments, (draw.array("f4", 20), keys))
    yield Case("bincount", partial(jnp.bincount, length=6), (keys,))
    yield Case("gradient", jax.grad(lambda x, i: (x[i] ** 2).sum()), (draw.array("f4", 9), keys))
