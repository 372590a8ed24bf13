"""NumPy's index expressions, matched with a shape.

What is basic (ints, slices, new axes) is a view: sizes and strides of the array that a kernel
gets. What is left are coordinates along some dims of that view.
"""

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mlir_gs.execution.functions.elements import WIDE, integers, wrapped

Array = np.ndarray[Any, Any]

_FULL = slice(None)
_VALID = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean"
    " arrays are valid indices"
)


@dataclass(slots=True)
class Indexed:
    """An index expression on an array of some shape.

    `view`: its basic part, without new axes. `pattern` has K for each dim of that view that is
    kept, and A for each that one of `arrays` addresses; `axes` are the dims of the array that
    these were. `batch` is the shape that the arrays are broadcast to. `shape` is that of the
    result, in which the dims of `batch` stand behind `place` others, of which `position` are kept
    dims of the view. `outside`: an integer is out of bounds, and modes `fill` and `drop` allow it.
    """

    view: tuple[Any, ...]
    pattern: str
    position: int
    place: int
    arrays: list[Array]
    axes: list[int]
    batch: tuple[int, ...]
    shape: tuple[int, ...]
    outside: bool


def match(index: Any, shape: tuple[int, ...], mode: str = "error", wrap: bool = True) -> Indexed:
    """Match `index` with an array of `shape`.

    An integer out of bounds raises IndexError under mode `error`, is clamped under `clip` and
    `promise_in_bounds`, and is noted under `fill` and `drop`. `wrap`: a negative one counts from
    the end. Under mode `wrap` integers are taken modulo the size of their axis. Raises IndexError
    as NumPy does; otherwise the elements of arrays are not looked at.
    """
    if type(index) is np.ndarray and index.ndim and index.dtype.kind in "iu" and shape:
        # The common index, without the walk over items.
        rank, batch = len(shape), index.shape
        return Indexed(
            (_FULL,) * rank, "A" + "K" * (rank - 1), 0, 0, _in(mode, [index], shape), [0], batch,
            batch + shape[1:], False,
        )  # fmt: skip
    items = [_item(item) for item in (index if type(index) is tuple else (index,))]
    items = _with_ellipsis(items, shape)
    advanced = _advanced(items)
    together = not advanced or advanced[-1] - advanced[0] + 1 == len(advanced)
    view: list[Any] = []
    sizes: list[int] = []
    arrays: list[Array] = []
    axes: list[int] = []
    batches: list[tuple[int, ...]] = []
    pattern, position, place, axis, outside = "", 0, 0, 0, False
    for number, item in enumerate(items):
        if advanced and together and number == advanced[0]:
            position, place = pattern.count("K"), len(sizes)
        if item is None:
            sizes.append(1)
        elif item is Ellipsis:
            pass
        elif isinstance(item, slice):
            view.append(item)
            sizes.append(len(range(*item.indices(shape[axis]))))
            pattern += "K"
            axis += 1
        elif isinstance(item, bool):
            batches.append((int(item),))
        elif isinstance(item, int):
            value, missed = _integer(item, axis, shape[axis], mode, wrap)
            view.append(value)
            outside |= missed
            axis += 1
        else:
            for array in _arrays(item, axis, shape):
                view.append(_FULL)
                arrays.append(array)
                axes.append(axis)
                batches.append(array.shape)
                pattern += "A"
                axis += 1
    batch = _broadcast(batches)
    sizes[place:place] = batch
    if 0 not in batch:
        arrays = _in(mode, arrays, [shape[axis] for axis in axes])
    return Indexed(
        tuple(view), pattern, position, place, arrays, axes, batch, tuple(sizes), outside
    )


def _item(item: Any) -> Any:
    """An item as None, Ellipsis, a slice, a Python int or bool, or an array of one dim or more."""
    if item is None or item is Ellipsis or isinstance(item, bool | slice):
        return item
    if type(item) is int:
        return item
    given = item
    if not isinstance(item, np.ndarray):
        if isinstance(item, np.bool_):
            return bool(item)
        if hasattr(item, "__index__") and not hasattr(item, "__array__"):
            return operator.index(item)
        item = _array(item)
    if item.dtype != np.bool_:
        try:
            item = integers(given)
        except IndexError:
            raise IndexError(f"{_VALID}, found an array of {item.dtype}") from None
    return item if item.ndim else item.item()


def _array(item: Any) -> Array:
    if isinstance(item, str | bytes | float | complex | np.inexact):
        raise IndexError(f"{_VALID}, found {type(item).__name__}")
    try:
        found = np.asarray(item)
    except ValueError as error:
        raise IndexError(f"{_VALID}: {error}") from None
    # An empty list has no type of its own.
    return found if found.size else found.astype(WIDE)


def _advanced(items: Sequence[Any]) -> list[int]:
    """The numbers of the advanced items: where there is an array, ints are of them."""
    if not any(isinstance(item, np.ndarray | bool) for item in items):
        return []
    return [number for number, item in enumerate(items) if isinstance(item, np.ndarray | int)]


def _with_ellipsis(items: list[Any], shape: tuple[int, ...]) -> list[Any]:
    """The items, with slices for the dims of `shape` that they leave out."""
    used, ellipsis = 0, -1
    for number, item in enumerate(items):
        if item is Ellipsis:
            if ellipsis >= 0:
                raise IndexError("an index can only have a single ellipsis ('...')")
            ellipsis = number
        elif isinstance(item, np.ndarray):
            used += item.ndim if item.dtype == np.bool_ else 1
        elif item is not None and not isinstance(item, bool):
            used += 1
    left = len(shape) - used
    if left < 0:
        raise IndexError(
            f"too many indices for array: array is {len(shape)}-dimensional,"
            f" but {used} were indexed"
        )
    if ellipsis < 0:
        return items + [_FULL] * left
    return [*items[:ellipsis], *([_FULL] * left or [Ellipsis]), *items[ellipsis + 1 :]]


def _integer(item: int, axis: int, size: int, mode: str, wrap: bool) -> tuple[int, bool]:
    """The place of an integer, and whether it has none."""
    if mode == "wrap" and size:
        return item % size, False
    place = item + size if wrap and item < 0 else item
    if 0 <= place < size:
        return place, False
    if mode in ("fill", "drop"):
        return 0, True
    if mode == "error" or size == 0:
        raise IndexError(f"index {item} is out of bounds for axis {axis} with size {size}")
    return min(max(place, 0), size - 1), False


def _arrays(item: Array, axis: int, shape: tuple[int, ...]) -> Sequence[Array]:
    """The coordinates that an array stands for, along as many dims from `axis` on."""
    if item.dtype != np.bool_:
        return (item,)
    for dim, size in enumerate(item.shape):
        # NumPy takes a mask without elements for any size.
        if size not in (0, shape[axis + dim]):
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis + dim}; size of axis"
                f" is {shape[axis + dim]} but size of corresponding boolean axis is {size}"
            )
    return item.nonzero()


def _in(mode: str, arrays: Sequence[Array], sizes: Sequence[int]) -> list[Array]:
    """The arrays, modulo the sizes under mode `wrap`."""
    if mode != "wrap":
        return list(arrays)
    return [wrapped(array, size) for array, size in zip(arrays, sizes, strict=False)]


def _broadcast(shapes: list[tuple[int, ...]]) -> tuple[int, ...]:
    if len(shapes) < 2:
        return shapes[0] if shapes else ()
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        listed = " ".join(str(shape).replace(" ", "") for shape in shapes)
        raise IndexError(
            "shape mismatch: indexing arrays could not be broadcast together with shapes " + listed
        ) from None
