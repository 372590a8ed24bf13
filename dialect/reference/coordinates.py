"""What the reference does with coordinates: wrap, check, apply the mode, fill."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import ml_dtypes
import numpy as np

Position = tuple[int, ...]
# One entry per dimension: a coordinate, or the whole dimension.
Place = tuple[int | slice, ...]


class CoordinateError(IndexError):
    """A coordinate out of bounds under mode "error"; nothing was written.

    `what` says which coordinate of the op it is, `position` where in `indices` it stands, and
    `coordinate` what stands there, before it is wrapped.
    """

    def __init__(self, what: str, coordinate: int, position: Position, size: int) -> None:
        self.what, self.coordinate, self.position, self.size = what, coordinate, position, size
        super().__init__(
            f"{what}: coordinate {coordinate} at position {list(position)} "
            f"is out of bounds for size {size}"
        )


class UndefinedBehavior(ValueError):
    """The program breaks a promise it made, so that the specification gives it no result."""


def wrapped(coordinate: int, size: int, wrap_negative: bool) -> int:
    """A negative coordinate counts from the end, once, if the op says so."""
    return coordinate + size if wrap_negative and coordinate < 0 else coordinate


def resolve(coordinate: int, size: int, mode: str, wrap_negative: bool) -> int | None:
    """The coordinate that is read or written; None stands for filled or dropped.

    Raises UndefinedBehavior where promise_in_bounds is broken, or a dimension of size 0 clipped.
    """
    coordinate = wrapped(coordinate, size, wrap_negative)
    if 0 <= coordinate < size:
        return coordinate
    if mode == "clip":
        if size == 0:
            raise UndefinedBehavior("mode clip in a dimension of size 0")
        return min(max(coordinate, 0), size - 1)
    if mode in ("fill", "drop"):
        return None
    if mode == "promise_in_bounds":
        raise UndefinedBehavior(
            f"coordinate {coordinate} is out of bounds for size {size} under promise_in_bounds"
        )
    raise ValueError(f"unknown mode {mode!r}")


def default_fill(dtype: Any) -> np.ndarray:
    """What mode "fill" fills with if no value is given, a 0-d array; as JAX documents it.

    NaN for floats and complex, the smallest value for signed (and signless) integers and index,
    the largest for unsigned ones, True for booleans. ValueError for a float without a NaN.
    """
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return np.array(True)
    if dtype.kind == "c" or dtype in (ml_dtypes.complex32, ml_dtypes.bcomplex32):
        return np.array(complex(np.nan, 0.0)).astype(dtype)
    try:
        limits = ml_dtypes.iinfo(dtype)
    except ValueError:
        pass
    else:
        return np.array(limits.min if limits.min < 0 else limits.max).astype(dtype)
    nan = np.array(np.nan).astype(dtype)
    if not np.isnan(nan):
        raise ValueError(f"{dtype} has no NaN to fill with: give a fill value")
    return nan


class Addressing:
    """The slices of an operand of `shape` that `indices` (I ++ [k]) addresses, in order of I.

    The first `batch_dims` dims of I and of `shape` are shared, `dims` are the addressed ones.
    """

    def __init__(
        self, shape: Sequence[int], indices: np.ndarray, dims: Sequence[int], batch_dims: int
    ) -> None:
        if indices.ndim < 1 or indices.shape[-1] != len(dims):
            raise ValueError(
                f"the last dimension of indices must be {len(dims)}, found shape {indices.shape}"
            )
        if batch_dims > indices.ndim - 1 or any(
            indices.shape[d] != shape[d] for d in range(batch_dims)
        ):
            raise ValueError(
                f"the first {batch_dims} sizes of {tuple(shape)} and {indices.shape} must agree"
            )
        if any(not batch_dims <= d < len(shape) for d in dims) or list(dims) != sorted(set(dims)):
            raise ValueError(f"dims {tuple(dims)} must ascend in [{batch_dims}, {len(shape)})")
        self.shape, self.indices = tuple(shape), indices
        self.dims, self.batch_dims = tuple(dims), batch_dims
        self.index_shape = indices.shape[:-1]
        self.rest = [d for d in range(batch_dims, len(shape)) if d not in self.dims]
        self.rest_shape = tuple(shape[d] for d in self.rest)
        self.unit_shape = tuple(
            1 if d in self.dims else shape[d] for d in range(batch_dims, len(shape))
        )

    def coordinates(self, i: Position) -> tuple[int, ...]:
        """The coordinate tuple as it stands in `indices`; a boolean counts as 0 or 1."""
        return tuple(int(c) for c in self.indices[i])

    def check_bounds(self, what: str, wrap_negative: bool) -> None:
        """Mode "error": raise CoordinateError for the first coordinate that is out of bounds.

        Dim by dim; of each, in row-major order of I, also where the slices are empty.
        """
        for k, dim in enumerate(self.dims):
            size = self.shape[dim]
            for i in np.ndindex(self.index_shape):
                c = int(self.indices[(*i, k)])
                if not 0 <= wrapped(c, size, wrap_negative) < size:
                    raise CoordinateError(f"{what} {dim}", c, (*i, k), size)

    def check_promises(self, places: Sequence[Place | None], unique: bool, sorted: bool) -> None:
        """Raise UndefinedBehavior if the places repeat or the coordinate tuples do not ascend."""
        hit = [tuple(p for p in place if isinstance(p, int)) for place in places if place]
        if unique and len(set(hit)) < len(hit):
            raise UndefinedBehavior("coordinates repeat under unique")
        order = [i[: self.batch_dims] + self.coordinates(i) for i in np.ndindex(self.index_shape)]
        if sorted and any(a > b for a, b in pairwise(order)):
            raise UndefinedBehavior("coordinates do not ascend under sorted")

    def places(self, mode: str, wrap_negative: bool) -> Iterator[tuple[Position, Place | None]]:
        """(i, place) in row-major order of I; the place is None if it is filled or dropped.

        With mode "error" the bounds are already checked.
        """
        # A clipped coordinate needs an element to land on, unless the slice has none anyway.
        empty = mode == "clip" and 0 in self.rest_shape
        for i in np.ndindex(self.index_shape):
            place: list[int | slice | None] = [slice(None)] * len(self.shape)
            place[: self.batch_dims] = i[: self.batch_dims]
            for dim, c in zip(self.dims, self.coordinates(i), strict=True):
                checked = "promise_in_bounds" if mode == "error" else mode
                place[dim] = None if empty else resolve(c, self.shape[dim], checked, wrap_negative)
            yield i, (None if None in place else tuple(p for p in place if p is not None))


def element_places(
    operand: np.ndarray,
    indices: np.ndarray,
    dim: int,
    mode: str,
    wrap_negative: bool,
    unique: bool,
    sorted: bool,
) -> list[Place | None]:
    """Where each element of `indices` points in `operand`, after all checks."""
    if indices.ndim != operand.ndim or not 0 <= dim < operand.ndim:
        raise ValueError(
            f"dim {dim} needs two operands of one rank, found {operand.ndim} and {indices.ndim}"
        )
    larger = (d != dim and indices.shape[d] > operand.shape[d] for d in range(operand.ndim))
    if indices.size and any(larger):
        raise ValueError(f"indices {indices.shape} exceed {operand.shape} off dim {dim}")
    size = operand.shape[dim]
    positions = list(np.ndindex(indices.shape))
    coordinates = [int(indices[i]) for i in positions]
    if mode == "error":
        for i, c in zip(positions, coordinates, strict=True):
            if not 0 <= wrapped(c, size, wrap_negative) < size:
                raise CoordinateError(f"coordinate of dim {dim}", c, i, size)
    places: list[Place | None] = []
    for i, c in zip(positions, coordinates, strict=True):
        at = resolve(c, size, "promise_in_bounds" if mode == "error" else mode, wrap_negative)
        places.append(None if at is None else (*i[:dim], at, *i[dim + 1 :]))
    hit = [place for place in places if place is not None]
    if unique and len(set(hit)) < len(hit):
        raise UndefinedBehavior("coordinates repeat under unique")
    lines = np.moveaxis(np.array(coordinates, object).reshape(indices.shape), dim, 0)
    if sorted and np.any(lines[1:] < lines[:-1]):
        raise UndefinedBehavior(f"coordinates do not ascend along dim {dim} under sorted")
    return places
