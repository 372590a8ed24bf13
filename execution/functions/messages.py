"""Rows of a table that are reduced into segments where they are read: message passing on graphs."""

from functools import lru_cache
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.call.memory import at_lines
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.at import body_for
from mlir_gs.execution.functions.elements import (
    computed,
    coordinate,
    coordinates,
    integers,
    is_unsigned,
)
from mlir_gs.execution.functions.kernels import kernel
from mlir_gs.execution.functions.segments import divided, identity, mean_types, number_of_segments
from mlir_gs.execution.functions.shapes import refuse_outside
from mlir_gs.execution.functions.spec import UNSIGNED, Coordinates, Operand, Spec, dims
from mlir_gs.execution.functions.widths import known_width

Array = np.ndarray[Any, Any]


def gather_segment_sum(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: int | None = None,
    weights: Any = None,
    *,
    indices_are_sorted: bool = False,
) -> Any:
    """`segment_sum(data[indices] * weights, segment_ids)` without the rows in between.

    `data`: [n, ...], `indices` and `segment_ids`: integers of shape [edges], `weights`: [edges],
    one factor for each row, converted to the dtype of `data`. Edge e adds row `indices[e]` to
    segment `segment_ids[e]`, in order. The result has shape [num_segments, ...] and the dtype of
    `data`; `num_segments` is by default one more than the greatest id. Ids out of [0, num_segments)
    are dropped, negative indices count from the end. `indices_are_sorted` promises that
    `segment_ids` ascend.

    Raises IndexError for an index out of bounds before anything is computed, ValueError for shapes,
    TypeError for elements that `gs` does not hold or does not add.
    """
    x = frameworks.array(data)
    found = _reduced("add", x, indices, segment_ids, num_segments, weights, indices_are_sorted)
    return frameworks.back(data, indices, segment_ids)(found)


def gather_segment_mean(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: int | None = None,
    weights: Any = None,
    *,
    indices_are_sorted: bool = False,
) -> Any:
    """`segment_mean(data[indices] * weights, segment_ids)`: the sum over the number of edges.

    0 for an empty segment; dtypes are those of `segment_mean`. Otherwise as `gather_segment_sum`.
    """
    x = frameworks.array(data)
    dtype, wide = mean_types(x.dtype)
    sums = _reduced("add", x, indices, segment_ids, num_segments, weights, indices_are_sorted, wide)
    ids = integers(frameworks.plain(segment_ids), "segment_ids")
    return frameworks.back(data, indices, segment_ids)(
        divided(sums, ids, dtype, indices_are_sorted=indices_are_sorted)
    )


def gather_segment_max(
    data: Any,
    indices: Any,
    segment_ids: Any,
    num_segments: int | None = None,
    *,
    indices_are_sorted: bool = False,
) -> Any:
    """`segment_max(data[indices], segment_ids)` without the rows in between; see `segment_max` and
    `gather_segment_sum`."""
    x = frameworks.array(data)
    found = _reduced("max", x, indices, segment_ids, num_segments, None, indices_are_sorted)
    return frameworks.back(data, indices, segment_ids)(found)


def _reduced(
    body: str,
    x: Array,
    indices: Any,
    segment_ids: Any,
    num_segments: int | None,
    weights: Any,
    sorted: bool,
    dtype: np.dtype[Any] | None = None,
) -> Array:
    dtype = np.dtype(x.dtype if dtype is None else dtype)
    rows = integers(frameworks.plain(indices), "indices")
    ids = integers(frameworks.plain(segment_ids), "segment_ids")
    if x.ndim == 0 or rows.ndim != 1 or rows.shape != ids.shape:
        raise ValueError(
            "expected data of rank 1 or more, and indices and segment_ids of one length, found"
            f" shapes {x.shape}, {rows.shape} and {ids.shape}"
        )
    factors = None
    if weights is not None:
        factors = frameworks.array(weights)
        if factors.shape != rows.shape:
            raise ValueError(f"weights must have shape {rows.shape}, found {factors.shape}")
        factors = factors.astype(x.dtype, copy=False)
    num_segments = number_of_segments(ids, num_segments)
    name = body_for(body if factors is None else "multiply_add", x.dtype)
    if dtype != x.dtype and (is_unsigned(x.dtype) or x.dtype == np.bool_):
        name = UNSIGNED + name
    shape = num_segments, *x.shape[1:]
    # To fill takes longer than a small call.
    result = at_lines(shape, dtype, rows.size * x.nbytes // (len(x) or 1), np.zeros)
    if body != "add":
        result[...] = identity(body, dtype)
    where, ids = coordinates(rows), coordinates(ids)
    if not x.size or not result.size:
        refuse_outside(rows, 0, len(x))
        return result
    target = result
    if x.ndim > 2:
        x, target = x.reshape(len(x), -1), result.reshape(num_segments, -1)
    kind = (
        name, factors is not None, (computed(x.dtype), computed(dtype)),
        (coordinate(ids.dtype), coordinate(where.dtype)), x.ndim == 2, sorted,
    )  # fmt: skip
    width = known_width(kind, x.shape[1], rows.size * x.shape[1]) if x.ndim == 2 else None
    scale = () if factors is None else (factors,)
    try:
        _kernel(*kind, width)(*scale, x, ids, where, target)
    except IndexError:
        refuse_outside(rows, 0, len(x))
        raise
    return result


@lru_cache(None)
def _kernel(
    body: str, scaled: bool, elements: tuple[str, str], kinds: tuple[str, str], matrix: bool,
    sorted: bool, width: int | None,
) -> Kernel:  # fmt: skip
    columns = dims(int(matrix), 1)
    return kernel(
        Spec(
            1 + len(columns),
            (*[Operand(elements[0], ("d0",))] * scaled, Operand(elements[0], ("s1", *columns))),
            tuple(Coordinates(kind, (("d0",),)) for kind in kinds),
            Operand(elements[1], ("s0", *columns)),
            body, ("drop", "error"), (False, True), fresh=False, sorted=sorted, width=width,
        )
    )  # fmt: skip
