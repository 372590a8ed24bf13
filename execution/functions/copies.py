"""Copies of arrays, and of views that are reversed or have steps, which are compiled for."""

from functools import cache, lru_cache
from typing import Any

import numpy as np
from mlir_gs._texts import template
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.call.memory import KEPT, LARGE, MANY, at_lines, empty
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.functions import few
from mlir_gs.execution.functions.elements import carried, moved
from mlir_gs.execution.machine import openmp

Array = np.ndarray[Any, Any]

_SHARED = 1 << 16
"""Elements from which several threads are."""

_STEPS = (-4, -3, -2, -1, 2, 3, 4)
"""Steps of the last dim for which elements are shuffled in vectors."""

_PIECE = 1 << 12
"""Elements of a row of its own that threads share."""

_SHORT = 16
"""Elements of a reversed row up to which many rows are one vector."""


def sliced(x: Any, index: Any) -> Array | None:
    """`x[index]` as a new array, if `index` is made of slices and `copied` is for what it gives."""
    if type(x) is not np.ndarray or x.size < few.VIEW:
        return None
    if not few.are_slices(index if type(index) is tuple else (index,)):
        return None
    try:
        view = x[index]
    except (IndexError, TypeError):
        # Others have words for it.
        return None
    return copied(view)


def copied(view: Array) -> Array | None:
    """The view as a new C-contiguous array; None where a kernel for its step is not worth it: for
    small ones, for other steps of its last dim, for dims before that which are not as one, and for
    complex numbers of 16 bytes, which vectors do not hold."""
    size = view.itemsize
    if (
        not view.ndim
        or view.size < few.VIEW
        or size >= 16
        or view.strides[-1] not in [n * size for n in _STEPS]
    ):
        return None
    rows = _as_rows(carried(view))
    if rows is None:
        return None
    result = empty(rows.shape, rows.dtype)
    width, shared = rows.shape[1], rows.size >= _SHARED
    whole, element = rows[:, ::-1], moved(view.dtype)
    if width <= _SHORT and whole.flags.c_contiguous:
        # Rows that lie one after the other, each reversed.
        _reversed(element, width, size, shared)(whole.reshape(-1), result.reshape(-1))
    else:
        step = rows.strides[1] // size
        run = _stepped(element, step, size, shared)
        for some, new in _pieces(rows, result) if shared else [(rows, result)]:
            run(_spanned(some, step), new)
    result = result.reshape(view.shape)
    return result if result.dtype == view.dtype else result.view(view.dtype)


def whole(x: Array, placed: Any = None) -> Array:
    """`x` as a new C-contiguous array, in which `placed` will be: threads share a large one."""
    many = type(placed) is np.ndarray and placed.nbytes >= MANY
    # Larger arrays than glibc keeps lie in blocks, on one thread too.
    alone = x.nbytes < LARGE or (x.nbytes <= KEPT and openmp.wanted_threads(None) == 1)
    if not x.flags.c_contiguous or x.dtype.hasobject or (alone and not many):
        return x.copy()
    if alone:
        result = at_lines(x.shape, x.dtype, placed.nbytes)
        np.copyto(result, x)
        return result
    return _whole()(x.reshape(-1).view(np.int8)).view(x.dtype).reshape(x.shape)


@cache
def _whole() -> Kernel:
    return compile("func.func @f(%x: tensor<?xi8>) -> tensor<?xi8> { return %x : tensor<?xi8> }")


def _as_rows(view: Array) -> Array | None:
    """A view of two dims with the same elements, None if there is none."""
    if view.ndim == 2:
        return view
    sizes, steps = view.shape, view.strides
    for dim in range(1, view.ndim - 1):
        if steps[dim - 1] != sizes[dim] * steps[dim]:
            return None
    return view.reshape(-1, sizes[-1])


def _pieces(rows: Array, result: Array) -> list[tuple[Array, Array]]:
    """The two, of which a single long row is cut into several, and what is left of it."""
    many = rows.shape[1] // _PIECE if len(rows) == 1 else 0
    if not many:
        return [(rows, result)]
    size = many * _PIECE
    whole = rows[:, :size].reshape(many, _PIECE), result[:, :size].reshape(many, _PIECE)
    rest = rows[:, size:], result[:, size:]
    return [whole, rest] if rest[0].size else [whole]


def _spanned(rows: Array, step: int) -> Array:
    """All elements between those of `rows` too, ascending."""
    low = rows if step > 0 else rows[:, ::-1]
    if abs(step) == 1:
        return low
    shape = (len(rows), (rows.shape[1] - 1) * abs(step) + 1)
    return np.lib.stride_tricks.as_strided(low, shape, (rows.strides[0], rows.itemsize))


_VECTOR = 64
"""Bytes of a vector."""


@lru_cache(None)
def _stepped(element: str, step: int, itemsize: int, shared: bool) -> Kernel:
    """From rows of all elements from the first to the last that count, ascending."""
    size, lanes = abs(step), _VECTOR // itemsize
    spread = lanes * size
    order = [k * size for k in range(lanes)]
    final, ending = [k + size - 1 for k in order], "%edge"
    first, place = (f"%{name} = arith.addi %moved, %c0 : index" for name in ("first", "place"))
    if step < 0:
        final, ending = order[::-1], "%c0"
        order = [spread - 1 - k for k in order]
        place = "%place = arith.subi %end, %moved : index"
        first = """%ends = arith.subi %length, %moved : index
        %first = arith.subi %ends, %spread : index"""
    text = template(__file__, "mlir/stepped.mlir").substitute(
        source=f"memref<?x?x{element}, strided<[?, 1], offset: ?>>", element=element, step=size,
        lanes=lanes, spread=spread, order=order, first=first, place=place, final=final,
        ending=ending,
    )  # fmt: skip
    return compile(text, threads=None if shared else 1)


@lru_cache(None)
def _reversed(element: str, width: int, itemsize: int, shared: bool) -> Kernel:
    """As many rows as a vector holds at once. What is left of the vector is written as it is, and
    then by the rows that come there."""
    lanes = _VECTOR // itemsize
    lanes = lanes if lanes >= width else _SHORT
    used = lanes // width * width
    order = [first + width - 1 - k for first in range(0, used, width) for k in range(width)]
    text = template(__file__, "mlir/reversed.mlir").substitute(
        element=element, width=width, lanes=lanes, used=used, spare=lanes - 1, block=used * 256,
        order=order + list(range(used, lanes)), short=order[:width],
    )  # fmt: skip
    return compile(text, threads=None if shared else 1)
