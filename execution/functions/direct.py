"""Small calls with arrays of coordinates: what depends on types and ranks alone is looked up."""

import math
from collections.abc import Sequence
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
    arrays = index if type(index) is tuple else (index,)
    if type(x) is not np.ndarray or not all(type(one) is np.ndarray for one in arrays):
        return None
    run = _readers.get((x.dtype, x.ndim, *[one.dtype for one in arrays]))
    if run is None or not x.size or any(one.shape != arrays[0].shape for one in arrays):
        return None
    rows = x.shape[: len(arrays)]
    if arrays[0].ndim != 1 or arrays[0].size * (x.size // math.prod(rows)) >= widths.LEAST:
        return None
    try:
        found = run(carried(x), *arrays)
    except IndexError:
        return None
    return found if found.dtype == x.dtype else found.view(x.dtype)


def write(target: Array, index: Any, values: Any, body: str, wrap: bool) -> Kernel | None:
    """`target[index] = body(target[index], values)` in mode `drop`, if a kernel for such arrays is
    known: that kernel; None if nothing was done. `index`: an array, or a tuple of arrays for the
    first dims. `target`: C-contiguous, not shared with `values`."""
    if type(values) is not np.ndarray or values.size >= widths.LEAST:
        return None
    if type(index) is tuple:
        return _write_at_tuples(target, index, values, body, wrap)
    if type(index) is not np.ndarray:
        return None
    run = _writers.get((body, wrap, target.dtype, target.ndim, index.dtype, values.dtype))
    if run is None or index.ndim != 1:
        return None
    if values.shape != index.shape + target.shape[1:]:
        return None
    run(values, index, target)
    return run


def _write_at_tuples(
    target: Array, index: tuple[Any, ...], values: Array, body: str, wrap: bool
) -> Kernel | None:
    """`write` for several coordinates of each point."""
    count = len(index)
    if not all(type(one) is np.ndarray and one.ndim == 1 for one in index):
        return None
    dtypes = tuple(one.dtype for one in index)
    run = _writers.get((body, wrap, target.dtype, (count, target.ndim), dtypes, values.dtype))
    if run is None or any(one.shape != index[0].shape for one in index):
        return None
    if values.shape != index[0].shape + target.shape[count:]:
        return None
    if not values.size:
        return run
    if target.ndim > count + 1:
        # The kernel has one dim for all that no coordinate is for.
        target = target.reshape(*target.shape[:count], -1)
        values = values.reshape(len(values), -1)
    run(values, *index, target)
    return run


def remember_read(
    run: Kernel, x: Array, arrays: Sequence[Array], result: Array, mode: str, wrap: bool
) -> None:
    """`run`, which has read `x` at `arrays` of coordinates for its first dims, all or all but one,
    is for calls of `read` like this one."""
    if mode != "clip" or not wrap or x.ndim - len(arrays) not in (0, 1):
        return
    native = all(one.dtype.kind in "iu" and one.dtype.isnative for one in arrays)
    flat = all(one.ndim == 1 and one.shape == arrays[0].shape for one in arrays)
    if flat and native and result.shape[1:] == x.shape[len(arrays) :]:
        _readers[(x.dtype, x.ndim, *[one.dtype for one in arrays])] = run


def remember(
    run: Kernel,
    target: Array,
    arrays: Sequence[Array],
    values: Any,
    body: str,
    mode: str,
    wrap: bool,
) -> None:
    """`run`, which has updated `target` at `arrays` of coordinates for its first dims, is for calls
    of `write` like this one."""
    if (
        mode != "drop"
        or type(values) is not np.ndarray
        or (body == "move" and carried(target) is not target)
    ):
        return
    count, first = len(arrays), arrays[0]
    native = all(one.dtype.kind in "iu" and one.dtype.isnative for one in arrays)
    flat = first.ndim == 1 and all(one.shape == first.shape for one in arrays)
    if not native or not flat or values.shape != first.shape + target.shape[count:]:
        return
    if count > 1:
        dtypes = tuple(one.dtype for one in arrays)
        _writers[body, wrap, target.dtype, (count, target.ndim), dtypes, values.dtype] = run
    elif target.ndim in (1, 2):
        _writers[body, wrap, target.dtype, target.ndim, first.dtype, values.dtype] = run
