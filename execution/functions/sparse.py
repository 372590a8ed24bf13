"""`spmv` and `spmm`: a matrix of SciPy times dense vectors, in the order of its elements."""

from functools import lru_cache
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.elements import computed, coordinate, coordinates
from mlir_gs.execution.functions.kernels import kernel
from mlir_gs.execution.functions.ragged import combine_rows
from mlir_gs.execution.functions.spec import Coordinates, Operand, Spec, Where

Array = np.ndarray[Any, Any]


def spmv(matrix: Any, x: Any) -> Any:
    """`matrix @ x` for a sparse matrix of SciPy, [m, n], and a vector [n].

    CSR, CSC, COO and BSR are taken as they are, other formats as CSR. Elements have the type that
    both promote to, and are added in the order in which the matrix stores them.

    Raises ValueError for shapes, TypeError for what is no sparse matrix or has elements that `gs`
    does not hold.
    """
    vector = frameworks.array(x)
    if vector.ndim != 1:
        raise ValueError(f"x must have rank 1, found {vector.ndim}")
    return frameworks.back(x)(_product(matrix, vector))


def spmm(matrix: Any, x: Any) -> Any:
    """`matrix @ x` for a sparse matrix of SciPy, [m, n], and a dense one, [n, p]; see `spmv`."""
    dense = frameworks.array(x)
    if dense.ndim != 2:
        raise ValueError(f"x must have rank 2, found {dense.ndim}")
    return frameworks.back(x)(_product(matrix, dense))


def _product(matrix: Any, x: Array) -> Array:
    form = getattr(matrix, "format", None)
    if form is None or not hasattr(matrix, "tocsr"):
        raise TypeError(f"expected a sparse matrix of SciPy, found {type(matrix).__name__}")
    if len(matrix.shape) != 2 or matrix.shape[1] != x.shape[0]:
        raise ValueError(f"matrix of shape {matrix.shape} times x of shape {x.shape}")
    if form not in ("csr", "csc", "coo", "bsr"):
        matrix, form = matrix.tocsr(), "csr"
    dtype = np.promote_types(matrix.dtype, x.dtype)
    element = computed(dtype)
    result = np.zeros((matrix.shape[0], *x.shape[1:]), dtype)
    if form == "csr":
        # There may be room behind the last element.
        count = matrix.indptr[-1]
        data, columns = matrix.data[:count].astype(dtype, copy=False), matrix.indices[:count]
        x = x.astype(dtype, copy=False)
        combine_rows("multiply_add", data, x, columns, matrix.indptr, result, (element, element))
        return result
    data, rows, columns = _elements(matrix, form)
    if not data.size or not result.size:
        return result
    data, x = data.astype(dtype, copy=False), x.astype(dtype, copy=False)
    target = result
    if data.ndim == 3:
        target = result.reshape(-1, data.shape[1], *x.shape[1:])
        x = x.reshape(-1, data.shape[2], *x.shape[1:])
    rows, columns = coordinates(rows), coordinates(columns)
    blocks = data.ndim == 3
    kinds = coordinate(rows.dtype), coordinate(columns.dtype)
    run = _kernel(element, kinds, blocks, result.ndim == 2, sorted=blocks)
    run(data, x, rows, columns, target)
    return result


def _elements(matrix: Any, form: str) -> tuple[Array, Array, Array]:
    """The stored elements of COO and CSC, or the blocks of BSR, with the row and the column of
    each."""
    if form == "coo":
        return matrix.data, matrix.row, matrix.col
    long = np.repeat(
        np.arange(len(matrix.indptr) - 1, dtype=matrix.indices.dtype), np.diff(matrix.indptr)
    )
    count = len(long)
    short, data = matrix.indices[:count], matrix.data[:count]
    return (data, short, long) if form == "csc" else (data, long, short)


@lru_cache(None)
def _kernel(
    element: str, kinds: tuple[str, str], blocks: bool, matrix: bool, sorted: bool
) -> Kernel:
    # y[row[e], r, j] += data[e, r, c] * x[column[e], c, j]
    r, c = (("d1",), ("d2",)) if blocks else ((), ())
    j: Where = (f"d{1 + len(r) + len(c)}",) if matrix else ()
    edge: Where = ("d0",)
    return kernel(
        Spec(
            1 + len(r) + len(c) + len(j),
            (Operand(element, (*edge, *r, *c)), Operand(element, ("s1", *c, *j))),
            (Coordinates(kinds[0], (edge,)), Coordinates(kinds[1], (edge,))),
            Operand(element, ("s0", *r, *j)),
            "multiply_add", "error", False, fresh=False, sorted=sorted,
        )
    )  # fmt: skip
