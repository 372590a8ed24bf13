"""What the functions share: axes, given results, and errors with NumPy's words."""

from collections.abc import Sequence
from itertools import repeat
from operator import index
from typing import Any

import numpy as np
from mlir_gs.execution.functions import frameworks

Array = np.ndarray[Any, Any]


def axis_number(axis: int, rank: int) -> int:
    """`axis` as a number of 0 or more. Raises numpy.exceptions.AxisError, TypeError."""
    if isinstance(axis, bool):
        raise TypeError("an integer is required for the axis")
    axis = index(axis)
    if not -rank <= axis < rank:
        raise np.exceptions.AxisError(axis, rank)
    return axis % rank


def refuse_outside(indices: Array, axis: int, size: int, wrap: bool = True) -> None:
    """Raise the IndexError that NumPy raises for the first index out of bounds."""
    bad = (indices < (-size if wrap else 0)) | (indices >= size)
    if bad.any():
        first = indices[bad][0]
        raise IndexError(f"index {first} is out of bounds for axis {axis} with size {size}")


def given(out: Any, shape: tuple[int, ...]) -> Array:
    """The array `out`. Raises TypeError for what cannot be written, ValueError for its shape."""
    if not frameworks.is_writable(out):
        raise TypeError(f"out must be an array that can be written, found {type(out).__name__}")
    target = frameworks.memory(out)
    if target.shape != shape:
        raise ValueError(f"out must have shape {shape}, found {target.shape}")
    return target


def may_hold(target: Array, dtype: Any, inputs: Sequence[Array]) -> bool:
    """Whether a kernel that reads `inputs` may write elements of `dtype` into `target`."""
    return (
        target.dtype == dtype
        and target.flags.writeable
        and target.flags.aligned
        and not any(map(np.may_share_memory, inputs, repeat(target)))
    )
