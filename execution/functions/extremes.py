"""The rows that have the least or greatest elements of their segments, in one pass."""

from functools import lru_cache
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.functions import widths
from mlir_gs.execution.functions.elements import computed, coordinate, coordinates, is_unsigned

Array = np.ndarray[Any, Any]


def rows(body: str, data: Array, ids: Array, segments: int) -> Array:
    """For each of so many `segments` the first row of `data`, [n, ...], with id that has its least
    (`body` "min") or greatest ("max") element, NaN if one is; n for an empty one. Ids out of
    bounds are dropped."""
    computed(data.dtype)  # TypeError for elements that are only moved, and others.
    if data.dtype.itemsize == 1 and data.dtype.kind not in "iub":
        # NumPy cannot sort these where one is NaN; float32 holds them all.
        data = data.astype(np.float32)
    elif data.dtype.kind == "c":
        # Loops do not compare these: numbers of the different elements, which have their order, do.
        inverse = np.unique(data, return_inverse=True)[1].reshape(data.shape)
        data = np.where(data == data, inverse, -1 if body == "min" else data.size)
    found = np.full((segments, *data.shape[1:]), len(data), np.int64)
    if not found.size or not data.size:
        return found
    flat = np.ascontiguousarray(data).reshape(len(data), -1)
    unsigned = is_unsigned(flat.dtype) or flat.dtype == np.bool_
    if unsigned:
        # Only a comparison asks for the sign.
        flat = flat.view(np.dtype(f"i{flat.itemsize}"))
    kind = computed(flat.dtype), coordinate(ids.dtype), body, unsigned
    width = widths.known_width(("extremes", kind), flat.shape[1], flat.size)
    best = np.empty((segments, flat.shape[1]), flat.dtype)
    run = _kernel(*kind, "?" if width is None else str(width))
    run(flat, coordinates(ids), best, found.reshape(best.shape))
    return found


@lru_cache(None)
def _kernel(t: str, ids: str, body: str, unsigned: bool, width: str) -> Kernel:
    if t.startswith("i"):
        order = ("u" if unsigned else "s") + ("lt" if body == "min" else "gt")
        better = f"%better = arith.cmpi {order}, %x, %b : {t}"
    else:
        order = "ult" if body == "min" else "ugt"
        better = f"""%beyond = arith.cmpf {order}, %x, %b : {t}
    %number = arith.cmpf ord, %b, %b : {t}
    %better = arith.andi %beyond, %number : i1"""
    x, y = f"tensor<?x{width}x{t}>", f"tensor<?x{width}xi64>"
    return compile(f"""
func.func @f(%data: {x}, %ids: tensor<?x{ids}>, %best: {x} {{bufferization.writable = true}},
    %rows: {y} {{bufferization.writable = true}}) -> {y} {{
  %c0 = arith.constant 0 : index
  %size = tensor.dim %data, %c0 : {x}
  %n = arith.index_cast %size : index to i64
  %new = tensor.empty(%size) : tensor<?xi64>
  %numbers = linalg.generic {{
      indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]
    }} outs(%new : tensor<?xi64>) {{
  ^bb0(%old: i64):
    %position = linalg.index 0 : index
    %number = arith.index_cast %position : index to i64
    linalg.yield %number : i64
  }} -> tensor<?xi64>
  %0, %1 = gs.generic (i, j) [s = %ids[i] mode(fill_or_drop)]
      ins(%data[i, j], %numbers[i]) outs(%best[s, j], %rows[s, j])
      iterators(i = reduction, j = parallel)
      : ({x}, tensor<?xi64>, tensor<?x{ids}>, {x}, {y}) -> ({x}, {y}) {{
  ^bb0(%x: {t}, %i: i64, %b: {t}, %row: i64):
    {better}
    %empty = arith.cmpi eq, %row, %n : i64
    %taken = arith.ori %empty, %better : i1
    %value = arith.select %taken, %x, %b : {t}
    %place = arith.select %taken, %i, %row : i64
    gs.yield %value, %place : {t}, i64
  }}
  return %1 : {y}
}}""")
