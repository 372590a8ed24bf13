"""`bincount`, `histogram` and `histogram2d`, as NumPy has them."""

from builtins import range as range_
from collections.abc import Sequence
from functools import lru_cache
from operator import index
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.functions import few, frameworks, numbering, searching
from mlir_gs.execution.functions.elements import (
    computed,
    coordinate,
    coordinates,
    integers,
    is_unsigned,
    span,
)
from mlir_gs.execution.functions.kernels import kernel
from mlir_gs.execution.functions.spec import UNSIGNED, Coordinates, Operand, Spec

Array = np.ndarray[Any, Any]


def bincount(x: Any, weights: Any = None, minlength: int = 0, *, length: int | None = None) -> Any:
    """How often each number occurs in `x`, as `numpy.bincount`.

    `x`: integers of 0 or more, of rank 1. The result has max(x) + 1 elements, and at least
    `minlength`: int64 counts, or float64 sums of `weights`, which has the shape of `x`, in their
    order. `length`, as in JAX, is the size of the result; numbers from there on are dropped.

    Raises ValueError for negative numbers, shapes and sizes, TypeError for other elements.
    """
    if length is None and type(x) is np.ndarray and x.ndim == 1:
        try:
            # A kernel has to look for the largest number first, where no length is given.
            most = few.MOST if minlength else 4 * few.MOST
            if x.size < most and (weights is None or type(weights) is np.ndarray):
                return np.bincount(x, weights, minlength)
            run = _direct.get((x.dtype, getattr(weights, "dtype", None)))
            is_like = weights is None or x.shape == np.shape(weights)
            if run is not None and is_like and type(minlength) is int and minlength > 0:
                result = np.zeros(minlength, np.int64 if weights is None else np.float64)
                run(np.ones((), np.int64) if weights is None else weights, x, result)
                return result
        except (ValueError, TypeError, IndexError):
            pass  # It is refused below.
    values = frameworks.array(x)
    if values.ndim != 1:
        raise ValueError(f"x must have rank 1, found {values.ndim}")
    try:
        numbers = integers(values if values.size else values.astype(np.int64), bools=True)
    except IndexError:
        raise TypeError(f"x must have integer elements, found {values.dtype}") from None
    added = None if weights is None else frameworks.array(weights)
    if added is not None:
        if added.shape != values.shape:
            raise ValueError(
                f"weights must have the shape of x, {values.shape}, found {added.shape}"
            )
        added[:0].astype(np.float64, casting="safe" if added.dtype.kind != "f" else "same_kind")
    minlength, length = index(minlength), None if length is None else index(length)
    if minlength < 0 or (length is not None and length < 0):
        raise ValueError("minlength and length must not be negative")
    numbers = coordinates(numbers)
    dtype = np.dtype(np.int64 if added is None else np.float64)
    result = np.zeros(minlength, dtype)
    run = None if length is not None else _all_added(result, numbers, added)
    # Numbers without a sign may need no look at them, by how many bins there are.
    if run is not None and numbers is x and added is weights and x.dtype.kind == "i":
        _direct[x.dtype, getattr(weights, "dtype", None)] = run
    if run is None:
        negative, greatest = span(numbers) if numbers.size else (False, -1)
        if negative:
            raise ValueError("x must not have negative elements")
        result = np.zeros(max(greatest + 1, minlength) if length is None else length, dtype)
        _add(result, [numbers], added, "promise_in_bounds" if length is None else "drop")
    return frameworks.back(x, weights)(result)


_direct: dict[tuple[Any, ...], Kernel] = {}
"""Of arrays of NumPy, by their dtypes."""


def _are_few(first: Any, *others: Any) -> bool:
    """Whether these are few numbers in arrays of NumPy; others than the first may be None."""
    given = [first, *(one for one in others if one is not None)]
    return all(
        type(one) is np.ndarray and one.dtype.kind in "iuf" and one.dtype.isnative for one in given
    ) and (first.size < few.MOST)


def _all_added(result: Array, numbers: Array, weights: Array | None) -> Kernel | None:
    """Add to `result` if all numbers are of its elements, by the kernel that is returned; otherwise
    nothing is added."""
    if numbers.dtype.kind == "u" and np.iinfo(numbers.dtype).max < result.size:
        return _add(result, [numbers], weights, "promise_in_bounds")
    try:
        return _add(result, [numbers], weights, "error")
    except IndexError:
        return None


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
    if (
        _are_few(a, weights)
        and type(bins) is int
        # Of other types NumPy has densities of another type.
        and (weights is None or weights.dtype == np.float64)
    ):
        return np.histogram(a, bins, range, density, weights)
    values = frameworks.array(a)
    given = None if weights is None else frameworks.array(weights)
    plain_bins = frameworks.plain(bins)
    if values.dtype == np.bool_:
        values = values.astype(np.uint8)
    edges = np.histogram_bin_edges(values, plain_bins, range, given)
    give = frameworks.back(a, weights, bins)
    if (edges != edges).any():
        counts, edges = np.histogram(values, edges, None, density, given)
        return give(counts), give(edges)
    kind = np.dtype(np.int64) if given is None else given.dtype
    wide = np.complex128 if kind.kind == "c" else np.int64 if given is None else np.float64
    flat = None if given is None else given.reshape(-1)
    uniform = [np.ndim(plain_bins) == 0]
    counts = _counts([values.reshape(-1)], [edges], uniform, flat, np.dtype(wide))
    counts = counts.astype(kind, copy=False)
    if density:
        counts = counts / np.diff(edges) / counts.sum()
    return give(counts), give(edges)


def histogram2d(
    x: Any,
    y: Any,
    bins: Any = 10,
    range: Any = None,
    density: bool | None = None,
    weights: Any = None,
) -> tuple[Any, Any, Any]:
    """The histogram of points (x, y) in float64, [nx, ny], and both bin edges, as
    `numpy.histogram2d`.

    `x`, `y`: numbers of shape [n]. `bins`: a number of bins or the edges, for both, or a pair of
    these. `range`: for each the pair of outer edges or None, by default the least and the greatest
    element. `weights`, of shape [n], are added up in float64 instead of counted. `density`: divided
    by the total and by the areas of the bins.

    Raises ValueError and TypeError as NumPy does.
    """
    if (
        _are_few(x, y, weights)
        and type(bins) is int
        and x.ndim == 1
        and x.shape == np.shape(y)
        # Of other types NumPy has edges of another type.
        and x.dtype == y.dtype == np.float64
    ):
        return np.histogram2d(x, y, bins, range, density, weights)
    points = [frameworks.array(x), frameworks.array(y)]
    if points[0].ndim != 1 or points[0].shape != points[1].shape:
        raise ValueError(
            f"x and y must have one length, found shapes {points[0].shape} and {points[1].shape}"
        )
    # NumPy holds both in one array.
    common = np.result_type(*points)
    points = [each.astype(common, copy=False) for each in points]
    given = None if weights is None else frameworks.array(weights)
    if given is not None:
        if given.shape != points[0].shape:
            raise ValueError(
                f"weights must have the shape of x, {points[0].shape}, found {given.shape}"
            )
        given[:0].astype(np.float64, casting="safe" if given.dtype.kind != "f" else "same_kind")
    each = frameworks.plain(bins)
    is_one = not isinstance(each, list | tuple) and np.ndim(each) == 0
    if is_one or len(each) not in (1, 2):
        each = [each, each]
    if len(each) != 2:
        raise ValueError("bins must be for one dimension or for two")
    # No values: NumPy says what the edges are, and what is wrong with the arguments.
    ends = range if range is not None else (None, None)
    ends = [
        ((values.min(), values.max()) if values.size else None) if end is None else end
        for values, end in zip(points, ends, strict=True)
    ]
    parts = [frameworks.plain(part) for part in each]
    nothing = np.zeros((0, 2))
    edges = np.histogramdd(nothing, parts, [end or (0, 1) for end in ends])[1]
    uniform = [np.ndim(part) == 0 for part in parts]
    counts = _counts(points, edges, uniform, given, np.dtype(np.float64))
    if density:
        total = counts.sum()
        counts = counts / np.diff(edges[0])[:, None] / np.diff(edges[1]) / total
    give = frameworks.back(x, y, weights)
    return give(counts), give(edges[0]), give(edges[1])


_BLOCK = 1 << 18
"""Values whose numbers of bins are found before they are counted."""


def _counts(
    values: Sequence[Array],
    edges: Sequence[Array],
    uniform: Sequence[bool],
    weights: Array | None,
    dtype: np.dtype[Any],
) -> Array:
    """How many points, or sums of their weights, lie between edges: one array of values and one of
    ascending edges for each dim. `uniform`: bins of a dim are equal."""
    bins = [len(one) - 1 for one in edges]
    if any(count < 1 for count in bins):
        return np.zeros([max(count, 0) for count in bins], dtype)
    # One bin more for what lies in none.
    result = np.zeros([count + 1 for count in bins], dtype)
    spacings = [
        numbering.spacing_of(each, ends) if equal else None
        for each, ends, equal in zip(values, edges, uniform, strict=True)
    ]
    for start in range_(0, len(values[0]), _BLOCK):
        found = [
            _numbers(each[start : start + _BLOCK], ends, spacing)
            for each, ends, spacing in zip(values, edges, spacings, strict=True)
        ]
        some = None if weights is None else weights[start : start + _BLOCK]
        _add(result, found, some, "promise_in_bounds")
    return result[tuple(slice(count) for count in bins)].copy()


def _numbers(values: Array, edges: Array, spacing: float | None) -> Array:
    """The bin of each value, the number of bins for values in none. `spacing`: what `spacing_of`
    says of the edges, None for bins that are not computed."""
    last = len(edges) - 1
    found = np.empty(len(values), np.int32)
    if spacing is not None:
        numbering.numbers(np.ascontiguousarray(values), edges, spacing, found)
        return found
    if searching.bins(edges, values, found):
        return found
    result = np.searchsorted(edges, values, side="right") - 1
    result[values == edges[-1]] = last - 1
    return np.where(result < 0, last, result)


def _add(
    result: Array, numbers: Sequence[Array], weights: Array | None, mode: str
) -> Kernel | None:
    """Add 1 or the weight to the element of `result` at each tuple of numbers, by the kernel that
    is returned; None where there is nothing to add or to add to. `mode`: what becomes of numbers
    that it has no element for."""
    if not numbers[0].size or not result.size:
        return None
    one = np.ones((), result.dtype) if weights is None else weights
    if one.dtype.kind == "c" or one.dtype == np.longdouble:
        one = one.astype(result.dtype, copy=False)
    unsigned = one.dtype != result.dtype and (is_unsigned(one.dtype) or one.dtype == np.bool_)
    body = UNSIGNED + "add" if unsigned else "add"
    elements = computed(one.dtype), computed(result.dtype)
    kinds = tuple(coordinate(each.dtype) for each in numbers)
    run = _adder(one.ndim, elements, kinds, body, mode)
    run(one, *numbers, result)
    return run


@lru_cache(None)
def _adder(
    rank: int, elements: tuple[str, str], kinds: tuple[str, ...], body: str, mode: str
) -> Kernel:
    return kernel(
        Spec(
            1,
            (Operand(elements[0], ("d0",)[:rank]),),
            tuple(Coordinates(kind, (("d0",),)) for kind in kinds),
            Operand(elements[1], tuple(f"s{number}" for number in range_(len(kinds)))),
            body, mode, False, fresh=False,
        )
    )  # fmt: skip
