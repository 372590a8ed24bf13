"""`gather_nd` and `scatter_nd`: slices at tuples of coordinates, as ONNX has them."""

from functools import lru_cache
from operator import index
from typing import Any

import numpy as np
from mlir_gs.execution.call.kernel import Kernel
from mlir_gs.execution.functions import copies, frameworks
from mlir_gs.execution.functions.at import body_for
from mlir_gs.execution.functions.elements import (
    carried,
    computed,
    converted,
    coordinate,
    coordinates,
    integers,
    moved,
)
from mlir_gs.execution.functions.kernels import kernel
from mlir_gs.execution.functions.shapes import refuse_outside
from mlir_gs.execution.functions.spec import Coordinates, Operand, Spec, Where, dims

Array = np.ndarray[Any, Any]

_REDUCTIONS = {
    "none": "move",
    "set": "move",
    "add": "add",
    "mul": "mul",
    "multiply": "mul",
    "min": "min",
    "max": "max",
}


def gather_nd(params: Any, indices: Any, batch_dims: int = 0) -> Any:
    """The slice of `params` at each tuple in the last dim of `indices`, as ONNX GatherND.

    With b = `batch_dims` and k the last size of `indices`, the result has shape
    indices[:-1] ++ params[b + k:]; the first b dims of both have the same sizes. Negative indices
    count from the end.

    Raises IndexError for one out of bounds, ValueError for shapes, TypeError for elements that
    `gs` does not hold.
    """
    x, numbers, length = _checked(params, indices, batch_dims)
    where = coordinates(numbers)
    shape = where.shape[:-1] + x.shape[batch_dims + length :]
    if length == 0:
        result = np.broadcast_to(x, shape).copy()
    else:
        run = _kernel(
            x.ndim, where.ndim, length, batch_dims, moved(x.dtype), coordinate(where.dtype)
        )
        result = _call(run, (carried(x), where), x, numbers, batch_dims)
        result = result if result.dtype == x.dtype else result.view(x.dtype)
    return frameworks.back(params, indices)(result)


def scatter_nd(data: Any, indices: Any, updates: Any, reduction: str = "none") -> Any:
    """A copy of `data` with `updates` at the tuples in `indices`, as ONNX ScatterND.

    With k the last size of `indices`, `updates` has, or broadcasts to, shape
    indices[:-1] ++ data[k:]. `reduction`: "none" (or "set"), "add", "mul", "min" or "max"; repeated
    tuples are applied in row-major order. Negative indices count from the end.

    Raises IndexError for one out of bounds, ValueError for shapes and `reduction`, TypeError for
    elements that `gs` does not hold or that have no such operation.
    """
    if reduction not in _REDUCTIONS:
        raise ValueError(f"reduction must be one of {', '.join(_REDUCTIONS)}, found {reduction!r}")
    x, numbers, length = _checked(data, indices, 0)
    where = coordinates(numbers)
    if length == 0:
        raise ValueError("the last size of indices must be 1 or more, found 0")
    body = body_for(_REDUCTIONS[reduction], x.dtype)
    new = converted(frameworks.plain(updates), x.dtype, "updates")
    new = np.broadcast_to(new, where.shape[:-1] + x.shape[length:])
    result = copies.whole(x)
    element = moved(x.dtype) if body == "move" else computed(x.dtype)
    target = result
    if body == "move":
        new, target = carried(new), carried(result)
    run = _kernel(x.ndim, where.ndim, length, 0, element, coordinate(where.dtype), body)
    _call(run, (new, where, target), x, numbers, 0)
    return frameworks.back(data, indices, updates)(result)


def _checked(x: Any, indices: Any, batch: int) -> tuple[Array, Array, int]:
    """The array, the indices and the length of a tuple. Raises ValueError."""
    batch = index(batch)
    source, where = frameworks.array(x), integers(frameworks.plain(indices))
    if where.ndim == 0:
        raise ValueError("indices must have rank 1 or more, found 0")
    length = where.shape[-1]
    if not 0 <= batch < where.ndim or batch + length > source.ndim:
        raise ValueError(
            f"batch_dims + the last size of indices must be at most {source.ndim}, and batch_dims"
            f" in [0, {where.ndim}), found {batch} and {length}"
        )
    if source.shape[:batch] != where.shape[:batch]:
        raise ValueError(
            f"the first {batch} sizes must agree, found {source.shape} and {where.shape}"
        )
    return source, where, length


def _call(run: Kernel, values: tuple[Any, ...], x: Array, where: Array, batch: int) -> Any:
    try:
        return run(*values)
    except IndexError:
        for number in range(where.shape[-1]):
            refuse_outside(where[..., number], batch + number, x.shape[batch + number])
        raise


@lru_cache(None)
def _kernel(
    rank: int, index_rank: int, length: int, batch: int, element: str, kind: str,
    body: str = "",
) -> Kernel:  # fmt: skip
    leading, rest = index_rank - 1, rank - batch - length
    where: Where = (
        *dims(batch), *(f"s{number}" for number in range(length)), *dims(rest, leading),
    )  # fmt: skip
    places = tuple((*dims(leading), str(number)) for number in range(length))
    addressed, plain = Operand(element, where), Operand(element, dims(leading + rest))
    return kernel(
        Spec(
            leading + rest,
            (plain,) if body else (addressed,),
            (Coordinates(kind, places, (length,)),),
            addressed if body else plain,
            body or "move",
            fresh=not body,
        )
    )
