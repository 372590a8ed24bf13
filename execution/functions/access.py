"""Reading and writing an array through an index expression: one kernel, of few dims.

Dims that lie side by side are merged before the call, so that a kernel serves many ranks.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.functions import copies, direct, widths
from mlir_gs.execution.functions.elements import (
    carried,
    computed,
    coordinate,
    coordinates,
    moved,
)
from mlir_gs.execution.functions.indexing import Array, Indexed
from mlir_gs.execution.functions.kernels import kernel, supposing_inside
from mlir_gs.execution.functions.shapes import refuse_outside
from mlir_gs.execution.functions.spec import Coordinates, Operand, Spec, Where

Places = tuple[tuple[int, ...], ...]
"""For each array of coordinates the dims of the batch that it has."""


MOST_FILLED = 6
"""A kernel that fills reads each coordinate as an input too, after the array."""


def read(
    x: Array,
    at: Indexed,
    mode: str,
    wrap: bool = True,
    fill: Any = None,
    unique: bool = False,
    sorted: bool = False,
) -> Array:
    """`x[index]` as a new array. `fill`, of rank 0 and the dtype of `x`, goes with mode `fill`."""
    if at.outside:
        return np.full(at.shape, fill, x.dtype)
    view = x[(*at.view, ...)]
    if mode == "clip":
        _refuse_empty(at, x.shape)
    if 0 in at.shape:
        _refuse_outside(at, x.shape, mode, wrap)
        return np.empty(at.shape, x.dtype)
    copy = copies.copied(view) if view.ndim and not at.arrays else None
    if copy is not None:
        return copy.reshape(at.shape)
    filled = mode == "fill" and bool(at.arrays)
    if filled and len(at.arrays) > MOST_FILLED:
        return _filled_after(x, at, wrap, fill, unique, sorted)
    pattern, position, view = _merged(view, at.pattern, at.position)
    arrays, places = _batch(at)
    key = pattern, position, places, moved(x.dtype), _types(arrays), unique, sorted
    width = _width(key, view.shape, at.shape)
    extra = (carried(fill),) if filled else ()

    def plain() -> tuple[Kernel, Array]:
        run = _reader(*key, "error", False, False, width)
        return run, run(carried(view), *arrays)

    def careful() -> tuple[Kernel, Array]:
        run = _reader(*key, mode if arrays else "promise_in_bounds", wrap, filled, width)
        return run, run(carried(view), *extra, *arrays)

    checked = arrays and mode in ("clip", "error", "fill")
    try:
        run, result = supposing_inside((key, mode, wrap), plain, careful) if checked else careful()
    except IndexError:
        _refuse_outside(at, x.shape, mode, wrap)
        raise
    plain_index = pattern.rstrip("K") == "A" * len(at.arrays) and len(at.view) == x.ndim
    if arrays and plain_index and not (unique or sorted):
        direct.remember_read(run, x, at.arrays, result, mode, wrap)
    if result.dtype != x.dtype:
        result = result.view(x.dtype)
    return result if result.shape == at.shape else result.reshape(at.shape)


def write(
    x: Array,
    at: Indexed,
    values: Array,
    body: str,
    mode: str,
    wrap: bool = True,
    unique: bool = False,
    sorted: bool = False,
) -> None:
    """`x[index] = body(x[index], values)` in place, in the order of the index.

    `values` has the dtype of `x`, or for other bodies than "move" one that converts to it, shares
    no memory with it, and is broadcast. Raises ValueError where it cannot be.
    """
    given, values = values, _values(values, at.shape)
    if at.outside:
        return
    if mode == "clip":
        _refuse_empty(at, x.shape)
    if 0 in at.shape:
        _refuse_outside(at, x.shape, mode, wrap)
        return
    pattern, position, view = _merged(x[(*at.view, ...)], at.pattern, at.position)
    arrays, places = _batch(at)
    sizes = _sizes(pattern, position, places, view, arrays)
    # Loops over rows gain more without guards than it takes to look; those over elements look.
    looks = "K" in pattern and mode not in ("wrap", "promise_in_bounds") and bool(arrays)
    looks = looks and sum(array.size for array in arrays) >= widths.LEAST
    is_inside = looks and all(map(direct.inside, arrays, (x.shape[axis] for axis in at.axes)))
    wanted = mode, wrap
    if is_inside:
        mode, wrap = "promise_in_bounds", False
    values = np.broadcast_to(values, at.shape).reshape(sizes)
    present = tuple(dim for dim, stride in enumerate(values.strides) if stride)
    values = values[(*(slice(None) if stride else 0 for stride in values.strides), ...)]
    if body == "move":
        elements = (moved(x.dtype),) * 2
        view, values = carried(view), carried(values)
    else:
        elements = computed(values.dtype), computed(x.dtype)
    key = (
        pattern, position, places, present, elements, _types(arrays), body,
        mode if arrays else "promise_in_bounds", wrap, unique, sorted,
    )  # fmt: skip
    width = _width(key, view.shape, sizes)
    run = _writer(*key, width)
    try:
        run(values, *arrays, view)
    except IndexError:
        _refuse_outside(at, x.shape, mode, wrap)
        raise
    plain = arrays and len(present) in (len(sizes) if given.ndim else 0,)
    plain = plain and wanted[0] == "drop" and len(pattern) <= len(arrays) + 1
    if plain and pattern.rstrip("K") == "A" * len(arrays):
        direct.remember(run, x, at.arrays, given, body, wanted[1], (unique, sorted), is_inside)


def _filled_after(
    x: Array, at: Indexed, wrap: bool, fill: Any, unique: bool, sorted: bool
) -> Array:
    """Mode `fill` for more coordinates than one kernel takes: clip, then fill."""
    if any(x.shape[axis] == 0 for axis in at.axes):
        return np.full(at.shape, fill, x.dtype)
    result = read(x, at, "clip", wrap, None, unique, sorted)
    outside = np.zeros(at.batch, np.bool_)
    for array, axis in zip(at.arrays, at.axes, strict=True):
        outside |= (array < (-x.shape[axis] if wrap else 0)) | (array >= x.shape[axis])
    result[(*(slice(None),) * at.place, outside)] = fill
    return result


def _merged(view: Array, pattern: str, position: int) -> tuple[str, int, Array]:
    """The view with neighbouring kept dims as one dim wherever their strides allow it."""
    if "KK" not in pattern:
        return pattern, position, view
    shape, strides = list(view.shape), list(view.strides)
    kept = pattern.count("K")
    letters = list(pattern)
    for dim in range(len(letters) - 1, 0, -1):
        if letters[dim] != "K":
            continue
        kept -= 1
        if letters[dim - 1] != "K" or kept == position:
            continue
        if shape[dim] == 1:
            strides[dim] = strides[dim - 1]
        elif shape[dim - 1] != 1 and strides[dim - 1] != shape[dim] * strides[dim]:
            continue
        shape[dim - 1] *= shape.pop(dim)
        strides[dim - 1] = strides.pop(dim)
        del letters[dim]
        position -= kept < position
    if len(letters) == len(pattern):
        return pattern, position, view
    return "".join(letters), position, view.reshape(shape)


def _batch(at: Indexed) -> tuple[list[Array], Places]:
    """The coordinates over as few dims as they can have, and which dims each has."""
    batch = at.batch
    if not at.arrays:
        return [], ()
    arrays = [coordinates(array) for array in at.arrays]
    if all(array.shape == batch for array in arrays):
        if len(batch) > 1:
            arrays = [array.reshape(-1) for array in arrays]
        return arrays, ((0,),) * len(arrays)
    kept = [dim for dim, size in enumerate(batch) if size != 1]
    found, places = [], []
    for array in arrays:
        shape = (1,) * (len(batch) - array.ndim) + array.shape
        own = [dim for dim in kept if shape[dim] != 1]
        found.append(array.reshape([shape[dim] for dim in own]))
        places.append(tuple(kept.index(dim) for dim in own))
    return found, tuple(places)


def _sizes(
    pattern: str, position: int, places: Places, view: Array, arrays: Sequence[Array]
) -> list[int]:
    """The sizes of the iteration space."""
    kept = [size for size, letter in zip(view.shape, pattern, strict=True) if letter == "K"]
    batch = [0] * _rank(places)
    for array, place in zip(arrays, places, strict=True):
        for dim, size in zip(place, array.shape, strict=True):
            batch[dim] = size
    return [*kept[:position], *batch, *kept[position:]]


def _values(values: Array, shape: tuple[int, ...]) -> Array:
    """`values` without the leading dims of 1 that `shape` lacks; it can be broadcast to that."""
    extra = values.ndim - len(shape)
    if extra > 0 and values.shape[:extra] == (1,) * extra:
        values = values.reshape(values.shape[extra:])
    wanted = shape[len(shape) - values.ndim :]
    if values.ndim > len(shape) or any(
        size not in (1, other) for size, other in zip(values.shape, wanted, strict=True)
    ):
        raise ValueError(
            f"shape mismatch: values of shape {values.shape} cannot be broadcast to the indexed"
            f" elements, of shape {shape}"
        )
    return values


def _rank(places: Places) -> int:
    return 1 + max((dim for place in places for dim in place), default=-1)


def _width(key: tuple[Any, ...], view: Sequence[int], sizes: Sequence[int]) -> int | None:
    """The size of the last dim, if it is a kept one of the view that has a kernel of its own."""
    pattern, position = key[:2]
    if pattern.count("K") == position:
        return None
    return widths.known_width(key, view[pattern.rindex("K")], math.prod(sizes))


def _types(arrays: Sequence[Array]) -> tuple[str, ...]:
    return tuple(coordinate(array.dtype) for array in arrays)


def _nest(pattern: str, position: int, places: Places) -> tuple[int, Where, tuple[Where, ...]]:
    """The rank of the iteration space, where the view is addressed, where each coordinate is."""
    rank, kept, symbols = _rank(places), 0, 0
    where = []
    for letter in pattern:
        if letter == "A":
            where.append(f"s{symbols}")
            symbols += 1
        else:
            where.append(f"d{kept if kept < position else kept + rank}")
            kept += 1
    batch = tuple(tuple(f"d{position + dim}" for dim in place) for place in places)
    return kept + rank, tuple(where), batch


@lru_cache(None)
def _reader(
    pattern: str, position: int, places: Places, element: str, kinds: tuple[str, ...],
    unique: bool, sorted: bool, mode: str, wrap: bool, fill: bool, width: int | None,
) -> Kernel:  # fmt: skip
    rank, where, batch = _nest(pattern, position, places)
    return kernel(
        Spec(
            rank,
            (Operand(element, where),),
            tuple(Coordinates(kind, (place,)) for kind, place in zip(kinds, batch, strict=True)),
            Operand(element, tuple(f"d{dim}" for dim in range(rank))),
            "move", mode, wrap, fill, unique=unique, sorted=sorted, width=width,
        )
    )  # fmt: skip


@lru_cache(None)
def _writer(
    pattern: str, position: int, places: Places, present: tuple[int, ...],
    elements: tuple[str, str], kinds: tuple[str, ...], body: str, mode: str, wrap: bool,
    unique: bool, sorted: bool, width: int | None,
) -> Kernel:  # fmt: skip
    rank, where, batch = _nest(pattern, position, places)
    return kernel(
        Spec(
            rank,
            (Operand(elements[0], tuple(f"d{dim}" for dim in present)),),
            tuple(Coordinates(kind, (place,)) for kind, place in zip(kinds, batch, strict=True)),
            Operand(elements[1], where),
            body, mode, wrap, fresh=False, unique=unique, sorted=sorted, width=width,
        )
    )  # fmt: skip


def _refuse_outside(at: Indexed, shape: tuple[int, ...], mode: str, wrap: bool) -> None:
    """Raise the error that NumPy raises for the first coordinate out of bounds; none is looked at
    where broadcasting leaves none."""
    if mode != "error" or 0 in at.batch:
        return
    for array, axis in zip(at.arrays, at.axes, strict=True):
        refuse_outside(array, axis, shape[axis], wrap)


def _refuse_empty(at: Indexed, shape: tuple[int, ...]) -> None:
    for axis in () if 0 in at.batch else at.axes:
        if shape[axis] == 0:
            raise IndexError(f"axis {axis} has size 0: there is nothing to clip an index to")
