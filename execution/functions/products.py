"""`gathered_matmul` and `grouped_matmul`: rows at coordinates times a matrix, or one of several."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.call.memory import empty
from mlir_gs.execution.compilation.compile import compile_made
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.elements import computed, integers, wide_coordinates
from mlir_gs.execution.functions.shapes import refuse_outside
from mlir_gs.execution.later import import_later

Array = np.ndarray[Any, Any]

# Multiplications that are too few for several threads.
_SHARED = 1 << 18


@dataclass(frozen=True)
class Form:
    """What a kernel is compiled for. `element`: MLIR's, of rows and matrices; `sums`: of the
    result. `coordinate`: of row numbers. `grouped`: there is a matrix for each group of rows.
    `combined`: results are multiplied by a factor and added to rows at other coordinates."""

    element: str
    sums: str
    coordinate: str
    grouped: bool = False
    combined: bool = False


def gathered_matmul(x: Any, indices: Any, w: Any) -> Any:
    """`x[indices] @ w`, without an array of the rows: shape [..., n] for `indices` of shape [...].

    `x`: floats of shape [rows, k], `w`: of the same dtype and shape [k, n]. Negative indices count
    from the end. Each element is `fma(x[i, j], w[j], sum)` for all j in order, from 0; floats of
    less than 32 bits are added up in float32 and rounded once. Instructions of some CPUs that
    multiply pairs of bfloat16 add in another order and are not used: on these CPUs torch's product
    is faster.

    Raises IndexError for a row out of bounds, ValueError for shapes, TypeError for elements.
    """
    rows, matrix = frameworks.array(x), frameworks.array(w)
    places = integers(frameworks.plain(indices))
    if rows.ndim != 2 or matrix.ndim != 2 or rows.shape[1] != matrix.shape[0]:
        raise ValueError(
            "x and w must have shapes [rows, k] and [k, n], found"
            f" {list(rows.shape)} and {list(matrix.shape)}"
        )
    result = _run(rows, matrix, places.reshape(-1), None, None)
    result = result.reshape(*places.shape, matrix.shape[1])
    return frameworks.back(x, indices, w)(result.astype(rows.dtype, copy=False))


def grouped_matmul(
    x: Any,
    w: Any,
    group_sizes: Any,
    indices: Any = None,
    *,
    out_indices: Any = None,
    scales: Any = None,
    num_rows: int | None = None,
) -> Any:
    """Rows in groups, one after the other, each group times its matrix, as
    `jax.lax.ragged_dot(x[indices], w, group_sizes)`.

    `x`: floats of shape [rows, k]; `w`: of the same dtype and shape [groups, k, n]; `group_sizes`:
    how many of the `indices` each group has. With no `indices` the rows are those of `x`. The
    result has a row for each, of zeros for those after the last group. With `out_indices`, row r is
    instead added to row `out_indices[r]` of a result of `num_rows` rows. With `scales`, it is
    multiplied by `scales[r]` first. Rows are added in order of r. Sums within a product are those
    of `gathered_matmul`.

    Raises IndexError for a row out of bounds, ValueError for shapes, TypeError for elements.
    """
    rows, matrices = frameworks.array(x), frameworks.array(w)
    if rows.ndim != 2 or matrices.ndim != 3 or rows.shape[1] != matrices.shape[1]:
        raise ValueError(
            "x and w must have shapes [rows, k] and [groups, k, n], found"
            f" {list(rows.shape)} and {list(matrices.shape)}"
        )
    places = np.arange(len(rows)) if indices is None else integers(frameworks.plain(indices))
    sizes = wide_coordinates(integers(frameworks.plain(group_sizes), "group_sizes"))
    count = len(matrices)
    if places.ndim != 1 or sizes.shape != (count,):
        raise ValueError(
            f"indices must have rank 1 and group_sizes shape [{count}], found"
            f" {list(places.shape)} and {list(sizes.shape)}"
        )
    starts = np.zeros(count + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    if (sizes < 0).any() or starts[-1] > places.size:
        raise ValueError(
            f"group_sizes must be 0 or more, at most {places.size} together, found {sizes.tolist()}"
        )
    combine = _combining(places, rows.dtype, out_indices, scales, num_rows)
    result = _run(rows, matrices, places, starts, combine)
    return frameworks.back(x, w, group_sizes)(result.astype(rows.dtype, copy=False))


def _combining(
    places: Array, dtype: np.dtype[Any], out_indices: Any, scales: Any, num_rows: int | None
) -> tuple[Array, Array, int] | None:
    """The rows that results are added to, what they are multiplied by, and how many there are."""
    if out_indices is None:
        if scales is not None or num_rows is not None:
            raise ValueError("scales and num_rows need out_indices")
        return None
    to = wide_coordinates(integers(frameworks.plain(out_indices), "out_indices"))
    wide = _wide(dtype)
    by = np.ones(places.shape, wide) if scales is None else frameworks.array(scales)
    if to.shape != places.shape or by.shape != places.shape:
        raise ValueError(
            f"out_indices and scales must have shape {list(places.shape)}, found"
            f" {list(to.shape)} and {list(by.shape)}"
        )
    if num_rows is None or num_rows < 0:
        raise ValueError(f"out_indices need num_rows of 0 or more, found {num_rows}")
    if to.size and (to.min() < 0 or to.max() >= num_rows):
        refuse_outside(to, 0, num_rows, wrap=False)
    return to, by.astype(wide, copy=False), num_rows


def _run(
    rows: Array,
    matrices: Array,
    places: Array,
    starts: Array | None,
    combine: tuple[Array, Array, int] | None,
) -> Array:
    element = computed(rows.dtype)
    if not element.startswith(("f", "bf")) or rows.dtype != matrices.dtype:
        raise TypeError(
            f"x and w must have float elements of one type, found {rows.dtype} and {matrices.dtype}"
        )
    where, width = wide_coordinates(places), matrices.shape[-1]
    if where.size and (where.min() < -len(rows) or where.max() >= len(rows)):
        refuse_outside(places, 0, len(rows))
    sums = _wide(rows.dtype)
    count = where.size if combine is None else combine[2]
    result = empty((count, width), sums) if combine is None else np.zeros((count, width), sums)
    if combine is None and starts is not None:
        result[starts[-1] :] = 0
    if not result.size or not where.size:
        return result
    form = Form(
        element,
        computed(sums),
        f"i{8 * where.itemsize}",
        starts is not None,
        combine is not None,
    )
    shared = where.size * rows.shape[1] * width >= _SHARED
    arrays = [rows, matrices, where]
    if starts is not None:
        arrays.append(starts)
    if combine is not None:
        arrays += [combine[0].astype(np.int64, copy=False), combine[1]]
    _kernel(form, None if shared else 1)(*map(np.ascontiguousarray, arrays), result)
    return result


def _wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """What elements are added up in."""
    return np.dtype(np.float32) if dtype.itemsize < 4 else dtype


@lru_cache(None)
def _kernel(form: Form, threads: int | None) -> Kernel:
    return compile_made(
        repr(("products", form)),
        lambda: import_later("functions.products_kernels").module(form),
        threads,
    )
