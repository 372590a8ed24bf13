"""Different values: `unique`, `factorize`, and how many a segment has."""

from functools import lru_cache
from secrets import randbits
from typing import Any

import numpy as np
from mlir_gs._texts import template
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.functions import few, frameworks
from mlir_gs.execution.functions.bins import bincount
from mlir_gs.execution.functions.elements import as_int64, integers
from mlir_gs.execution.functions.segments import segment_min
from mlir_gs.execution.functions.take import take

Array = np.ndarray[Any, Any]

_SPREAD = 8
"""Integers are counted, and not sorted, where their span is at most so many times their number."""

_GOLDEN = 0x9E3779B97F4A7C15 - (1 << 64)
"""2^64 over the golden ratio: times this, most keys at a stride come to lie apart."""


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
    int64 [k]. Integers within a narrow span are counted; for positions and numbers of others there
    is a hash table; all else NumPy sorts.
    """
    x = frameworks.memory(ar)
    values, first, inverse, counts = _unique(x, return_index, return_inverse, return_counts)
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
    x = frameworks.memory(values)
    if x.ndim != 1:
        raise ValueError(f"values must have rank 1, found {x.ndim}")
    give = frameworks.back(values)
    if not sort and _has_table(x):
        different, _, codes = _numbered(np.ascontiguousarray(x))
        return give(codes), give(different)
    different, first, inverse, _ = _unique(x, counted=False)
    codes = inverse.reshape(-1)
    # Sorted, NaN is last.
    missing = len(different) > 0 and different[-1] != different[-1]
    kept = len(different) - missing
    order = np.arange(kept) if sort else np.argsort(first[:kept], kind="stable")
    numbers = np.full(len(different), -1)
    numbers[order] = np.arange(kept)
    codes = take(numbers, codes) if codes.size else codes
    return give(codes), give(different[:kept][order])


def segment_nunique(data: Any, segment_ids: Any, num_segments: int | None = None) -> Any:
    """How many different elements of `data` each segment has, int64 [num_segments], without NaN,
    as pandas' `nunique` of groups.

    `data`: [n]; `segment_ids`: n integers of 0 or more; `num_segments` is by default one more than
    the greatest, and ids from there on are dropped.

    Raises ValueError for shapes and negative numbers, IndexError for ids that are no integers.
    """
    ids = as_int64(integers(frameworks.plain(segment_ids), "segment_ids"))
    codes, different = factorize(frameworks.memory(data))
    if ids.shape != codes.shape:
        raise ValueError(f"segment_ids must have shape {codes.shape}, found {ids.shape}")
    if ids.size and ids.min() < 0:
        raise ValueError("segment_ids must not be negative")
    count = num_segments
    if count is None:
        count = int(ids.max()) + 1 if ids.size else 0
    used = (codes >= 0) & (ids < count)
    pairs = _unique(ids[used] * len(different) + codes[used], False, False, False)[0]
    found = bincount(pairs // max(len(different), 1), length=count)
    return frameworks.back(data, segment_ids)(found)


def _unique(
    x: Array, positions: bool = True, numbered: bool = True, counted: bool = True
) -> tuple[Any, Any, Any, Any]:
    """The values, where each is first, the number of each element, and the counts; what is not
    wanted may be None."""
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
            values = values.astype(flat.dtype, copy=False)
            return values, take(first, present), take(numbers, places), take(every, present)
        if (positions or numbered) and _has_table(flat):
            different, first, numbers = _numbered(flat)
            order = np.argsort(different)
            numbers = take(_inverse(order), numbers)
            counts = bincount(numbers, minlength=len(order)) if counted else None
            return different[order], first[order], numbers, counts
    # With counts NumPy sorts, which takes less time than its table.
    asked: Any = positions, numbered, counted or not (positions or numbered)
    given = iter(np.unique(flat, *asked))
    values, first, inverse, counts = (next(given) if one else None for one in (True, *asked))
    return values, first, inverse if inverse is None else inverse.reshape(-1), counts


def _inverse(order: Array) -> Array:
    found = np.empty_like(order)
    found[order] = np.arange(len(order))
    return found


def _has_table(x: Array) -> bool:
    """Whether elements are integers that `_numbered` takes, and enough to be worth a kernel."""
    return x.dtype.kind in "iu" and few.MOST <= x.size <= np.iinfo(np.int32).max


def _numbered(flat: Array) -> tuple[Array, Array, Array]:
    """The different integers as they first occur, where they do, and the number of each element: by
    a hash table of at least two slots for each."""
    keys = np.require(flat, np.int64, "A")
    table = np.empty(2 << (flat.size - 1).bit_length(), np.int32)
    different, first, numbers = (np.empty(flat.size, np.int64) for _ in range(3))
    found, factor, count = np.empty(1, np.int64), _GOLDEN, -1
    while count < 0:
        table.fill(-1)
        _numbering()(keys, table, different, first, numbers, found, factor)
        # For each factor there are keys that come to lie in a row.
        count, factor = int(found[0]), randbits(62) | 1
    return different[:count].astype(flat.dtype), first[:count].copy(), numbers


@lru_cache(None)
def _numbering() -> Kernel:
    return compile(template(__file__, "mlir/distinct.mlir").template, threads=1)
