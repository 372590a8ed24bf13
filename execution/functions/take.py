"""`take`: slices along an axis, as `numpy.take`."""

from functools import lru_cache
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.functions import frameworks, widths
from mlir_gs.execution.functions.elements import (
    carried,
    coordinate,
    coordinates,
    filling,
    integers,
    lie_apart,
    moved,
    wrapped,
)
from mlir_gs.execution.functions.kernels import Again, kernel, supposing_inside
from mlir_gs.execution.functions.shapes import axis_number, given, may_hold, refuse_outside
from mlir_gs.execution.functions.spec import Coordinates, Operand, Spec, dims

Array = np.ndarray[Any, Any]

_direct: dict[tuple[Any, ...], tuple[Kernel, np.dtype[Any] | None]] = {}
"""For calls without options, by all that their kernel depends on: that kernel, and what it takes
the elements as if not as they are."""

_again: Again[tuple[Kernel, np.dtype[Any] | None]] = Again()
"""The same by types and shapes."""

MODES = {
    "raise": ("error", True),
    "wrap": ("wrap", False),
    "clip": ("clip", False),
    "fill": ("fill", True),
}
"""NumPy's and JAX's modes as those of `gs`, and whether negative indices count from the end."""


def take(
    a: Any,
    indices: Any,
    axis: int | None = None,
    out: Any = None,
    mode: str = "raise",
    *,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    fill_value: Any = None,
) -> Any:
    """`a` at `indices` along `axis`, as `numpy.take`: shape a[:axis] ++ indices ++ a[axis + 1:].

    `a`: any array. `indices`: integers of any shape. `axis`: None takes from the flattened array.
    `out`: an array of the shape of the result, written and returned. `mode`: "raise" (default)
    raises IndexError; "wrap" takes indices modulo the size; "clip" the nearest in bounds, negative
    ones 0, as NumPy and JAX do; "fill", as in JAX, gives `fill_value`, by default NaN; in a dtype
    that has none, the least signed integer, the greatest unsigned one, or True. Negative indices
    count from the end under "raise" and "fill". `unique_indices` and `indices_are_sorted` are
    promises; breaking one is undefined.

    Raises IndexError, ValueError for `mode`, `axis` or `out`, TypeError for elements that `gs`
    does not hold.
    """
    call = None
    promises = unique_indices, indices_are_sorted
    is_plain = type(a) is type(indices) is np.ndarray and (axis is None or type(axis) is int)
    if is_plain and mode == "raise":
        call = a.dtype, a.shape, indices.dtype, indices.shape, indices.strides, axis, promises
        known = _again.get(call)
        if known is None:
            known = _direct.get(_key(a, indices, axis, promises))
            if known is not None:
                _again.keep(call, known)
        if known is not None:
            run, other = known
            elements = a if other is None else a.view(other)
            try:
                if out is None:
                    found = run(elements, indices)
                    return found if other is None else found.view(a.dtype)
                if type(out) is np.ndarray and may_hold(out, a.dtype, (a, indices)):
                    run(elements, indices, out=out if other is None else out.view(other))
                    return out
            except (IndexError, ValueError):
                # Raised again, in NumPy's words.
                pass
    x = frameworks.array(a)
    numbers = integers(frameworks.plain(indices), bools=True)
    if axis is None or not x.ndim:
        axis = axis_number(axis or 0, 1)
        x = x if x.ndim == 1 else x.reshape(-1)
    else:
        axis = axis_number(axis, x.ndim)
    size = x.shape[axis]
    shape = x.shape[:axis] + numbers.shape + x.shape[axis + 1 :]
    if mode not in MODES:
        raise ValueError(f"mode must be raise, wrap, clip or fill, found {mode!r}")
    if mode in ("clip", "wrap") and size == 0 and numbers.size:
        if 0 not in shape:
            raise IndexError("cannot do a non-empty take from an empty axis")
        # Nothing is read.
        mode = "fill"
    name, wrap = MODES[mode]
    where = coordinates(wrapped(numbers, size) if mode == "wrap" else numbers)
    kind = (x.ndim, axis, where.ndim, moved(x.dtype), coordinate(where.dtype), *promises)
    width = None
    if axis < x.ndim - 1 and x.size:
        width = widths.known_width(kind, x.shape[-1], where.size * (x.size // size))
    extra = (carried(filling(fill_value, x.dtype)),) if mode == "fill" else ()
    target = direct = None
    if out is not None:
        target = given(out, shape)
        if target.ndim and may_hold(target, x.dtype, (x, where)):
            direct = carried(target)
    if 0 in shape:
        # Loops around nothing may take years.
        if mode == "raise":
            refuse_outside(numbers, axis, size)
        return frameworks.back(a, indices)(np.empty(shape, x.dtype)) if out is None else out

    def plain() -> tuple[Kernel, Any]:
        run = _taker(*kind, "error", False, width)
        return run, run(carried(x), where, out=direct)

    def careful() -> tuple[Kernel, Any]:
        run = _taker(*kind, name, wrap, width)
        return run, run(carried(x), *extra, where, out=direct)

    try:
        run, result = supposing_inside((kind, mode), plain, careful)
    except IndexError:
        refuse_outside(numbers, axis, size)
        raise
    key = None if call is None else _key(a, indices, call[-2], promises)
    if key is not None and x is a and where is indices and result.ndim:
        _direct[key] = known = run, None if result.dtype == x.dtype else result.dtype
        _again.keep(call, known)
    if direct is not None:
        return out
    if result.dtype != x.dtype:
        result = result.view(x.dtype)
    if target is not None:
        np.copyto(target, result, casting="same_kind")
        return out
    return frameworks.back(a, indices)(result if result.ndim else result[()])


def _key(a: Array, indices: Array, axis: int | None, promises: tuple[bool, bool]) -> Any:
    """What the kernel of a call depends on; None for calls that need a look at their arguments."""
    place = 0 if axis is None else axis
    if not -a.ndim <= place < a.ndim or lie_apart(indices):
        return None
    elements = indices.size * a.size // (a.shape[place] or 1)
    fixed = widths.fixed(a.shape[-1], elements) if a.ndim > 1 else None
    key = a.dtype, a.ndim, indices.dtype, indices.ndim, axis, promises, fixed
    return key if elements else None


@lru_cache(None)
def _taker(
    rank: int, axis: int, count: int, element: str, kind: str, unique: bool, sorted: bool,
    mode: str, wrap: bool, width: int | None,
) -> Kernel:  # fmt: skip
    total = rank - 1 + count
    return kernel(
        Spec(
            total,
            (Operand(element, (*dims(axis), "s0", *dims(rank - axis - 1, axis + count))),),
            (Coordinates(kind, (dims(count, axis),)),),
            Operand(element, dims(total)),
            "move", mode, wrap, mode == "fill", unique=unique, sorted=sorted,
            width=width,
        )
    )  # fmt: skip
