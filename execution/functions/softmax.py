"""`segment_softmax` and its gradient: exponentials of rows, divided by their sum in a segment."""

from typing import Any

import numpy as np
from mlir_gs.execution.call.memory import empty
from mlir_gs.execution.functions import frameworks
from mlir_gs.execution.functions.elements import computed, integers, wide_coordinates
from mlir_gs.execution.functions.softmax_forms import Form, kernel

Array = np.ndarray[Any, Any]

# Elements that are too few for several threads.
_SHARED = 1 << 15

# Rows of a segment, on average, that fill lanes; and of which the end is foreseen well enough.
_LONG = 64
_RUN = 16


def segment_softmax(
    data: Any,
    segment_ids: Any,
    num_segments: int | None = None,
    *,
    indices_are_sorted: bool = False,
) -> Any:
    """The softmax of the rows of `data` that have the same number in `segment_ids`, element-wise.

    `exp(x - greatest) / sum`, with the greatest element and the sum of exponentials of its segment.
    `data`: floats of shape [n, ...]; `segment_ids`: n integers; the result has the shape and dtype
    of `data`. `num_segments` is by default one more than the greatest id. Rows with an id out of
    [0, num_segments) are 0. Floats of less than 32 bits are computed with in float32.
    `indices_are_sorted` is a promise: each segment is then read from memory once. NaN, an infinity,
    and a segment that has nothing but minus infinity give NaN, as in `jax.nn.softmax`.

    Raises ValueError for shapes, TypeError for elements other than floats.
    """
    x = frameworks.array(data)
    ids = _checked(x, segment_ids, "data")
    result = _run((x,), ids, num_segments, indices_are_sorted)
    return frameworks.back(data, segment_ids)(result.astype(x.dtype, copy=False))


def segment_softmax_gradient(
    gradient: Any,
    softmax: Any,
    segment_ids: Any,
    num_segments: int | None = None,
    *,
    indices_are_sorted: bool = False,
) -> Any:
    """The gradient of what `segment_softmax` took, from the `gradient` of its result `softmax`.

    `softmax * (gradient - sum)`, with the sum of `gradient * softmax` in the segment. Both have the
    shape and dtype of the data; the rest is as in `segment_softmax`.

    Raises ValueError for shapes and dtypes that differ, TypeError for elements other than floats.
    """
    g, y = frameworks.array(gradient), frameworks.array(softmax)
    ids = _checked(g, segment_ids, "gradient")
    if g.shape != y.shape or g.dtype != y.dtype:
        raise ValueError(
            "softmax must have the shape and dtype of gradient, found"
            f" {y.dtype}{list(y.shape)} and {g.dtype}{list(g.shape)}"
        )
    result = _run((g, y), ids, num_segments, indices_are_sorted)
    return frameworks.back(gradient, softmax, segment_ids)(result.astype(g.dtype, copy=False))


def _checked(x: Array, segment_ids: Any, what: str) -> Array:
    ids = integers(frameworks.plain(segment_ids), "segment_ids")
    if ids.ndim != 1 or x.shape[:1] != ids.shape:
        raise ValueError(
            f"segment_ids must be one id for each row of {what}, found shapes {ids.shape} and"
            f" {x.shape}"
        )
    if not computed(x.dtype).startswith(("f", "bf")):
        raise TypeError(f"{what} must have float elements, found {x.dtype}")
    return wide_coordinates(ids)


def _run(given: tuple[Array, ...], ids: Array, count: int | None, ordered: bool) -> Array:
    x = given[0]
    least, most = (int(ids.min()), int(ids.max())) if ids.size else (0, -1)
    if count is None:
        count = max(most + 1, 0)
    if count < 0:
        raise ValueError(f"num_segments must be 0 or more, found {count}")
    wide = np.dtype(np.float32) if x.dtype.itemsize < 4 else x.dtype
    width = int(np.prod(x.shape[1:], dtype=np.int64))
    result = empty((len(x), width), wide)
    if not result.size:
        return result.reshape(x.shape)
    drops = least < 0 or most >= count
    places = ids
    ascending = ordered and len(x) >= _RUN * count
    # Short segments of few columns are no loops of their own.
    ordered = ordered and (width >= 4 or len(x) >= _LONG * count)
    if ordered:
        places = np.searchsorted(ids, np.arange(count + 1, dtype=ids.dtype))
    form = Form(
        len(given) == 2,
        computed(x.dtype),
        computed(wide),
        width,
        f"i{8 * places.itemsize}",
        ordered,
        drops and not ordered,
        ascending and not ordered,
    )
    first = np.full((count, width), 0 if len(given) == 2 else -np.inf, wide)
    rows = [np.ascontiguousarray(each.reshape(len(x), width)) for each in given]
    run = kernel(form, None if result.size >= _SHARED else 1)
    run(*rows, np.ascontiguousarray(places), first, np.zeros((count, width), wide), result)
    if drops:
        result[(ids < 0) | (ids >= count)] = 0
    return result.reshape(x.shape)
