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
    """`x[index]` in mode `clip` as a new array, if `index` is slices or an array that is in bounds,
    and names few elements; None otherwise. Raises TypeError for elements that `gs` does not hold.
    """
    if type(x) is not np.ndarray or not x.ndim:
        return None
    items: Any = index if type(index) is tuple else (index,)
    is_view = are_slices(items)
    # For several arrays a kernel takes less from the first point on.
    if not is_view and (len(items) > 1 or not _are_points_few(x, items[0])):
        return None
    try:
        if is_view or x.ndim == 1 or not x.flags.c_contiguous or items[0].dtype.char == "?":
            found = x[index]
        else:
            # This way copies rows whole.
            found = x.take(items[0], 0)
    except (IndexError, TypeError):
        # Some are out of bounds, or others have words for it.
        return None
    if is_view and found.size >= VIEW:
        return None
    moved(x.dtype)
    return found.copy() if is_view or not found.flags.c_contiguous else found


def are_slices(items: tuple[Any, ...]) -> bool:
    """Whether `items` make a view: slices, ellipses and new dims."""
    for item in items:
        if type(item) is not slice and item is not Ellipsis and item is not None:
            return False
    return True


def _are_points_few(x: Array, item: Any) -> bool:
    """Whether `item` is an array, for the first dim of `x`, that names few points; of a type that
    NumPy reads as `gs` does."""
    # Numbers of 64 bits without a sign are negative ones to NumPy.
    if type(item) is not np.ndarray or item.dtype.char not in "?bhilqBHI" or not item.ndim:
        return False
    return item.size < MOST and item.size * math.prod(x.shape[1:]) < widths.LEAST
