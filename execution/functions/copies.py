"""Views that are reversed or have steps in their last dim, as arrays: the step is compiled for."""

from functools import lru_cache
from string import Template
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.call.memory import empty
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.functions.elements import carried, moved

Array = np.ndarray[Any, Any]

LEAST = 1 << 12
"""Elements from which a kernel for a step pays."""

_SHARED = 1 << 16
"""Elements from which several threads are."""

_STEPS = (-4, -3, -2, -1, 2, 3, 4)
"""Steps of the last dim for which elements are shuffled in vectors."""

_SHORT = 16
"""Elements of a reversed row up to which many rows are one vector."""


def is_stepped(view: Array) -> bool:
    """Whether `copied` is for this view: large, with such a step in its last dim, the others as
    one, and no complex numbers of 16 bytes, which vectors do not hold."""
    return (
        view.size >= LEAST
        and view.itemsize < 16
        and view.strides[-1] in [step * view.itemsize for step in _STEPS]
        and _as_rows(view) is not None
    )


def copied(view: Array) -> Array:
    """The view as a new C-contiguous array of what `moved` carries its elements as."""
    rows = _as_rows(carried(view))
    assert rows is not None
    result = empty(rows.shape, rows.dtype)
    width, shared = rows.shape[1], rows.size >= _SHARED
    whole = rows[:, ::-1]
    if width <= _SHORT and whole.flags.c_contiguous:
        # Rows that lie one after the other, each reversed.
        _reversed(moved(view.dtype), width, shared)(whole.reshape(-1), result.reshape(-1))
    else:
        step = rows.strides[1] // rows.itemsize
        _stepped(moved(view.dtype), step, shared)(_spanned(rows, step), result)
    return result.reshape(view.shape)


def _as_rows(view: Array) -> Array | None:
    """A view of two dims with the same elements, None if there is none."""
    if view.ndim == 1:
        return view[None]
    steps = zip(
        view.shape[:-2], view.strides[:-2], view.shape[1:-1], view.strides[1:-1], strict=True
    )
    if any(outer != size * inner for _, outer, size, inner in steps):
        return None
    found = np.lib.stride_tricks.as_strided(
        view,
        (view.size // view.shape[-1], view.shape[-1]),
        (view.strides[-2], view.strides[-1]),
    )
    return found


def _spanned(rows: Array, step: int) -> Array:
    """All elements between those of `rows` too, ascending."""
    low = rows if step > 0 else rows[:, ::-1]
    shape = (len(rows), (rows.shape[1] - 1) * abs(step) + 1)
    return np.lib.stride_tricks.as_strided(low, shape, (rows.strides[0], rows.itemsize))


_LANES = 16

_STEPPED = Template("""
func.func @f(%rows: $source, %result: memref<?x?x$element>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %step = arith.constant $step : index
  %lanes = arith.constant $lanes : index
  %spread = arith.constant $spread : index
  %spare = arith.constant $spare : index
  %count = memref.dim %result, %c0 : memref<?x?x$element>
  %width = memref.dim %result, %c1 : memref<?x?x$element>
  %length = memref.dim %rows, %c1 : $source
  %end = arith.subi %length, %c1 : index
  %most = arith.subi %width, %spare : index
  %rest = arith.remui %most, %lanes : index
  %whole = arith.subi %most, %rest : index
  scf.parallel (%i) = (%c0) to (%count) step (%c1) {
    scf.for %j = %c0 to %whole step %lanes {
      %moved = arith.muli %j, %step : index
      $first
      %many = vector.load %rows[%i, %first] : $source, vector<${spread}x$element>
      %chosen = vector.shuffle %many, %many $order
        : vector<${spread}x$element>, vector<${spread}x$element>
      vector.store %chosen, %result[%i, %j] : memref<?x?x$element>, vector<${lanes}x$element>
    }
    scf.for %j = %whole to %width step %c1 {
      %moved = arith.muli %j, %step : index
      $place
      %one = memref.load %rows[%i, %place] : $source
      memref.store %one, %result[%i, %j] : memref<?x?x$element>
    }
    scf.reduce
  }
  return
}
""")


@lru_cache(None)
def _stepped(element: str, step: int, shared: bool) -> Kernel:
    """From rows of all elements from the first to the last that count, ascending."""
    size = abs(step)
    spread = _LANES * size
    order = [k * size for k in range(_LANES)]
    first, place = (f"%{name} = arith.addi %moved, %c0 : index" for name in ("first", "place"))
    if step < 0:
        order = [spread - 1 - k for k in order]
        place = "%place = arith.subi %end, %moved : index"
        first = """%ends = arith.subi %length, %moved : index
      %first = arith.subi %ends, %spread : index"""
    text = _STEPPED.substitute(
        source=f"memref<?x?x{element}, strided<[?, 1], offset: ?>>", element=element, step=size,
        lanes=_LANES, spread=spread, spare=int(size > 1), order=order, first=first, place=place,
    )  # fmt: skip
    return compile(text, threads=None if shared else 1)


_REVERSED = Template("""
func.func @f(%from: memref<?x$element>, %to: memref<?x$element>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = arith.constant $width : index
  %lanes = arith.constant $lanes : index
  %block = arith.constant $block : index
  %total = memref.dim %to, %c0 : memref<?x$element>
  scf.parallel (%start) = (%c0) to (%total) step (%block) {
    %next = arith.addi %start, %block : index
    %stop = arith.minui %next, %total : index
    %size = arith.subi %stop, %start : index
    %rest = arith.remui %size, %lanes : index
    %whole = arith.subi %stop, %rest : index
    scf.for %k = %start to %whole step %lanes {
      %row = vector.load %from[%k] : memref<?x$element>, vector<${lanes}x$element>
      %turned = vector.shuffle %row, %row $order
        : vector<${lanes}x$element>, vector<${lanes}x$element>
      vector.store %turned, %to[%k] : memref<?x$element>, vector<${lanes}x$element>
    }
    scf.for %k = %whole to %stop step %width {
      %row = vector.load %from[%k] : memref<?x$element>, vector<${width}x$element>
      %turned = vector.shuffle %row, %row $short
        : vector<${width}x$element>, vector<${width}x$element>
      vector.store %turned, %to[%k] : memref<?x$element>, vector<${width}x$element>
    }
    scf.reduce
  }
  return
}
""")

_ROWS = 16
"""Rows that one vector holds."""


@lru_cache(None)
def _reversed(element: str, width: int, shared: bool) -> Kernel:
    order = [row * width + width - 1 - k for row in range(_ROWS) for k in range(width)]
    text = _REVERSED.substitute(
        element=element, width=width, lanes=width * _ROWS, block=width * _ROWS * 256,
        order=order, short=order[:width],
    )  # fmt: skip
    return compile(text, threads=None if shared else 1)
