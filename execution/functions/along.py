"""`take_along_axis` and `put_along_axis`: one element for each index, as NumPy has them."""

import math
from functools import lru_cache, partial
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.functions import copies, frameworks, widths
from mlir_gs.execution.functions.access import write
from mlir_gs.execution.functions.elements import (
    carried,
    converted,
    coordinate,
    coordinates,
    filling,
    integers,
    lie_apart,
    moved,
    wrapped,
)
from mlir_gs.execution.functions.indexing import match
from mlir_gs.execution.functions.kernels import Again, kernel, supposing_inside
from mlir_gs.execution.functions.shapes import axis_number, refuse_outside
from mlir_gs.execution.functions.spec import Coordinates, Operand, Spec, dims
from mlir_gs.execution.functions.take import MODES

Array = np.ndarray[Any, Any]

# Where NumPy has no modes these are JAX's: negative indices count from the end before they clip.
_READS = {**MODES, "clip": ("clip", True)}
_WRITES = {**_READS, "drop": ("drop", True)}
del _WRITES["fill"]


_direct: dict[Any, tuple[Kernel, tuple[Any, ...] | None, np.dtype[Any] | None]] = {}
"""For calls without options by what their kernel depends on: that kernel, which part of the indices
it takes, if not all, and what it takes the elements as if not as they are."""

_again: Again[tuple[Kernel, tuple[Any, ...] | None, np.dtype[Any] | None]] = Again()
"""The same by types and shapes."""

_puts: Again[tuple[Kernel, Any]] = Again()
"""For writes of as many values as there are indices, or of one, by types, shapes and strides: the
kernel, and which part of the values it takes."""


def take_along_axis(
    arr: Any, indices: Any, axis: int | None = -1, *, mode: str = "raise", fill_value: Any = None
) -> Any:
    """`arr` at `indices` along `axis`, as `numpy.take_along_axis`.

    `arr` and `indices` have one rank, and their shapes broadcast but along `axis`. `axis`: None
    takes from the flattened `arr` at 1-D `indices`. `mode` and `fill_value` as for `take`; "clip",
    an addition to NumPy, is that of `jax.numpy.take_along_axis`: negative indices
    count from the end, and those out of bounds then give the nearest element.

    Raises IndexError, ValueError for shapes and `mode`, TypeError for elements that `gs` does not
    hold.
    """
    call = None
    is_plain = type(arr) is type(indices) is np.ndarray and type(axis) is int
    if is_plain and lie_apart(indices):
        indices = np.ascontiguousarray(indices)
    if is_plain and mode == "raise" and arr.ndim == indices.ndim:
        call = arr.dtype, arr.shape, indices.dtype, indices.shape, indices.strides, axis
        known = _again.get(call)
        if known is None:
            known = _direct.get(_key(arr, indices, axis))
            if known is not None:
                _again.keep(call, known)
        if known is not None:
            run, places, other = known
            try:
                elements = arr if other is None else arr.view(other)
                found = run(elements, indices if places is None else indices[places])
                return found if other is None else found.view(arr.dtype)
            except (IndexError, ValueError):
                # The other way says which, and copies what is not aligned.
                pass
    name, wrap = _named(mode, _READS)
    x, numbers, axis = _matched(arr, indices, axis)
    size = x.shape[axis]
    shape = _shape(x, numbers, axis)
    where = _coordinates(numbers, size, shape, mode)
    wanted = (*shape[:axis], size, *shape[axis + 1 :])
    extra = (carried(filling(fill_value, x.dtype)),) if mode == "fill" else ()
    # Where the same index is for all of a dim, slices are moved.
    varying = tuple(d for d in range(x.ndim) if d == axis or not _is_repeated(where, shape, d))
    kind = (x.ndim, axis, moved(x.dtype), coordinate(where.dtype), varying)
    source, places = carried(np.broadcast_to(x, wanted)), np.broadcast_to(where, shape)
    taken = tuple(slice(None) if d in varying else 0 for d in range(x.ndim))
    places = places[taken]
    width = None
    if x.ndim - 1 not in varying:
        width = widths.known_width(kind, shape[-1], math.prod(shape))

    def plain() -> tuple[Kernel, Any]:
        run = _along(*kind, "error", False, width)
        return run, run(source, places)

    def careful() -> tuple[Kernel, Any]:
        run = _along(*kind, name, wrap, width)
        return run, run(source, *extra, places)

    try:
        run, result = supposing_inside((kind, mode), plain, careful)
    except IndexError:
        refuse_outside(numbers, axis, size)
        raise
    key = None if call is None else _key(arr, indices, call[-1])
    if key is not None and x is arr and where is indices:
        other = None if result.dtype == x.dtype else result.dtype
        _direct[key] = known = run, None if len(varying) == x.ndim else taken, other
        _again.keep(call, known)
    result = result if result.dtype == x.dtype else result.view(x.dtype)
    return frameworks.back(arr, indices)(result)


def put_along_axis(
    arr: Any,
    indices: Any,
    values: Any,
    axis: int | None,
    *,
    inplace: bool = True,
    mode: str = "raise",
) -> Any:
    """Write `values` into `arr` at `indices` along `axis`, as `numpy.put_along_axis`.

    `arr` and `indices` as for `take_along_axis`; `values` broadcasts to their common shape and is
    converted to the dtype of `arr`. `arr` is written and None returned; with `inplace=False`, as
    JAX wants it, `arr` stays as it is and a copy is returned. Of several values for an element
    the last one stays. `mode` is an addition to NumPy: "raise", "wrap" and "clip" as for
    `take_along_axis`; "drop" writes nothing for an index out of bounds.

    Raises IndexError before anything is written, ValueError for shapes and an `arr` that cannot
    be written, TypeError for elements that `gs` does not hold.
    """
    call, new = None, values
    is_plain = type(arr) is type(indices) is np.ndarray and type(axis) is int and inplace
    if is_plain and isinstance(new, int | float | np.generic):
        new = converted(new, arr.dtype)
    if is_plain and mode == "raise" and type(new) is np.ndarray and new.dtype == arr.dtype:
        call = arr.dtype, arr.shape, indices.dtype, indices.shape, indices.strides, axis
        call = *call, new.shape, new.strides
        known = _puts.get(call)
        if known and arr.flags.writeable and not _share(arr, indices, new):
            try:
                made, places = known
                made(carried(new[places]), indices, carried(arr))
                return None
            except (IndexError, ValueError):
                # Nothing is written; the other way says why, and copies what is not aligned.
                pass
    name, wrap = _named(mode, _WRITES)
    if inplace and frameworks.is_jax(arr):
        raise ValueError("arrays of JAX cannot be written: use inplace=False")
    target = frameworks.memory(arr)
    if not inplace:
        target = copies.whole(frameworks.array(arr))
    elif not frameworks.is_writable(arr):
        raise TypeError(f"arr must be an array that can be written, found {type(arr).__name__}")
    elif not target.flags.writeable:
        raise ValueError("arr cannot be written: it is read-only")
    ready = frameworks.array(target)
    flat = ready.reshape(-1) if axis is None else ready
    x, numbers, number = _matched(flat, indices, 0 if axis is None else axis)
    size = x.shape[number]
    shape = _shape(x, numbers, number)
    where = _coordinates(numbers, size, shape, mode)
    new = converted(frameworks.plain(new), x.dtype)
    spread = np.broadcast_to(new, shape)
    if _share(x, where):
        where = where.copy()
    if _share(x, new):
        spread = spread.copy()
    wide = (*shape[:number], x.shape[number], *shape[number + 1 :])
    if wide != x.shape:
        # A dim of 1 that the indices repeat: its elements are written more than once.
        write(x, match(_index(x, where, number), x.shape), spread, "move", name, wrap)
        return _written(arr, indices, target, flat, inplace)
    # A dim along which the values are one has no place in them.
    given = tuple(d for d, size in enumerate(shape) if spread.strides[d] or not size)
    taken = tuple(slice(None) if dim in given else 0 for dim in range(x.ndim))
    spread = spread[(*taken, ...)]
    kind = x.ndim, number, moved(x.dtype), coordinate(where.dtype), tuple(range(x.ndim))

    def run(name: str, wrap: bool) -> Kernel:
        made = _along(*kind, name, wrap, given=given)
        made(carried(spread), np.broadcast_to(where, shape), carried(x))
        return made

    try:
        # Nothing is written before an error.
        made = supposing_inside(
            (kind, mode), partial(run, "error", False), partial(run, name, wrap)
        )
    except IndexError:
        refuse_outside(numbers, number, size)
        raise
    is_own = x is arr and where is indices and shape == where.shape
    if call is not None and is_own and new.shape in ((), shape):
        _puts.keep(call, (made, (*taken, ...) if new.ndim else ...))
    return _written(arr, indices, target, flat, inplace)


def _written(arr: Any, indices: Any, target: Array, flat: Array, inplace: bool) -> Any:
    """What a write into `flat` returns, which is `target`, or a copy that goes into it now."""
    if not np.may_share_memory(flat, target):
        target[...] = flat.reshape(target.shape)
    return None if inplace else frameworks.back(arr, indices)(target)


def _share(target: Array, *read: Array) -> bool:
    """Whether memory that is written may be that of another array."""
    return any(np.may_share_memory(each, target) for each in read)


def _named(mode: str, modes: dict[str, tuple[str, bool]]) -> tuple[str, bool]:
    if mode not in modes:
        raise ValueError(f"mode must be one of {', '.join(modes)}, found {mode!r}")
    return modes[mode]


def _matched(arr: Any, indices: Any, axis: int | None) -> tuple[Array, Array, int]:
    """The array, the indices and the axis. Raises ValueError where their ranks differ."""
    x, where = frameworks.array(arr), integers(frameworks.plain(indices), "`indices`")
    if axis is None:
        x, axis = x.reshape(-1), 0
        if where.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
    if x.ndim != where.ndim:
        raise ValueError(
            f"`indices` and `arr` must have the same number of dimensions,"
            f" found {where.ndim} and {x.ndim}"
        )
    return x, where, axis_number(axis, x.ndim)


def _coordinates(numbers: Array, size: int, shape: tuple[int, ...], mode: str) -> Array:
    """What the kernel gets. Raises IndexError where there is nothing to clip or wrap to."""
    if mode in ("clip", "wrap") and size == 0 and 0 not in shape:
        raise IndexError(f"mode {mode!r} needs an element, and the axis is empty")
    return coordinates(wrapped(numbers, size) if mode == "wrap" and size else numbers)


def _shape(x: Array, indices: Array, axis: int) -> tuple[int, ...]:
    """The shape of the result. Raises IndexError, as NumPy, where there is none."""
    shape = []
    for dim, (size, other) in enumerate(zip(x.shape, indices.shape, strict=True)):
        if dim == axis or size == other or size == 1:
            shape.append(other)
        elif other == 1:
            shape.append(size)
        else:
            raise IndexError(
                "shape mismatch: indexing arrays could not be broadcast together with shapes"
                f" {x.shape} and {indices.shape} along dim {dim}"
            )
    return tuple(shape)


def _key(x: Array, indices: Array, axis: Any) -> Any:
    """What the kernel of a call depends on, whose shapes are equal but along the axis and where
    there is one index for a dim; None for others."""
    sizes, others = x.shape, indices.shape
    if not -x.ndim <= axis < x.ndim:
        return None
    place = axis % x.ndim
    varying = []
    for dim, (size, other) in enumerate(zip(sizes, others, strict=True)):
        if dim != place and other not in (size, 1):
            return None
        varying.append(dim == place or not _is_repeated(indices, sizes, dim))
    fixed = None
    if not varying[-1]:
        fixed = widths.fixed(sizes[-1], x.size // (sizes[place] or 1) * others[place])
    return x.dtype, indices.dtype, place, *varying, fixed


def _is_repeated(where: Array, shape: tuple[int, ...], dim: int) -> bool:
    """Whether all indices along a dim are one."""
    return shape[dim] > 1 and (where.shape[dim] == 1 or where.strides[dim] == 0)


def _index(x: Array, indices: Array, axis: int) -> tuple[Array, ...]:
    """The same elements as one index expression."""
    grid = np.ogrid[tuple(slice(size) for size in x.shape)]
    return tuple(indices if dim == axis else places for dim, places in enumerate(grid))


@lru_cache(None)
def _along(
    rank: int, axis: int, element: str, kind: str, varying: tuple[int, ...], mode: str, wrap: bool,
    width: int | None = None, given: tuple[int, ...] | None = None,
) -> Kernel:  # fmt: skip
    """`given`: for writes, which dims the values have."""
    addressed = Operand(element, tuple("s0" if d == axis else f"d{d}" for d in range(rank)))
    writes = given is not None
    plain = Operand(element, tuple(f"d{d}" for d in given) if writes else dims(rank))
    source, output = (plain, addressed) if writes else (addressed, plain)
    return kernel(
        Spec(
            rank, (source,), (Coordinates(kind, (tuple(f"d{d}" for d in varying),)),), output,
            "move", mode, wrap, mode == "fill", fresh=not writes, width=width,
        )
    )  # fmt: skip
