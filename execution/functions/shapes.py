"""What the functions share: axes, given results, and errors with NumPy's words."""

from typing import Any

import numpy as np
from mlir_gs.execution.functions import frameworks

Array = np.ndarray[Any, Any]


def axis_number(axis: int, rank: int) -> int:
    """`axis` as a number of 0 or more. Raises numpy.exceptions.AxisError."""
    if not -rank <= axis < rank:
        raise np.exceptions.AxisError(axis, rank)
    return axis % rank


def refuse_outside(indices: Array, axis: int, size: int, wrap: bool = True) -> None:
    """Raise the IndexError that NumPy raises for the first index out of bounds."""
    bad = (indices < (-size if wrap else 0)) | (indices >= size)
    if bad.any():
        first = indices[bad][0]
        raise IndexError(f"index {first} is out of bounds for axis {axis} with size {size}")


def store(result: Array, out: Any) -> Any:
    """Write `result` into `out` and return `out`. Raises ValueError for one that does not fit."""
    if not frameworks.is_writable(out):
        raise TypeError(f"out must be an array that can be written, found {type(out).__name__}")
    target = frameworks.array(out)
    if target.shape != result.shape:
        raise ValueError(f"out must have shape {result.shape}, found {target.shape}")
    np.copyto(target, result, casting="same_kind")
    return out
