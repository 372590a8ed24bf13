"""Small updates by an array of coordinates: what depends on types and ranks alone is looked up."""

from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.functions import widths
from mlir_gs.execution.functions.elements import carried

Array = np.ndarray[Any, Any]

_writers: dict[tuple[Any, ...], Kernel] = {}


def write(target: Array, index: Any, values: Any, body: str, wrap: bool) -> bool:
    """`target[index] = body(target[index], values)` in mode `drop`, if a kernel for such arrays is
    known; False if nothing was done. `target`: C-contiguous, not shared with `values`."""
    if type(index) is not np.ndarray or type(values) is not np.ndarray:
        return False
    run = _writers.get((body, wrap, target.dtype, target.ndim, index.dtype, values.dtype))
    if run is None or index.ndim != 1 or values.size >= widths.LEAST:
        return False
    if values.shape != index.shape + target.shape[1:]:
        return False
    run(values, index, target)
    return True


def remember(
    run: Kernel, target: Array, index: Any, values: Any, body: str, mode: str, wrap: bool
) -> None:
    """`run`, which has updated `target`, is for calls of `write` like this one."""
    if mode != "drop" or target.ndim not in (1, 2) or type(index) is not np.ndarray:
        return
    if type(values) is not np.ndarray or values.shape != index.shape + target.shape[1:]:
        return
    native = index.dtype.kind in "iu" and index.dtype.isnative
    if index.ndim == 1 and native and (body != "move" or carried(target) is target):
        _writers[body, wrap, target.dtype, target.ndim, index.dtype, values.dtype] = run
