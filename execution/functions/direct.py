"""Calls with arrays of coordinates: what depends on types, ranks and widths alone is looked up."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.functions import widths
from mlir_gs.execution.functions.elements import carried, converted, lie_apart, span

Array = np.ndarray[Any, Any]

_readers: dict[tuple[Any, ...], Kernel] = {}
_writers: dict[tuple[Any, ...], dict[bool, Kernel]] = {}
"""By whether many coordinates of rows were found inside, see `write` in access.py."""

_small: dict[tuple[Any, ...], Kernel] = {}
"""Kernels of small writes at one array of coordinates, by types and ranks."""


def read(x: Array, index: Any) -> Array | None:
    """`x[index]` in mode `clip`, if a kernel for such arrays is known; None otherwise."""
    arrays = index if type(index) is tuple else (index,)
    if type(x) is not np.ndarray or not x.size or not _are_alike(arrays):
        return None
    first = arrays[0]
    width = x.shape[-1] if x.ndim > len(arrays) else 1
    fixed = widths.fixed(width, first.size * width)
    run = _readers.get((x.dtype, x.ndim, fixed, *[one.dtype for one in arrays]))
    if run is None:
        return None
    try:
        found = run(carried(x), *arrays)
    except (IndexError, ValueError):
        # The other way says which is out of bounds, and copies what is not aligned.
        return None
    return found if found.dtype == x.dtype else found.view(x.dtype)


def write(
    target: Array,
    index: Any,
    values: Any,
    body: str,
    wrap: bool,
    promises: tuple[bool, bool] = (False, False),
) -> Kernel | None:
    """`target[index] = body(target[index], values)` in mode `drop`, if a kernel for such arrays is
    known: that kernel; None if nothing was done. `index`: an array, or a tuple of arrays for the
    first dims. `target`: C-contiguous, not shared with `values`. `promises`: that no element occurs
    twice, that coordinates ascend."""
    key = None
    if type(index) is type(values) is np.ndarray and values.ndim and values.size < widths.LEAST:
        key = (
            body, wrap, promises, target.dtype, target.ndim, values.dtype, values.ndim, index.dtype,
        )  # fmt: skip
        run = _small.get(key)
        if run and values.shape == index.shape + target.shape[1:] and values.size:
            if body == "move":
                target, values = carried(target), carried(values)
            return _ran(run, values, index, target)
    arrays = index if type(index) is tuple else (index,)
    if isinstance(values, int | float | np.generic):
        values = converted(values, target.dtype)
    if type(values) is not np.ndarray or not _are_alike(arrays):
        return None
    count, first = len(arrays), arrays[0]
    width = math.prod(target.shape[count:])
    kind = _key(target, arrays, width, values, body, wrap, promises)
    known = _writers.get(kind) if kind else None
    if known is None:
        return None
    many = target.ndim > count and len(first) * count >= widths.LEAST
    run = known.get(many and all(map(inside, arrays, target.shape)))
    if run is None or not first.size * width:
        return run
    if body == "move":
        target, values = carried(target), carried(values)
    if key is not None and target.ndim <= 2:
        _small[key] = run
    if target.ndim > count + 1:
        # The kernel has one dim for all that no coordinate is for.
        target = target.reshape(*target.shape[:count], width)
        values = values.reshape(len(values), width) if values.ndim else values
    return _ran(run, values, *arrays, target)


def _ran(run: Kernel, *arrays: Any) -> Kernel | None:
    """`run`, which ran, or None where arrays are not aligned: the other way copies these."""
    try:
        run(*arrays)
    except ValueError:
        return None
    return run


def inside(array: Array, size: int) -> bool:
    """Whether coordinates, of which there is one, are all in [0, size)."""
    negative, greatest = span(array)
    return not negative and greatest < size


def remember_read(
    run: Kernel, x: Array, arrays: Sequence[Array], result: Array, mode: str, wrap: bool
) -> None:
    """`run`, which has read `x` at `arrays` of coordinates for its first dims, all or all but one,
    is for calls of `read` like this one."""
    if mode != "clip" or not wrap or x.ndim - len(arrays) not in (0, 1):
        return
    if _are_flat(arrays) and result.shape[1:] == x.shape[len(arrays) :]:
        width = x.shape[-1] if x.ndim > len(arrays) else 1
        fixed = widths.fixed(width, result.size)
        _readers[(x.dtype, x.ndim, fixed, *[one.dtype for one in arrays])] = run


def remember(
    run: Kernel,
    target: Array,
    arrays: Sequence[Array],
    values: Any,
    body: str,
    wrap: bool,
    promises: tuple[bool, bool],
    is_inside: bool,
) -> None:
    """`run`, which has updated `target` at `arrays` of coordinates for its first dims, in mode
    `drop` or where they were found inside, is for calls of `write` like this one."""
    if type(values) is np.ndarray and _are_flat(arrays):
        width = math.prod(target.shape[len(arrays) :])
        key = _key(target, arrays, width, values, body, wrap, promises)
        if key is not None:
            _writers.setdefault(key, {})[is_inside] = run


def _key(
    target: Array, arrays: Sequence[Array], width: int, values: Array, *kind: Any
) -> tuple[Any, ...] | None:
    """By what the kernels of writes differ; None where there is neither one value for each element
    nor one for all."""
    count, first = len(arrays), arrays[0]
    if values.ndim and values.shape != first.shape + target.shape[count:]:
        return None
    return (
        *kind, target.dtype, target.ndim, values.dtype, not values.ndim,
        widths.fixed(width, first.size * width), *[one.dtype for one in arrays],
    )  # fmt: skip


def _are_flat(arrays: Sequence[Array]) -> bool:
    return _are_alike(arrays) and all(
        one.dtype.kind in "iu" and one.dtype.isnative for one in arrays
    )


def _are_alike(arrays: Sequence[Any]) -> bool:
    """Whether these are NumPy's arrays of rank 1 and of one size, at least one, that kernels read
    as they are."""
    shape = None
    for one in arrays:
        if type(one) is not np.ndarray or one.ndim != 1 or shape not in (None, one.shape):
            return False
        if lie_apart(one):
            return False
        shape = one.shape
    return shape is not None
