"""Different values: `unique`, `factorize`, and how many a segment has."""

from typing import Any

import numpy as np
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.bins import bincount
from mlir_gs.execution.functions.elements import integers
from mlir_gs.execution.functions.segments import segment_min
from mlir_gs.execution.functions.take import take

Array = np.ndarray[Any, Any]

_SPREAD = 8
"""Integers are counted, and not sorted, where their span is at most so many times their number."""


def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> Any:
    """The different elements of `ar`, ascending, as `numpy.unique`; NaN counts as one.

    `ar`: an array of any shape. Returns `values`, [k], or a tuple of it and, in this order, what is
    asked for: `return_index`, int64 [k], where each first occurs in the flattened array;
    `return_inverse`, int64 of the shape of `ar`, with `values[inverse] == ar`; `return_counts`,
    int64 [k]. Integers within a narrow span are counted; others NumPy sorts.
    """
    x = frameworks.array(ar)
    values, first, inverse, counts = _unique(x)
    give = frameworks.back(ar)
    found = [values]
    found += [first] if return_index else []
    found += [inverse.reshape(x.shape)] if return_inverse else []
    found += [counts] if return_counts else []
    return give(values) if len(found) == 1 else tuple(map(give, found))


def factorize(values: Any, sort: bool = False) -> tuple[Any, Any]:
    """Numbers for the different elements of `values`, and these, as `pandas.factorize`.

    `values`: [n]. Returns `codes`, int64 [n], and `uniques`, [k], with `uniques[codes] == values`:
    in the order in which they first occur, or ascending with `sort`. NaN has the code -1, and is
    not among `uniques`.

    Raises ValueError for another rank.
    """
    x = frameworks.array(values)
    if x.ndim != 1:
        raise ValueError(f"values must have rank 1, found {x.ndim}")
    different, first, inverse, _ = _unique(x)
    codes = inverse.reshape(-1)
    # Sorted, NaN is last.
    missing = len(different) > 0 and different[-1] != different[-1]
    kept = len(different) - missing
    order = np.arange(kept) if sort else np.argsort(first[:kept], kind="stable")
    numbers = np.full(len(different), -1)
    numbers[order] = np.arange(kept)
    give = frameworks.back(values)
    codes = take(numbers, codes) if codes.size else codes
    return give(codes), give(different[:kept][order])


def segment_nunique(data: Any, segment_ids: Any, num_segments: int | None = None) -> Any:
    """How many different elements of `data` each segment has, int64 [num_segments], without NaN,
    as pandas' `nunique` of groups.

    `data`: [n]; `segment_ids`: n integers of 0 or more; `num_segments` is by default one more than
    the greatest, and ids from there on are dropped.

    Raises ValueError for shapes and negative numbers, IndexError for ids that are no integers.
    """
    ids = integers(frameworks.plain(segment_ids), "segment_ids").astype(np.int64)
    codes, different = factorize(frameworks.array(data))
    if ids.shape != codes.shape:
        raise ValueError(f"segment_ids must have shape {codes.shape}, found {ids.shape}")
    if ids.size and ids.min() < 0:
        raise ValueError("segment_ids must not be negative")
    count = num_segments
    if count is None:
        count = int(ids.max()) + 1 if ids.size else 0
    used = (codes >= 0) & (ids < count)
    pairs = _unique(ids[used] * len(different) + codes[used])[0]
    found = bincount(pairs // max(len(different), 1), length=count)
    return frameworks.back(data, segment_ids)(found)


def _unique(x: Array) -> tuple[Array, Array, Array, Array]:
    """The values, where each is first, the number of each element, and the counts."""
    flat = np.ascontiguousarray(x).reshape(-1)
    if flat.size and flat.dtype.kind in "iu":
        least, greatest = int(flat.min()), int(flat.max())
        if greatest - least < _SPREAD * flat.size:
            # Differences wrap around, and so do they when the least is added again.
            places = (flat - np.array(least, flat.dtype)).view(f"u{flat.itemsize}")
            every = bincount(places, length=greatest - least + 1)
            present = np.flatnonzero(every)
            numbers = np.cumsum(every > 0) - 1
            first = segment_min(np.arange(flat.size), places, greatest - least + 1)
            values = present.astype(flat.dtype) + np.array(least, flat.dtype)
            return values, take(first, present), take(numbers, places), take(every, present)
    values, first, inverse, counts = np.unique(
        flat, return_index=True, return_inverse=True, return_counts=True
    )
    return values, first, inverse.reshape(-1), counts
