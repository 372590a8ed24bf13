"""Rows of different lengths: each row of a result combines slices that a list of its own names."""

from functools import lru_cache
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.compilation.compile import compile_made
from mlir_gs.execution.functions.elements import as_int64, coordinate, coordinates, span
from mlir_gs.execution.functions.shapes import refuse_outside
from mlir_gs.execution.later import import_later

Array = np.ndarray[Any, Any]

# Elements that are read by fewer than so many are no work for several threads.
_SHARED = 1 << 16
_STARTS = (np.dtype(np.int32), np.dtype(np.int64))
# Columns for which a kernel of their own is compiled.
_MOST_KNOWN = 512


def combine_rows(
    body: str,
    scales: Array | None,
    table: Array,
    numbers: Array,
    starts: Array,
    result: Array,
    elements: tuple[str, str],
) -> None:
    """`result[r] = body(..., scales[k], table[numbers[k]])` for each k from `starts[r]` to
    `starts[r + 1]`, in order, beginning with what `result` holds.

    `table`: [n] or [n, width]. `scales`: [count], of its type, for the body "multiply_add".
    `numbers`: [count], integers. `starts`: one more than `result`, [rows] or [rows, width], has
    rows; ascending, from 0 to `count` at most. `elements`: the MLIR types of `table` and `result`.
    Raises IndexError for a number out of bounds, ValueError for other starts and lengths.
    """
    given, numbers = numbers, coordinates(numbers)
    starts = starts if starts.dtype in _STARTS else as_int64(starts)
    if len(starts) != len(result) + 1:
        raise ValueError(f"{len(result)} rows have {len(result) + 1} ends, found {len(starts)}")
    if starts[0] < 0 or falls(starts) or starts[-1] > len(numbers):
        raise ValueError(f"rows must start at ascending places from 0 to {len(numbers)}")
    if scales is not None and len(scales) != len(numbers):
        raise ValueError(f"{len(numbers)} numbers of slices, found {len(scales)} factors")
    if numbers.size:
        size = table.shape[0]
        negative, greatest = span(numbers)
        if negative or greatest >= size:
            refuse_outside(given, 0, size, wrap=False)
    if not result.size or not numbers.size:
        return
    shared = numbers.size * (table.size // table.shape[0]) >= _SHARED
    kernel = _kernel(body, *elements, coordinate(numbers.dtype), coordinate(starts.dtype),
                     scales is not None, _width(result), None if shared else 1)  # fmt: skip
    arrays = (table, numbers, starts) if scales is None else (scales, table, numbers, starts)
    kernel(*map(np.ascontiguousarray, arrays), result)


def falls(starts: Array) -> bool:
    """Whether a number is less than the one before it."""
    return bool((starts[1:] < starts[:-1]).any())


def _width(result: Array) -> str:
    """The columns as a type has them: few of a known number stay in registers for a whole row."""
    if result.ndim == 1:
        return ""
    width = result.shape[1]
    return f"{width}x" if width <= _MOST_KNOWN else "?x"


@lru_cache(None)
def _kernel(
    body: str,
    element: str,
    wide: str,
    number: str,
    start: str,
    scaled: bool,
    width: str,
    threads: int | None,
) -> Kernel:
    arguments = body, element, wide, number, start, scaled, width
    return compile_made(
        repr(("rows", *arguments)),
        lambda: import_later("functions.rows").module(*arguments),
        threads,
    )
