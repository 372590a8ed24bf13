"""`bincount` and `histogram`, as NumPy has them."""

from collections.abc import Sequence
from functools import lru_cache
from operator import index
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.elements import computed, coordinates, integers
from mlir_gs.execution.functions.kernels import kernel
from mlir_gs.execution.functions.spec import Coordinates, Operand, Spec

Array = np.ndarray[Any, Any]


def bincount(x: Any, weights: Any = None, minlength: int = 0, *, length: int | None = None) -> Any:
    """How often each number occurs in `x`, as `numpy.bincount`.

    `x`: integers of 0 or more, of rank 1. The result has max(x) + 1 elements, and at least
    `minlength`: int64 counts, or float64 sums of `weights`, which has the shape of `x`, in their
    order. `length`, as in JAX, is the size of the result; numbers from there on are dropped.

    Raises ValueError for negative numbers, shapes and sizes, TypeError for other elements.
    """
    values = frameworks.array(x)
    if values.ndim != 1:
        raise ValueError(f"x must have rank 1, found {values.ndim}")
    try:
        numbers = integers(values if values.size else values.astype(np.int64), bools=True)
    except IndexError:
        raise TypeError(f"x must have integer elements, found {values.dtype}") from None
    added = None if weights is None else np.asarray(frameworks.plain(weights))
    if added is not None:
        if added.shape != values.shape:
            raise ValueError(
                f"weights must have the shape of x, {values.shape}, found {added.shape}"
            )
        added = added.astype(np.float64, casting="safe" if added.dtype.kind != "f" else "same_kind")
    minlength, length = index(minlength), None if length is None else index(length)
    if minlength < 0 or (length is not None and length < 0):
        raise ValueError("minlength and length must not be negative")
    if numbers.size and int(numbers.min()) < 0:
        raise ValueError("x must not have negative elements")
    if length is None:
        length = max(int(numbers.max()) + 1 if numbers.size else 0, minlength)
    return frameworks.back(x, weights)(_binned(coordinates(numbers), added, length))


def histogram(
    a: Any,
    bins: int | str | Sequence[float] | Array = 10,
    range: tuple[float, float] | None = None,
    density: bool | None = None,
    weights: Any = None,
) -> tuple[Any, Any]:
    """The histogram of `a` and its bin edges, as `numpy.histogram`.

    `a`: numbers of any shape, taken flat. `bins`: a number of bins, the edges in ascending order,
    or a name that `numpy.histogram_bin_edges` knows. `range`: the outer edges, by default the
    least and the greatest element. `weights`, of the shape of `a`, are added up instead of counted:
    in float64 or complex128, and converted to their dtype. `density`: divided by the total and by
    the widths of the bins.

    Raises ValueError and TypeError as NumPy does.
    """
    values = frameworks.array(a)
    given = None if weights is None else np.asarray(frameworks.plain(weights))
    if given is not None and given.shape != values.shape:
        raise ValueError("weights should have the same shape as a.")
    values = values.reshape(-1)
    plain_bins = frameworks.plain(bins)
    if values.dtype == np.bool_:
        values = values.astype(np.uint8)
    edges = np.histogram_bin_edges(values, plain_bins, range, given)
    last = len(edges) - 1
    numbers = np.searchsorted(edges, values, side="right") - 1
    numbers[values == edges[-1]] = last - 1
    # What is below the first edge has number -1; what is above the last one is dropped too.
    added, kind = None, np.dtype(np.int64)
    if given is not None:
        kind = given.dtype
        wide = np.complex128 if kind.kind == "c" else np.float64
        added = given.reshape(-1).astype(wide)
    counts = _binned(numbers.astype(np.int64, copy=False), added, last).astype(kind, copy=False)
    if density:
        counts = counts / np.diff(edges) / counts.sum()
    give = frameworks.back(a, weights, bins)
    return give(counts), give(edges)


def _binned(numbers: Array, weights: Array | None, length: int) -> Array:
    """Counts of the numbers in [0, length), or sums of their weights."""
    dtype = np.dtype(np.int64) if weights is None else weights.dtype
    result = np.zeros(length, dtype)
    if numbers.size and length:
        one = np.ones((), dtype) if weights is None else weights
        _binner(one.ndim, computed(dtype), f"i{8 * numbers.itemsize}")(one, numbers, result)
    return result


@lru_cache(None)
def _binner(rank: int, element: str, coordinate: str) -> Kernel:
    return kernel(
        Spec(
            1,
            (Operand(element, ("d0",)[:rank]),),
            (Coordinates(coordinate, (("d0",),)),),
            Operand(element, ("s0",)),
            "add", "drop", False, fresh=False,
        )
    )  # fmt: skip
