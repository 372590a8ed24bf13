"""What the functions on arrays have to give, spelled one index at a time with Python's integers."""

from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, Any]


class Refused(Exception):
    """There is no result: the function has to raise IndexError."""


def place(index: int, size: int, mode: str, wrap: bool) -> int | None:
    """Where `index` reads or writes along an axis; None where it is filled or dropped."""
    if mode == "wrap" and size:
        return index % size
    moved = index + size if wrap and index < 0 else index
    if 0 <= moved < size:
        return moved
    if mode in ("fill", "drop"):
        return None
    if mode == "clip" and size:
        return min(max(moved, 0), size - 1)
    raise Refused


def take(a: Array, numbers: Array, axis: int | None, mode: str, fill: Any) -> Array:
    """`numbers` are Python's integers, in an array of objects."""
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis %= a.ndim
    shape = (*a.shape[:axis], numbers.size, *a.shape[axis + 1 :])
    found = np.full(shape, fill, a.dtype)
    # As in NumPy and JAX, negative numbers do not count from the end when they clip.
    places = [
        place(n, a.shape[axis], mode, mode != "clip")
        for n in numbers.flat
        if found.size or mode not in ("wrap", "clip")
    ]
    for number, at in enumerate(places):
        if at is not None:
            here = (slice(None),) * axis
            found[(*here, number)] = a[(*here, at)]
    return found.reshape(a.shape[:axis] + numbers.shape + a.shape[axis + 1 :])


def along(a: Array, numbers: Array, axis: int, shape: Sequence[int], mode: str) -> Any:
    """For each place of `shape` where `a` is read or written, or None."""
    spread = np.broadcast_to(numbers, shape)
    for at in np.ndindex(*shape):
        found = place(spread[at], a.shape[axis], mode, True)
        source = [0 if size == 1 else d for d, size in zip(at, a.shape, strict=True)]
        source[axis] = -1 if found is None else found
        yield at, None if found is None else tuple(source)


def take_along_axis(a: Array, numbers: Array, axis: int | None, mode: str, fill: Any) -> Array:
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis %= a.ndim
    shape = _common(a, numbers, axis)
    found = np.full(shape, fill, a.dtype)
    for at, source in along(a, numbers, axis, shape, mode):
        if source is not None:
            found[at] = a[source]
    return found


def put_along_axis(a: Array, numbers: Array, values: Array, axis: int | None, mode: str) -> Array:
    flat = a.reshape(-1) if axis is None else a
    axis = 0 if axis is None else axis % flat.ndim
    shape = _common(flat, numbers, axis)
    found = flat.copy()
    spread = np.broadcast_to(values.astype(a.dtype), shape)
    for at, target in along(flat, numbers, axis, shape, mode):
        if target is not None:
            found[target] = spread[at]
    return found.reshape(a.shape)


def _common(a: Array, numbers: Array, axis: int) -> tuple[int, ...]:
    kept = list(np.broadcast_shapes(
        (*a.shape[:axis], 1, *a.shape[axis + 1 :]),
        (*numbers.shape[:axis], 1, *numbers.shape[axis + 1 :]),
    ))  # fmt: skip
    kept[axis] = numbers.shape[axis]
    return tuple(kept)


def grid(shape: Sequence[int], index: Sequence[Any], mode: str, wrap: bool) -> Array:
    """The flat place of each element of `x[index]`, -1 where there is none.

    NumPy reads them from an array of places that has one more along each axis, -1, to which every
    integer out of bounds goes. `index` has slices, None, masks and arrays of Python's integers,
    which NumPy does not look at if broadcasting leaves none of them.
    """
    shapes = [item.shape for item in index if isinstance(item, np.ndarray) and item.dtype != bool]
    shapes += [(int(item.sum()),) for item in index if _is_mask(item)]
    try:
        nothing = 0 in np.broadcast_shapes(*shapes)
    except ValueError:
        raise Refused from None
    places = np.full([n + 1 for n in shape], -1)
    places[tuple(slice(n) for n in shape)] = np.arange(int(np.prod(shape))).reshape(shape)
    items, axis = [], 0
    for item in index:
        if item is None:
            items.append(item)
        elif isinstance(item, slice):
            start, stop, step = item.indices(shape[axis])
            empty = len(range(start, stop, step)) == 0
            items.append(slice(0, 0) if empty else slice(start, None if stop < 0 else stop, step))
            axis += 1
        elif item.dtype == bool:
            items += item.nonzero()
            axis += item.ndim
        else:
            looked_at = item.flat if item.ndim == 0 or not nothing else ()
            found = [place(n, shape[axis], mode, wrap) for n in looked_at] or [None] * item.size
            numbers = np.array([shape[axis] if n is None else n for n in found], np.int64)
            items.append(numbers.reshape(item.shape)[()])
            axis += 1
    items += [slice(n) for n in shape[axis:]]
    return np.asarray(places[tuple(items)])


def _is_mask(item: Any) -> bool:
    return isinstance(item, np.ndarray) and item.dtype == bool


def update(x: Array, where: Array, values: Array, apply: Callable[[Any, Any], Any]) -> Array:
    """`x` with `apply` of each element and its value, in row-major order of `where`."""
    found = x.reshape(-1).copy()
    spread = np.broadcast_to(values.astype(x.dtype), where.shape)
    with np.errstate(all="ignore"):
        for at, value in zip(where.flat, spread.reshape(-1), strict=True):
            if at >= 0:
                found[at] = apply(found[at : at + 1], np.asarray(value)[None])[0]
    return found.reshape(x.shape)


def fill_of(dtype: np.dtype[Any]) -> Any:
    """What JAX fills with."""
    if dtype.kind == "b":
        return True
    if dtype.kind in "iu" or dtype.name.startswith(("int", "uint")):
        info = ml_dtypes.iinfo(dtype)
        return np.array(info.max if "uint" in dtype.name else info.min).astype(dtype)
    return np.array(np.nan).astype(dtype)


def by_product(name: str, x: Array, product: Array) -> Array:
    """`divide` or `power` by the products of the values, as JAX has them."""
    if x.dtype.kind == "b":
        x, product = (each.astype(np.float32 if name == "divide" else np.int32)
                      for each in (x, product))  # fmt: skip
    elif name == "divide" and x.dtype.name.startswith(("int", "uint")):
        wide = np.float64 if x.dtype.itemsize == 8 else np.float32
        x, product = x.astype(wide), product.astype(wide)
    dtype = x.dtype
    if name == "power" and dtype.kind == "V" and dtype.name.startswith(("int", "uint")):
        x, product = x.astype(np.int64), product.astype(np.int64)
    with np.errstate(all="ignore"):
        found = (np.divide if name == "divide" else np.power)(x, product).astype(dtype)
    # A division by one changes infinite complex numbers.
    return np.where(product == 1, x.astype(dtype), found)


def identity(name: str, dtype: np.dtype[Any]) -> Any:
    """What an empty segment has."""
    if name in ("sum", "prod"):
        return np.array(name == "prod").astype(dtype)
    if dtype.kind == "b":
        return name == "min"
    if dtype.name.startswith(("int", "uint")):
        info = ml_dtypes.iinfo(dtype)
        return np.array(int(info.max if name == "min" else info.min)).astype(dtype)
    if dtype.kind == "c":
        return complex(np.inf, np.inf) if name == "min" else complex(-np.inf, -np.inf)
    greatest = np.array(np.inf if name == "min" else -np.inf).astype(dtype)
    if not np.isinf(greatest):
        info = ml_dtypes.finfo(dtype)
        return info.max if name == "min" else info.min
    return greatest


def segment_rows(
    data: Array, places: Sequence[int | None], count: int, choose: Callable[..., Any]
) -> Array:
    """The rows that NumPy chooses among those of each segment."""
    found = np.full((count, *data.shape[1:]), len(data))
    for segment in range(count):
        rows = np.array([n for n, at in enumerate(places) if at == segment], np.int64)
        if rows.size and data[0].size:
            wide = np.complex128 if data.dtype.kind == "c" else np.float64
            exact = data[rows] if data.dtype.kind in "iu" else data[rows].astype(wide)
            found[segment] = rows[choose(exact, 0)]
    return found
