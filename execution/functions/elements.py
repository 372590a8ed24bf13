"""Element types of arrays: what moves them, what computes on them, and what can be a coordinate."""

from functools import lru_cache
from typing import Any

import numpy as np
from mlir_gs.execution.functions import frameworks, widths
from mlir_gs.execution.signature.dtypes import element_of, ml_dtypes

Array = np.ndarray[Any, Any]

_PLAIN = ("i1", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "complex<f32>", "complex<f64>")
_OTHERS = (
    *("i2", "i4", "bf16", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3"),
    *("f8E4M3B11FNUZ", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU"),
)
"""MLIR's types of the elements that can be computed with, integers signless: those that NumPy has
and those that ml_dtypes has."""


_CARRIERS = {
    1: ("i8", np.dtype(np.int8), np.dtype(np.uint8)),
    2: ("i16", np.dtype(np.int16), np.dtype(np.uint16)),
    4: ("f32", np.dtype(np.float32), None),
    8: ("f64", np.dtype(np.float64), None),
    16: ("complex<f64>", np.dtype(np.complex128), None),
}
"""What elements are moved as, by bytes: MLIR's type, NumPy's, and another that needs no view
either. They are the types that most arrays have. Moves keep the bits of every type."""

WIDE = np.dtype(np.int64)
_NARROW = np.dtype(np.int32)
_RANGE = (-(1 << 63), (1 << 63) - 1)


def _is_narrow(dtype: np.dtype[Any]) -> bool:
    return dtype.type.__module__ == "ml_dtypes"


@lru_cache(None)
def _computed(narrow: bool) -> dict[np.dtype[Any], str]:
    found = ((text, element_of(text)) for text in (_OTHERS if narrow else _PLAIN))
    return {dtype: text for text, one in found if one is not None for dtype in one.dtypes}


@lru_cache(None)
def computed(dtype: np.dtype[Any]) -> str:
    """The MLIR type in which elements of `dtype` are computed with, integers signless.

    Raises TypeError for a type that `gs` does not hold, or only moves.
    """
    found = _computed(_is_narrow(dtype)).get(dtype)
    if found is None or not dtype.isnative:
        moved(dtype)
        raise TypeError(f"elements of {dtype} are only moved, and not computed with")
    return found


@lru_cache(None)
def is_unsigned(dtype: np.dtype[Any]) -> bool:
    """Whether elements are integers without a sign."""
    return dtype.kind == "u" or dtype.name.startswith("uint")


@lru_cache(None)
def _carrier(dtype: np.dtype[Any]) -> tuple[str, np.dtype[Any] | None]:
    if not dtype.isnative or not (_is_narrow(dtype) or dtype in _computed(False)):
        raise TypeError(
            f"elements of {dtype} are not supported: expected bool, integers, float16 to"
            " float64, complex64, complex128 or types of ml_dtypes"
        )
    text, first, second = _CARRIERS[dtype.itemsize]
    return text, None if dtype in (first, second) else first


def moved(dtype: np.dtype[Any]) -> str:
    """The MLIR type as which elements of `dtype` are moved.

    Raises TypeError for a type that `gs` does not hold.
    """
    return _carrier(dtype)[0]


def carried(array: Array) -> Array:
    """`array` as `moved` has it: itself, or a view of its bits."""
    dtype = _carrier(array.dtype)[1]
    return array if dtype is None else array.view(dtype)


def integers(values: Any, what: str = "indices", bools: bool = False) -> Array:
    """`values` as an array of integers of any type; of objects if no type holds them all.

    `bools`: these count as 0 and 1. Raises IndexError for other elements, as NumPy does.
    """
    found = np.asarray(values)
    if found.dtype.kind in "iu":
        return found
    if is_integer(found.dtype) or (bools and found.dtype.kind == "b"):
        return found.astype(WIDE)
    if found.size == 0 and not isinstance(values, np.ndarray):
        return found.astype(WIDE)
    if found.dtype.kind in "fO":
        # Numbers of 2^63 and more are objects, or floats where there are negative ones.
        exact = np.asarray(values, np.object_)
        if all(isinstance(each, int | np.integer) for each in exact.flat):
            return exact
    raise IndexError(f"{what} must be integers, found {found.dtype}")


def coordinates(found: Array) -> Array:
    """Integers as a kernel reads them: as they are where they are aligned and of the machine's byte
    order and do not `lie_apart`, else copied.

    Of objects, what int64 does not hold becomes the nearest number that it does: it is out of
    bounds of every array, on the same side.
    """
    dtype = found.dtype
    if dtype.kind == "O":
        return as_int64(found)
    found = found if dtype.isnative and found.flags.aligned else frameworks.native(found)
    return np.ascontiguousarray(found) if lie_apart(found) else found


def lie_apart(found: Array) -> bool:
    """Whether these are many integers with gaps between them: loops read vectors of a copy."""
    return found.size >= widths.LEAST and not found.flags.c_contiguous and 0 not in found.strides


def as_int64(found: Array) -> Array:
    """Integers as int64; what it does not hold becomes the nearest number that it does."""
    if found.dtype.kind == "O":
        found = np.asarray(np.clip(found, *_RANGE))
    elif found.dtype.kind == "u" and found.itemsize == WIDE.itemsize:
        found = np.minimum(found, _RANGE[1])
    return found.astype(WIDE, copy=False)


def wide_coordinates(found: Array) -> Array:
    """Integers as int32 or int64, copied where they are of another type: see `as_int64`."""
    return found if found.dtype in (_NARROW, WIDE) else as_int64(found)


def same_coordinates(arrays: list[Array]) -> list[Array]:
    """`wide_coordinates` with one dtype between them."""
    arrays = [wide_coordinates(array) for array in arrays]
    first = arrays[0].dtype
    if all(array.dtype == first for array in arrays):
        return arrays
    return [array.astype(WIDE) for array in arrays]


def span(found: Array) -> tuple[bool, int]:
    """Of an array of integers with elements: whether one is negative, and else the greatest one;
    in one pass."""
    signed = found.dtype.kind == "i"
    top = int((found.view(f"u{found.itemsize}") if signed else found).max())
    return signed and top >> (8 * found.itemsize - 1) > 0, top


@lru_cache(None)
def coordinate(dtype: np.dtype[Any]) -> str:
    """The MLIR type of coordinates of `dtype`, which has a sign or not."""
    return f"{'u' if dtype.kind == 'u' else ''}i{8 * dtype.itemsize}"


def wrapped(found: Array, size: int) -> Array:
    """What `integers` gives, modulo `size`. Raises IndexError where there is no element."""
    if size == 0:
        if found.size:
            raise IndexError("cannot do a non-empty take from an empty axis")
        return found
    if found.dtype.kind != "O" and size > np.iinfo(found.dtype).max:
        found = found.astype(WIDE)
    return np.asarray(found % size)


def converted(values: Any, dtype: np.dtype[Any], what: str = "values") -> Array:
    """`values` as an array of `dtype`, as `numpy.ndarray.astype`: integers wrap, fractions are cut.

    Raises ValueError for what does not fit, TypeError for a complex number as a real one, and for
    what is no number.
    """
    found = np.asarray(values)
    if found.dtype == dtype:
        return found if found.flags.aligned else found.copy()
    real = found.dtype.kind not in "cW" or dtype.kind in "cW"
    if not real and not isinstance(values, np.ndarray):
        raise TypeError(f"{what} must be real numbers for elements of {dtype}, found complex ones")
    try:
        with np.errstate(invalid="ignore", over="ignore"):
            return found.astype(dtype)
    except TypeError:
        raise TypeError(
            f"{what} must be numbers for elements of {dtype}, found {values!r:.50}"
        ) from None
    except (OverflowError, ValueError) as error:
        raise ValueError(f"{what} must fit elements of {dtype}: {error}") from None


def filling(fill_value: Any, dtype: np.dtype[Any]) -> Array:
    """What stands for elements out of bounds, of rank 0. Raises TypeError and ValueError."""
    fill_value = frameworks.plain(fill_value)
    found = converted(
        fill_default(dtype) if fill_value is None else fill_value, dtype, "fill_value"
    )
    if found.ndim:
        raise ValueError(f"fill_value must be one number, found an array of shape {found.shape}")
    return found


def _info(dtype: np.dtype[Any]) -> Any:
    """The package that knows the limits of elements."""
    return ml_dtypes() if _is_narrow(dtype) else np


@lru_cache(None)
def fill_default(dtype: np.dtype[Any]) -> Any:
    """What JAX fills with: NaN, the least signed integer, the greatest unsigned one, True."""
    if dtype == np.bool_:
        return True
    if is_integer(dtype):
        info = _info(dtype).iinfo(dtype)
        return info.max if is_unsigned(dtype) else info.min
    return np.array(np.nan, dtype)[()]


def is_integer(dtype: np.dtype[Any]) -> bool:
    """Whether elements are integers, ml_dtypes' narrow ones among them; bools are not."""
    return dtype.kind in "iu" or dtype.name.startswith(("int", "uint"))


def limits(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    """The least and the greatest element, infinities where the type has them."""
    if dtype == np.bool_:
        return False, True
    if is_integer(dtype):
        info = _info(dtype).iinfo(dtype)
        return info.min, info.max
    if dtype.kind == "c":
        return complex(-np.inf, -np.inf), complex(np.inf, np.inf)
    if np.isinf(np.array(np.inf, dtype)):
        return -np.inf, np.inf
    floats = _info(dtype).finfo(dtype)
    return floats.min, floats.max
