"""Reductions over segments, as `jax.ops` has them, and their mean."""

from functools import lru_cache
from operator import index
from typing import Any

import numpy as np
from mlir_gs._texts import template
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.call.memory import at_lines
from mlir_gs.execution.compilation.compile import compile
from mlir_gs.execution.functions import direct, elements, extremes, frameworks, widths
from mlir_gs.execution.functions.access import write
from mlir_gs.execution.functions.at import body_for, mode_name
from mlir_gs.execution.functions.elements import computed, integers, is_integer, is_unsigned, limits
from mlir_gs.execution.functions.indexing import match
from mlir_gs.execution.functions.shapes import refuse_outside
from mlir_gs.execution.functions.spec import UNSIGNED

Array = np.ndarray[Any, Any]

_direct: dict[tuple[Any, ...], Kernel] = {}
"""Of small calls without a mode, by what their kernel depends on."""


def segment_sum(
    data: Any, segment_ids: Any, num_segments: int | None = None, **options: Any
) -> Any:
    """The sum of the rows of `data` that have the same number in `segment_ids`.

    As `jax.ops.segment_sum`: `data` has shape [n, ...], `segment_ids` n integers, and the result
    shape [num_segments, ...] and the dtype of `data`. `num_segments` is by default one more than
    the greatest id. Ids out of [0, num_segments) are dropped; `mode` can be one of those of `at`
    that write. `indices_are_sorted` and `unique_indices` are promises. Rows are added in their
    order. An empty segment has 0.

    Raises ValueError for shapes, IndexError under mode "error", TypeError for elements that `gs`
    does not hold.
    """
    return _segments("add", data, segment_ids, num_segments, **options)


def segment_prod(
    data: Any, segment_ids: Any, num_segments: int | None = None, **options: Any
) -> Any:
    """The product of the rows of each segment, 1 for an empty one. Otherwise as `segment_sum`."""
    return _segments("mul", data, segment_ids, num_segments, **options)


def segment_min(
    data: Any, segment_ids: Any, num_segments: int | None = None, **options: Any
) -> Any:
    """The least of the rows of each segment, element-wise. Otherwise as `segment_sum`.

    NaN if one is; for an empty segment infinity or the greatest integer.
    """
    return _segments("min", data, segment_ids, num_segments, **options)


def segment_max(
    data: Any, segment_ids: Any, num_segments: int | None = None, **options: Any
) -> Any:
    """The greatest of the rows of each segment, element-wise. Otherwise as `segment_sum`.

    NaN if one is; for an empty segment minus infinity or the least integer.
    """
    return _segments("max", data, segment_ids, num_segments, **options)


def segment_argmin(
    data: Any, segment_ids: Any, num_segments: int | None = None, **options: Any
) -> Any:
    """The row of `data` that has the least element of each segment, element-wise, in int64.

    The first such row, and of one with NaN, as in `numpy.argmin`; the number of rows, which is out
    of bounds, for an empty segment. Otherwise as `segment_min`.
    """
    return _rows("min", data, segment_ids, num_segments, **options)


def segment_argmax(
    data: Any, segment_ids: Any, num_segments: int | None = None, **options: Any
) -> Any:
    """The row of `data` that has the greatest element of each segment; see `segment_argmin`."""
    return _rows("max", data, segment_ids, num_segments, **options)


def segment_mean(
    data: Any, segment_ids: Any, num_segments: int | None = None, **options: Any
) -> Any:
    """The mean of the rows of each segment, 0 for an empty one. Otherwise as `segment_sum`.

    Of integers and bools, float64 as in NumPy; else the dtype of `data`. Floats of less than 32
    bits are added up and divided in float32.
    """
    x = frameworks.array(data)
    dtype, wide = mean_types(x.dtype)
    ids = integers(frameworks.plain(segment_ids), "segment_ids")
    give = frameworks.back(data, segment_ids)
    if not options and x.ndim == 1 and x.dtype in _COUNTED:
        ids, number = elements.coordinates(ids), _number(x, ids, num_segments)
        sums, counts = np.zeros(number, dtype), np.zeros(number, np.int64)
        run = _summed_and_counted(dtype, ids.dtype)
        run(np.ascontiguousarray(x), np.ascontiguousarray(ids), sums, counts)
        return give(sums / np.maximum(counts, 1).astype(dtype))
    sums = _segments("add", x, ids, num_segments, wide, **options)
    return give(divided(sums, ids, dtype, **options))


_COUNTED = (np.dtype(np.float32), np.dtype(np.float64))


@lru_cache(None)
def _summed_and_counted(dtype: np.dtype[Any], ids: np.dtype[Any]) -> Kernel:
    t, i = computed(dtype), elements.coordinate(ids)
    return compile(template(__file__, "mlir/summed_and_counted.mlir").substitute(t=t, ids=i))


@lru_cache(None)
def mean_types(dtype: np.dtype[Any]) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """The dtype of means of elements of `dtype`, and that in which they are added up."""
    if is_integer(dtype) or dtype == np.bool_:
        dtype = np.dtype(np.float64)
    small = computed(dtype).startswith(("f", "bf")) and dtype.itemsize < 4
    return dtype, np.dtype(np.float32) if small else dtype


def divided(sums: Array, ids: Array, dtype: np.dtype[Any], **options: Any) -> Array:
    """The sums over the numbers of rows with their ids, in `dtype`."""
    one = np.int64(1)
    # A small call has a kernel at hand for arrays.
    small = ids.size < widths.LEAST
    ones = np.full(ids.shape, one) if small else np.broadcast_to(one, ids.shape)
    counts = np.maximum(_segments("add", ones, ids, len(sums), **options), 1)
    divisors = counts.reshape((-1,) + (1,) * (sums.ndim - 1)).astype(sums.dtype)
    return (sums / divisors).astype(dtype, copy=False)


def _rows(
    body: str,
    data: Any,
    segment_ids: Any,
    num_segments: int | None,
    *,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: Any = None,
) -> Any:
    # What is promised is of no use here.
    del indices_are_sorted, unique_indices
    x, ids = frameworks.array(data), integers(frameworks.plain(segment_ids), "segment_ids")
    num_segments = _number(x, ids, num_segments)
    mode = mode_name(mode, "drop", True)
    ids = match(ids, (num_segments,), mode).arrays[0]
    if mode == "error":
        refuse_outside(ids, 0, num_segments, wrap=False)
    if mode == "clip":
        if not num_segments and ids.size:
            raise IndexError("axis 0 has size 0: there is nothing to clip an index to")
        ids = np.clip(ids, 0, max(num_segments - 1, 0))
    return frameworks.back(data, segment_ids)(extremes.rows(body, x, ids, num_segments))


def _number(x: Array, ids: Array, num_segments: int | None) -> int:
    """How many segments there are. Raises ValueError for shapes and less than 0."""
    if ids.ndim != 1 or x.shape[:1] != ids.shape:
        raise ValueError(
            "segment_ids must be one id for each row of data, found shapes"
            f" {ids.shape} and {x.shape}"
        )
    return number_of_segments(ids, num_segments)


def number_of_segments(ids: Array, given: int | None) -> int:
    """`given`, or as many as the largest of `ids` says. Raises ValueError for less than 0."""
    if given is None:
        given = max(int(ids.max()) + 1, 0) if ids.size else 0
    if type(given) is not int:
        given = index(given)
    if given < 0:
        raise ValueError(f"num_segments must be 0 or more, found {given}")
    return given


def _segments(
    body: str,
    data: Any,
    segment_ids: Any,
    num_segments: int | None,
    dtype: np.dtype[Any] | None = None,
    *,
    indices_are_sorted: bool = False,
    unique_indices: bool = False,
    mode: Any = None,
) -> Any:
    is_plain = type(data) is type(segment_ids) is np.ndarray and data.dtype.isnative
    is_plain = is_plain and data.flags.aligned and segment_ids.flags.aligned
    x, ids = data, segment_ids
    if not is_plain or ids.dtype.kind not in "iu":
        x, ids = frameworks.array(data), integers(frameworks.plain(ids), "segment_ids")
    num_segments = _number(x, ids, num_segments)
    dtype = np.dtype(x.dtype if dtype is None else dtype)
    shape = num_segments, *x.shape[1:]
    # To fill takes longer than a small call.
    result = at_lines(shape, dtype, x.nbytes, np.zeros)
    if body != "add":
        result[...] = identity(body, dtype)
    # What is promised is of no use to a small call.
    small = x.size < widths.LEAST
    run = _direct.get((body, x.dtype, x.ndim, ids.dtype, dtype)) if is_plain and small else None
    if run is not None and mode is None:
        run(x, ids, result)
        return result
    name = body_for(body, x.dtype)
    if dtype != x.dtype and (is_unsigned(x.dtype) or x.dtype == np.bool_):
        name = UNSIGNED + name
    promises = not small and unique_indices, not small and indices_are_sorted
    run = direct.write(result, ids, x, name, False, promises) if mode is None else None
    if run is not None:
        if small and x.ndim <= 2:
            _direct[body, x.dtype, x.ndim, ids.dtype, dtype] = run
        return frameworks.back(data, segment_ids)(result)
    mode = mode_name(mode, "drop", True)
    places = match(ids, result.shape, mode)
    # As in JAX, negative ids are out of bounds.
    write(result, places, x, name, mode, False, *promises)
    return frameworks.back(data, segment_ids)(result)


@lru_cache(None)
def identity(body: str, dtype: np.dtype[Any]) -> Any:
    """What an empty segment has. Raises TypeError for elements that are not computed with."""
    computed(dtype)
    if body in ("add", "mul"):
        return np.array(body == "mul", dtype)
    least, greatest = limits(dtype)
    return greatest if body == "min" else least
