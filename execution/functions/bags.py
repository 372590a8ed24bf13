"""`embedding_bag`: sums, means and maxima of rows of a table, as torch has it."""

from operator import index
from typing import Any

import numpy as np
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.elements import as_int64, computed, integers
from mlir_gs.execution.functions.ragged import combine_rows, falls

Array = np.ndarray[Any, Any]

_MODES = {"sum": "add", "mean": "add", "max": "max"}


def embedding_bag(
    input: Any,
    weight: Any,
    offsets: Any = None,
    mode: str = "mean",
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Any:
    """Reduces bags of rows of `weight`, as `torch.nn.functional.embedding_bag`.

    `weight`: floats of shape [rows, width]. `input`: row numbers, [bags, count]; or one list of
    rank 1 whose bag k starts at `offsets[k]` and ends where the next one starts, the last with the
    list or, with `include_last_offset`, at the last offset. `mode`: "sum", "mean" or "max"; an
    empty bag gives 0. `per_sample_weights`, of the shape of `input`, scale the rows of a sum. Rows
    of number `padding_idx` are left out. The result has shape [bags, width]; floats of less than
    32 bits are added up in float32.

    Raises IndexError for a row number out of bounds, ValueError for other arguments that do not
    fit, TypeError for elements other than floats.
    """
    table, rows = frameworks.array(weight), integers(frameworks.plain(input), "input")
    scale = None if per_sample_weights is None else frameworks.array(per_sample_weights)
    _check(table, rows, mode, scale)
    starts = bag_starts(rows, offsets, include_last_offset)
    rows, scale = rows.reshape(-1), None if scale is None else scale.reshape(-1)
    if padding_idx is not None:
        count, padding_idx = len(table), index(padding_idx)
        if not -count <= padding_idx < count:
            raise ValueError(
                f"padding_idx must be a row of weight, which has {count}, found {padding_idx}"
            )
        kept = rows != padding_idx % count
        starts = np.append(0, np.cumsum(kept))[starts]
        rows, scale = rows[kept], None if scale is None else scale[kept]
    sums = np.dtype(np.float32) if table.dtype.itemsize < 4 else table.dtype
    shape = len(starts) - 1, table.shape[1]
    result = np.full(shape, -np.inf, sums) if mode == "max" else np.zeros(shape, sums)
    scale = None if scale is None else scale.astype(table.dtype, copy=False)
    body = _MODES[mode] if scale is None else "multiply_add"
    types = (computed(table.dtype), computed(sums))
    combine_rows(body, scale, table, rows, starts, result, types)
    if mode == "mean":
        result /= np.maximum(np.diff(starts)[:, None], 1).astype(sums)
    elif mode == "max":
        result = np.where(np.diff(starts)[:, None] == 0, np.zeros((), sums), result)
    return frameworks.back(weight, input)(result.astype(table.dtype, copy=False))


def _check(table: Array, rows: Array, mode: str, scale: Array | None) -> None:
    if mode not in _MODES:
        raise ValueError(f"mode must be sum, mean or max, found {mode!r}")
    if table.ndim != 2:
        raise ValueError(f"weight must have rank 2, found {table.ndim}")
    if not computed(table.dtype).startswith(("f", "bf")):
        raise TypeError(f"weight must have float elements, found {table.dtype}")
    if scale is not None and mode != "sum":
        raise ValueError(f"per_sample_weights need mode 'sum', found {mode!r}")
    if scale is not None and scale.shape != rows.shape:
        raise ValueError(
            f"per_sample_weights must have the shape of input, {rows.shape}, found {scale.shape}"
        )


def bag_starts(rows: Array, offsets: Any, include_last: bool) -> Array:
    """Where each bag starts in the flat list, and where the last one ends. Raises ValueError."""
    if rows.ndim not in (1, 2) or (offsets is None) != (rows.ndim == 2):
        raise ValueError(
            "input must have rank 2, or rank 1 with offsets; found rank"
            f" {rows.ndim} {'without' if offsets is None else 'with'} offsets"
        )
    if rows.ndim == 2:
        return np.arange(rows.shape[0] + 1) * rows.shape[1]
    starts = as_int64(integers(frameworks.plain(offsets), "offsets"))
    if starts.ndim != 1:
        raise ValueError(f"offsets must have rank 1, found {starts.ndim}")
    if include_last and starts.size == 0:
        raise ValueError("offsets must have an entry with include_last_offset, found none")
    if starts.size and starts[0] != 0:
        raise ValueError(f"offsets must start with 0, found {starts[0]}")
    ends = starts if include_last else np.append(starts, rows.size)
    if falls(ends) or (ends.size and ends[-1] > rows.size):
        raise ValueError(f"offsets must ascend and be at most {rows.size}, the size of input")
    return ends
