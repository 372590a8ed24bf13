"""The specification of the ops, line by line, in NumPy: what compiled code is tested against.

It is written to be read, not to be fast. Arrays stand for tensors: a signless integer is NumPy's
signed one, `index` is int64, i1 is bool, and the kinds NumPy lacks are those of ml_dtypes.
A combiner is a ufunc or a Python function of two scalars (current, update) -> new.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from mlir_gs.dialect.reference.coordinates import (
    Addressing,
    Place,
    UndefinedBehavior,
    default_fill,
    element_places,
)

_sorted = sorted
Combiner = Callable[[Any, Any], Any]


def gather(
    source: np.ndarray,
    indices: np.ndarray,
    gather_dims: Sequence[int],
    batch_dims: int = 0,
    mode: str = "promise_in_bounds",
    fill_value: Any = None,
    wrap_negative: bool = False,
    keep_unit_dims: bool = False,
    unique: bool = False,
    sorted: bool = False,
) -> np.ndarray:
    """out[i, r] = source[i[:batch_dims], indices[i, :] at gather_dims, r elsewhere].

    `indices` is I ++ [k]; the result is I ++ the dims of `source` past the batch dims without
    the gathered ones, or with them as 1 (`keep_unit_dims`). Raises CoordinateError under mode
    "error", UndefinedBehavior on a broken promise, ValueError on shapes that do not fit.
    """
    address = Addressing(source.shape, indices, gather_dims, batch_dims)
    if mode == "error":
        address.check_bounds("coordinate of gather_dims", wrap_negative)
    places = list(address.places(mode, wrap_negative))
    address.check_promises([place for _, place in places], unique, sorted)
    fill = _fill(source.dtype, mode, fill_value)
    out = np.empty(address.index_shape + address.rest_shape, source.dtype)
    for i, place in places:
        out[(*i, ...)] = fill if place is None else source[(*place, ...)]
    return out.reshape(address.index_shape + address.unit_shape) if keep_unit_dims else out


def scatter(
    updates: np.ndarray,
    dest: np.ndarray,
    indices: np.ndarray,
    scatter_dims: Sequence[int],
    combiner: Combiner | None = None,
    batch_dims: int = 0,
    mode: str = "promise_in_bounds",
    wrap_negative: bool = False,
    unique: bool = False,
    sorted: bool = False,
) -> np.ndarray:
    """`dest` after, for each i in row-major order of I and each r:

    dest[i[:batch_dims], indices[i, :] at scatter_dims, r] = combiner(current, updates[i, r]),
    or the update itself without a combiner. `updates` has either shape that `gather` of `dest`
    gives. Errors as `gather`; `dest` itself is not written.
    """
    address = Addressing(dest.shape, indices, scatter_dims, batch_dims)
    shapes = [address.index_shape + s for s in (address.rest_shape, address.unit_shape)]
    if updates.shape not in shapes:
        raise ValueError(f"updates must have one of the shapes {shapes}, found {updates.shape}")
    updates = updates.reshape(shapes[0])
    if mode == "error":
        address.check_bounds("coordinate of scatter_dims", wrap_negative)
    places = list(address.places(mode, wrap_negative))
    address.check_promises([place for _, place in places], unique, sorted)
    result = dest.copy()
    for i, place in places:
        if place is not None:
            _combine_into(result, place, updates[(*i, ...)], combiner)
    return result


def gather_elements(
    source: np.ndarray,
    indices: np.ndarray,
    dim: int,
    mode: str = "promise_in_bounds",
    fill_value: Any = None,
    wrap_negative: bool = False,
    unique: bool = False,
    sorted: bool = False,
) -> np.ndarray:
    """out[i] = source[i with i[dim] := indices[i]], for i over the shape of `indices`.

    Sizes of `indices` off `dim` may be smaller than those of `source`. Errors as `gather`.
    """
    places = element_places(source, indices, dim, mode, wrap_negative, unique, sorted)
    fill = _fill(source.dtype, mode, fill_value)
    out = np.empty(indices.shape, source.dtype)
    for i, place in zip(np.ndindex(indices.shape), places, strict=True):
        out[(*i, ...)] = fill if place is None else source[(*place, ...)]
    return out


def scatter_elements(
    updates: np.ndarray,
    dest: np.ndarray,
    indices: np.ndarray,
    dim: int,
    combiner: Combiner | None = None,
    mode: str = "promise_in_bounds",
    wrap_negative: bool = False,
    unique: bool = False,
    sorted: bool = False,
) -> np.ndarray:
    """`dest` after, for each i in row-major order: dest[i with i[dim] := indices[i]] = update.

    The update is `updates[i]`, combined with the current element if there is a combiner.
    """
    if updates.shape != indices.shape:
        raise ValueError(f"updates {updates.shape} and indices {indices.shape} must agree")
    places = element_places(dest, indices, dim, mode, wrap_negative, unique, sorted)
    result = dest.copy()
    for i, place in zip(np.ndindex(indices.shape), places, strict=True):
        if place is not None:
            _combine_into(result, place, updates[(*i, ...)], combiner)
    return result


def histogram(
    updates: np.ndarray, indices: np.ndarray, combiner: Combiner, sorted: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """The updates with equal coordinates, combined: (combined, unique_indices).

    `indices` is I ++ [k], `updates` I ++ rest. There is one bin per distinct coordinate tuple,
    in ascending order; a bin starts from its first update and folds the rest in row-major order
    of I. Coordinates are compared only, so there are no bounds.
    """
    index_shape, k = indices.shape[:-1], indices.shape[-1]
    if updates.shape[: len(index_shape)] != index_shape:
        raise ValueError(f"updates {updates.shape} must start with the dims {index_shape}")
    order = [tuple(int(c) for c in indices[i]) for i in np.ndindex(index_shape)]
    if sorted and any(a > b for a, b in pairwise(order)):
        raise UndefinedBehavior("coordinates do not ascend under sorted")
    bins = {coordinates: b for b, coordinates in enumerate(_sorted(set(order)))}
    combined = np.empty((len(bins), *updates.shape[len(index_shape) :]), updates.dtype)
    unique_indices = np.array(list(bins), object).reshape(len(bins), k).astype(indices.dtype)
    started: set[int] = set()
    for i, coordinates in zip(np.ndindex(index_shape), order, strict=True):
        b = bins[coordinates]
        _combine_into(combined, (b,), updates[(*i, ...)], combiner if b in started else None)
        started.add(b)
    return combined, unique_indices


def strided_slice(
    source: np.ndarray,
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    result_sizes: Sequence[int] | None = None,
) -> np.ndarray:
    """out[o] = source[start + strides * o] in the window [offset, offset + size) of each dim.

    start = offset, or offset + size - 1 where the stride is negative. `result_sizes` may be
    less than all that the window holds, 1 + (size - 1) // |stride| per dim, which is the default.
    """
    if 0 in strides or any(size < 1 for size in sizes):
        raise ValueError(f"strides {strides} must not be 0, sizes {sizes} must be 1 or more")
    if any(o < 0 or o + s > n for o, s, n in zip(offsets, sizes, source.shape, strict=True)):
        raise ValueError(f"window {offsets} + {sizes} leaves the source {source.shape}")
    most = window_sizes(sizes, strides)
    shape = most if result_sizes is None else tuple(result_sizes)
    if any(not 1 <= n <= m for n, m in zip(shape, most, strict=True)):
        raise ValueError(f"result sizes {shape} must be between 1 and {most}")
    start = [o + s - 1 if t < 0 else o for o, s, t in zip(offsets, sizes, strides, strict=True)]
    out = np.empty(shape, source.dtype)
    for o in np.ndindex(shape):
        at = tuple(c + t * n for c, t, n in zip(start, strides, o, strict=True))
        out[(*o, ...)] = source[(*at, ...)]
    return out


def window_sizes(sizes: Sequence[int], strides: Sequence[int]) -> tuple[int, ...]:
    """How many elements a strided slice finds in its window, per dim."""
    return tuple(1 + (s - 1) // abs(t) for s, t in zip(sizes, strides, strict=True))


def _fill(dtype: np.dtype, mode: str, fill_value: Any) -> np.ndarray:
    if mode != "fill":
        return np.zeros((), dtype)
    return default_fill(dtype) if fill_value is None else np.asarray(fill_value).astype(dtype)


def _combine_into(
    result: np.ndarray, place: Place, update: np.ndarray, combiner: Combiner | None
) -> None:
    """result[place] = combiner(current, update) element by element, or the update itself."""
    at = (*place, ...)
    if combiner is None:
        result[at] = update
        return
    current = result[at]
    with np.errstate(all="ignore"):
        # The elements of one slice are distinct, so a ufunc may take them at once.
        if isinstance(combiner, np.ufunc) or getattr(combiner, "elementwise", False):
            result[at] = combiner(current.copy(), update)
            return
        for r in np.ndindex(current.shape):
            current[(*r, ...)] = combiner(current[r], update[r])
