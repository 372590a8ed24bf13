"""Small calls with an array of coordinates: what depends on types and ranks alone is looked up."""

from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.functions import widths
from mlir_gs.execution.functions.elements import carried

Array = np.ndarray[Any, Any]

_readers: dict[tuple[Any, ...], Kernel] = {}
_writers: dict[tuple[Any, ...], Kernel] = {}


def read(x: Array, index: Any) -> Array | None:
    """`x[index]` in mode `clip`, if a kernel for such arrays is known; None otherwise."""
    if type(x) is not np.ndarray or type(index) is not np.ndarray:
        return None
    run = _readers.get((x.dtype, x.ndim, index.dtype))
    if run is None or index.ndim != 1 or not 0 < x.size < widths.LEAST:
        return None
    return run(x, index)


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


def remember_read(run: Kernel, x: Array, index: Any, result: Array, mode: str, wrap: bool) -> None:
    """`run`, which has read `x` at `index`, is for calls of `read` like this one."""
    if mode != "clip" or not wrap or x.ndim not in (1, 2) or type(index) is not np.ndarray:
        return
    native = index.dtype.kind in "iu" and index.dtype.isnative
    if index.ndim == 1 and native and carried(x) is x and result.shape[1:] == x.shape[1:]:
        _readers[x.dtype, x.ndim, index.dtype] = run


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
