"""Index expressions that address elements more than once, split into some that do not."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from mlir_gs.execution.functions.elements import WIDE, as_int64
from mlir_gs.execution.functions.indexing import Indexed


def rounds(at: Indexed, shape: tuple[int, ...], mode: str, wrap: bool) -> Iterator[Indexed]:
    """Index expressions of which each addresses an element once; together they are `at`, in order.

    `shape` is that of the array.
    """
    if not at.arrays or 0 in at.shape:
        yield at
        return
    flat = [np.broadcast_to(array, at.batch).reshape(-1) for array in at.arrays]
    occurrence = _occurrences(_keys(flat, [shape[axis] for axis in at.axes], mode, wrap))
    if not occurrence.any():
        yield at
        return
    order = np.argsort(occurrence, kind="stable")
    ends = np.cumsum(np.bincount(occurrence))
    for start, end in zip([0, *ends[:-1]], ends, strict=True):
        chosen = order[start:end]
        size = (end - start,)
        kept = [n for n, letter in zip(_sizes(at, shape), at.pattern, strict=True) if letter == "K"]
        sizes = (*kept[: at.position], *size, *kept[at.position :])
        arrays = [array[chosen] for array in flat]
        yield replace(at, arrays=arrays, batch=size, shape=tuple(int(n) for n in sizes))


def _sizes(at: Indexed, shape: tuple[int, ...]) -> list[int]:
    """The sizes of the view of `at`."""
    return [
        len(range(*item.indices(size)))
        for item, size in zip(at.view, shape, strict=True)
        if isinstance(item, slice)
    ]


def _keys(flat: list[np.ndarray], sizes: list[int], mode: str, wrap: bool) -> np.ndarray:
    """One number for each tuple of coordinates, equal for tuples that address one element."""
    keys = np.zeros(flat[0].shape, WIDE)
    for array, size in zip(flat, sizes, strict=True):
        places = as_int64(array)
        if wrap:
            places = np.where(places < 0, places + size, places)
        if mode == "clip":
            places = np.clip(places, 0, size - 1)
        # All that is out of bounds writes nothing, whatever its number.
        keys = keys * (size + 1) + np.clip(places, -1, size) % (size + 1)
    return keys


def _occurrences(keys: np.ndarray) -> np.ndarray:
    """How many equal keys stand before each."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    lengths = np.diff(np.r_[starts, len(keys)])
    result = np.empty(len(keys), WIDE)
    result[order] = np.arange(len(keys)) - np.repeat(starts, lengths)
    return result
