"""The ops as a NumPy user would write them: fancy indexing, take_along_axis, ufunc.at, unique.

Written without a look at the reference, to be held against it. A coordinate out of bounds under
mode "error" raises a bare IndexError.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from combiners import Combiner


def _resolved(
    indices: np.ndarray, size: int, mode: str, wrap: bool
) -> tuple[np.ndarray, np.ndarray]:
    """(coordinates that can be used, which of them are in bounds), as int64 and bool."""
    if indices.dtype == np.uint64:
        c = np.minimum(indices, np.uint64(2**62)).astype(np.int64)
    else:
        c = indices.astype(np.int64)
    if wrap:
        c = np.where(c < 0, c + size, c)
    good = (c >= 0) & (c < size)
    if mode == "error" and not good.all():
        raise IndexError
    if mode == "clip":
        return np.clip(c, 0, max(size - 1, 0)), np.ones_like(good)
    return np.where(good, c, 0), good


def _addresses(
    shape: Sequence[int],
    indices: np.ndarray,
    dims: Sequence[int],
    batch: int,
    mode: str,
    wrap: bool,
) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """Index arrays, flattened over I, for (batch dims, addressed dims), and which are in bounds."""
    index_shape = indices.shape[:-1]
    grid = [axis.reshape(-1) for axis in np.indices(index_shape)[:batch]]
    good = np.ones(index_shape, bool)
    coordinates = []
    for k, dim in enumerate(dims):
        c, inside = _resolved(indices[..., k], shape[dim], mode, wrap)
        coordinates.append(c.reshape(-1))
        good &= inside
    return (*grid, *coordinates), good.reshape(-1)


def _to_front(array: np.ndarray, dims: Sequence[int], batch: int) -> np.ndarray:
    """A view with the addressed dims right behind the batch dims."""
    return np.moveaxis(array, list(dims), list(range(batch, batch + len(dims))))


def gather(
    source: np.ndarray,
    indices: np.ndarray,
    dims: Sequence[int],
    *,
    batch: int = 0,
    mode: str = "promise_in_bounds",
    wrap: bool = False,
    fill: Any = None,
    unit: bool = False,
) -> np.ndarray:
    where, good = _addresses(source.shape, indices, dims, batch, mode, wrap)
    moved = _to_front(source, dims, batch)
    rest = moved.shape[batch + len(dims) :]
    out = np.empty((len(good), *rest), source.dtype)
    if mode == "fill":
        out[...] = fill
    if out[good].size:
        out[good] = moved[tuple(axis[good] for axis in where)]
    kept = [1 if d in dims else source.shape[d] for d in range(batch, source.ndim)]
    return out.reshape(indices.shape[:-1] + (tuple(kept) if unit else rest))


def scatter(
    updates: np.ndarray,
    dest: np.ndarray,
    indices: np.ndarray,
    dims: Sequence[int],
    combiner: Combiner | None = None,
    *,
    batch: int = 0,
    mode: str = "promise_in_bounds",
    wrap: bool = False,
) -> np.ndarray:
    where, good = _addresses(dest.shape, indices, dims, batch, mode, wrap)
    result = dest.copy()
    moved = _to_front(result, dims, batch)
    updates = updates.reshape(len(good), *moved.shape[batch + len(dims) :])
    _write(moved, tuple(axis[good] for axis in where), updates[good], combiner)
    return result


def _write(
    out: np.ndarray,
    where: tuple[np.ndarray, ...],
    updates: np.ndarray,
    combiner: Combiner | None,
) -> None:
    if updates.size == 0:
        return
    if combiner is None:
        out[where] = updates
    else:
        with np.errstate(all="ignore"):
            combiner.at(out, where, updates)


def gather_elements(
    source: np.ndarray,
    indices: np.ndarray,
    dim: int,
    *,
    mode: str = "promise_in_bounds",
    wrap: bool = False,
    fill: Any = None,
) -> np.ndarray:
    c, good = _resolved(indices, source.shape[dim], mode, wrap)
    out = np.empty(indices.shape, source.dtype)
    if source.shape[dim]:
        cropped = source[
            tuple(slice(None) if d == dim else slice(n) for d, n in enumerate(indices.shape))
        ]
        out = np.take_along_axis(cropped, c, dim)
    if mode == "fill":
        out[~good] = fill
    return out


def scatter_elements(
    updates: np.ndarray,
    dest: np.ndarray,
    indices: np.ndarray,
    dim: int,
    combiner: Combiner | None = None,
    *,
    mode: str = "promise_in_bounds",
    wrap: bool = False,
) -> np.ndarray:
    c, good = _resolved(indices, dest.shape[dim], mode, wrap)
    where = list(np.indices(indices.shape))
    where[dim] = c
    result = dest.copy()
    _write(result, tuple(axis[good] for axis in where), updates[good], combiner)
    return result


def histogram(
    updates: np.ndarray, indices: np.ndarray, combiner: Combiner
) -> tuple[np.ndarray, np.ndarray]:
    k = indices.shape[-1]
    leading = indices.ndim - 1
    # Sorting signed narrow kinds and booleans goes by their numbers.
    numbers = indices.astype(np.uint64 if indices.dtype == np.uint64 else np.int64).reshape(-1, k)
    if len(numbers) == 0:
        return np.empty((0, *updates.shape[leading:]), updates.dtype), indices.reshape(0, k)
    bins, first, inverse = np.unique(numbers, axis=0, return_index=True, return_inverse=True)
    flat = updates.reshape(len(numbers), *updates.shape[leading:])
    combined = flat[first]
    later = np.setdiff1d(np.arange(len(numbers)), first)
    _write(combined, (inverse.reshape(-1)[later],), flat[later], combiner)
    return combined, bins.astype(indices.dtype)


def strided_slice(
    source: np.ndarray,
    offsets: Sequence[int],
    sizes: Sequence[int],
    strides: Sequence[int],
    result_sizes: Sequence[int],
) -> np.ndarray:
    window = source[tuple(slice(o, o + n) for o, n in zip(offsets, sizes, strict=True))]
    stepped = window[tuple(slice(None, None, t) for t in strides)]
    return stepped[tuple(slice(n) for n in result_sizes)]
