"""Cumulative values and ranks within groups, in the order of the rows."""

from functools import lru_cache
from typing import Any

import numpy as np
from mlir_gs._texts import template
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.functions import frameworks, widths
from mlir_gs.execution.functions.elements import computed, coordinate, coordinates, integers, span
from mlir_gs.execution.functions.elements import is_unsigned as unsigned
from mlir_gs.execution.functions.segments import identity

Array = np.ndarray[Any, Any]

_METHODS = ("average", "min", "max", "first", "dense")


def segment_cumsum(data: Any, segment_ids: Any) -> Any:
    """Each row of `data` plus the rows before it that have the same number in `segment_ids`.

    `data`: [n, ...]; `segment_ids`: n integers of 0 or more, in any order. The result has the shape
    of `data` and the dtype that `numpy.cumsum` gives: within a segment it is `numpy.cumsum` of its
    rows, added in their order.

    Raises ValueError for shapes and negative ids, IndexError for ids that are no integers,
    TypeError for elements that `gs` does not compute with.
    """
    return _cumulative("add", data, segment_ids)


def segment_cumprod(data: Any, segment_ids: Any) -> Any:
    """As `segment_cumsum`, with products: `numpy.cumprod` within each segment."""
    return _cumulative("mul", data, segment_ids)


def segment_cummin(data: Any, segment_ids: Any) -> Any:
    """The least of each row and those before it in its segment, in the dtype of `data`; NaN from
    the first NaN on, as `numpy.minimum.accumulate`. Otherwise as `segment_cumsum`."""
    return _cumulative("min", data, segment_ids)


def segment_cummax(data: Any, segment_ids: Any) -> Any:
    """The greatest of each row and those before it in its segment; see `segment_cummin`."""
    return _cumulative("max", data, segment_ids)


def segment_cumcount(segment_ids: Any) -> Any:
    """How many rows with the same id come before each one, int64, as pandas' `cumcount`.

    `segment_ids`, and errors, as for `segment_cumsum`.
    """
    ids, groups = _ids(segment_ids)
    counts = _counter(coordinate(ids.dtype))(ids, np.zeros(groups, np.int64))[1]
    return frameworks.back(segment_ids)(counts)


def segment_rank(data: Any, segment_ids: Any, method: str = "average") -> Any:
    """The rank of each number within its segment, from 1, float64, as pandas' `rank` of groups.

    `data`: [n] of integers or floats, `segment_ids`: n integers of 0 or more. Equal numbers have
    the mean of their ranks under "average", the least or the greatest one under "min" and "max",
    ranks in the order of the rows under "first". "dense" counts the different numbers. NaN has no
    rank: NaN.

    Raises ValueError for shapes, negative ids and `method`, IndexError for ids that are no
    integers.
    """
    values, ids = frameworks.array(data), _ids(segment_ids)[0]
    if values.shape != ids.shape:
        raise ValueError(f"data must have shape {ids.shape}, found {values.shape}")
    if method not in _METHODS:
        raise ValueError(f"method must be one of {', '.join(_METHODS)}, found {method!r}")
    order = np.lexsort((values, ids))
    sorted_ids, ordered = ids[order], values[order]
    is_first = np.append(True, sorted_ids[1:] != sorted_ids[:-1])[: len(ids)]
    is_new = is_first | np.append(True, ordered[1:] != ordered[:-1])[: len(ids)]
    place = np.arange(len(ids))
    begin = np.maximum.accumulate(np.where(is_first, place, 0))
    run = np.cumsum(is_new) - 1
    starts = place[is_new]
    ends = np.append(starts, len(ids))[1:]
    if method == "first":
        rank = place - begin + 1.0
    elif method == "dense":
        rank = run - run[begin] + 1.0
    else:
        least, greatest = starts[run] - begin + 1.0, (ends[run] - begin) * 1.0
        rank = {"min": least, "max": greatest, "average": (least + greatest) / 2}[method]
    result = np.empty(len(ids))
    result[order] = np.where(ordered == ordered, rank, np.nan)
    return frameworks.back(data, segment_ids)(result)


def _ids(segment_ids: Any) -> tuple[Array, int]:
    """The numbers of segments, and one more than the greatest."""
    ids = coordinates(integers(frameworks.plain(segment_ids), "segment_ids"))
    if ids.ndim != 1:
        raise ValueError(f"segment_ids must have rank 1, found {ids.ndim}")
    negative, greatest = span(ids) if ids.size else (False, -1)
    if negative:
        raise ValueError("segment_ids must not be negative")
    return ids, greatest + 1


def _cumulative(body: str, data: Any, segment_ids: Any) -> Any:
    rows, (ids, groups) = frameworks.array(data), _ids(segment_ids)
    if rows.shape[:1] != ids.shape:
        raise ValueError(
            "segment_ids must be one id for each row of data, found shapes"
            f" {ids.shape} and {rows.shape}"
        )
    if body in ("add", "mul"):
        rows = rows.astype(np.cumsum(rows[:0]).dtype, copy=False)
    computed(rows.dtype)
    flat = rows.reshape(len(ids), -1) if rows.size else np.empty((0, 0), rows.dtype)
    found = _run(body, flat, ids, groups) if rows.size else flat
    return frameworks.back(data, segment_ids)(found.reshape(rows.shape))


def _run(body: str, rows: Array, ids: Array, groups: int) -> Array:
    dtype = rows.dtype
    # Only a comparison asks for the sign.
    plain = np.dtype(f"i{dtype.itemsize}") if dtype.kind in "ub" else dtype
    kind = ("u" if unsigned(dtype) or dtype.kind == "b" else "") + body
    start = np.full((groups, rows.shape[1]), identity(body, dtype), dtype)
    types = kind, "i8" if dtype.kind == "b" else computed(dtype), coordinate(ids.dtype)
    width = widths.known_width(("cumulative", types), rows.shape[1], rows.size)
    run = _kernel(*types, "?" if width is None else str(width))
    return run(np.ascontiguousarray(rows).view(plain), ids, start.view(plain))[1].view(dtype)


_OPS = {
    "f": {"add": "addf", "mul": "mulf", "min": "minimumf", "max": "maximumf"},
    "i": {"add": "addi", "mul": "muli", "min": "minsi", "max": "maxsi"},
    "u": {"add": "addi", "mul": "muli", "min": "minui", "max": "maxui"},
}


@lru_cache(None)
def _kernel(kind: str, t: str, id_type: str, width: str) -> Kernel:
    body = kind.removeprefix("u") if kind[1:] in _OPS["u"] else kind
    if t.startswith("complex"):
        if body in ("min", "max"):
            raise TypeError("complex numbers have no order")
        op = f"complex.{body}"
    else:
        row = "f" if not t.startswith("i") else "u" if kind != body else "i"
        op = f"arith.{_OPS[row][body]}"
    rows = f"tensor<?x{width}x{t}>"
    empty = f"  %y = tensor.empty(%n) : {rows}"
    if width == "?":
        empty = f"""  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c1 : {rows}
  %y = tensor.empty(%n, %m) : {rows}"""
    return compile(f"""
func.func @f(%x: {rows}, %ids: tensor<?x{id_type}>, %start: {rows})
    -> ({rows}, {rows}) {{
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : {rows}
{empty}
  %last, %all = gs.generic (i, j) [s = %ids[i]]
      ins(%x[i, j]) outs(%start[s, j], %y[i, j]) iterators(i = reduction, j = parallel)
      : ({rows}, tensor<?x{id_type}>, {rows}, {rows})
      -> ({rows}, {rows}) {{
  ^bb0(%one: {t}, %before: {t}, %old: {t}):
    %now = {op} %before, %one : {t}
    gs.yield %now, %now : {t}, {t}
  }}
  return %last, %all : {rows}, {rows}
}}""")


@lru_cache(None)
def _counter(id_type: str) -> Kernel:
    return compile(template(__file__, "mlir/counted.mlir").substitute(ids=id_type))
