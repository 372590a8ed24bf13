"""How few elements NumPy counts and moves itself, as that takes less than the way to a kernel."""

import math
from typing import Any

import numpy as np
from mlir_gs.execution.functions import widths
from mlir_gs.execution.functions.elements import moved

Array = np.ndarray[Any, Any]

MOST = 1 << 10
"""Elements that are counted, read at coordinates or replaced under a mask: a call takes longer."""

VIEW = 1 << 12
"""Elements of a view that is copied, which NumPy does without looking at each."""


def read(x: Any, index: Any) -> Array | None:
    """`x[index]` in mode `clip` as a new array, if `index` is made of slices, or of arrays that are
    in bounds, and names few elements; None otherwise. Raises TypeError for elements that `gs` does
    not hold."""
    if type(x) is not np.ndarray or not x.ndim:
        return None
    items = index if type(index) is tuple else (index,)
    is_view = are_slices(items)
    if not is_view and not are_points_few(x, items):
        return None
    try:
        found = x[index] if is_view or x.ndim == len(items) else _rows(x, items)
    except (IndexError, TypeError):
        # Some are out of bounds, or others have words for it.
        return None
    if is_view and found.size >= VIEW:
        return None
    moved(x.dtype)
    return found.copy() if is_view or not found.flags.c_contiguous else found


def _rows(x: Array, items: tuple[Any, ...]) -> Array:
    """`x[items]` of arrays, by the way that copies rows whole. Raises IndexError."""
    if not x.flags.c_contiguous or "?" in [item.dtype.char for item in items]:
        return x[items]
    if len(items) == 1:
        return x.take(items[0], 0)
    count = len(items)
    try:
        flat = np.ravel_multi_index(items, x.shape[:count])
        return x.reshape(-1, *x.shape[count:]).take(flat, 0)
    except ValueError:
        # Some count from the end, or rows have no elements.
        return x[items]


def are_slices(items: tuple[Any, ...]) -> bool:
    """Whether `items` make a view: slices, ellipses and new dims."""
    for item in items:
        if type(item) is not slice and item is not Ellipsis and item is not None:
            return False
    return True


def are_points_few(x: Array, items: tuple[Any, ...]) -> bool:
    """Whether `items` are arrays of one shape, for the first dims of `x`, that name few points; of
    types that NumPy reads as `gs` does."""
    shape = None
    for item in items:
        # Numbers of 64 bits without a sign are negative ones to NumPy.
        if type(item) is not np.ndarray or item.dtype.char not in "?bhilqBHI":
            return False
        if shape is None:
            shape, size = item.shape, item.size
            row = math.prod(x.shape[len(items) :])
            if not shape or size >= MOST or size * row >= widths.LEAST:
                return False
        elif item.shape != shape:
            return False
    return shape is not None
