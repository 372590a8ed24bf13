"""Element types of arrays: what moves them, what computes on them, and what can be a coordinate."""

from functools import lru_cache
from typing import Any

import ml_dtypes
import numpy as np

_COMPUTED: dict[np.dtype[Any], str] = {
    np.dtype(scalar): text
    for scalar, text in (
        (np.bool_, "i1"),
        (np.int8, "i8"),
        (np.int16, "i16"),
        (np.int32, "i32"),
        (np.int64, "i64"),
        (np.uint8, "i8"),
        (np.uint16, "i16"),
        (np.uint32, "i32"),
        (np.uint64, "i64"),
        (np.float16, "f16"),
        (np.float32, "f32"),
        (np.float64, "f64"),
        (np.complex64, "complex<f32>"),
        (np.complex128, "complex<f64>"),
        (ml_dtypes.bfloat16, "bf16"),
        (ml_dtypes.float8_e3m4, "f8E3M4"),
        (ml_dtypes.float8_e4m3, "f8E4M3"),
        (ml_dtypes.float8_e4m3b11fnuz, "f8E4M3B11FNUZ"),
        (ml_dtypes.float8_e4m3fn, "f8E4M3FN"),
        (ml_dtypes.float8_e4m3fnuz, "f8E4M3FNUZ"),
        (ml_dtypes.float8_e5m2, "f8E5M2"),
        (ml_dtypes.float8_e5m2fnuz, "f8E5M2FNUZ"),
        (ml_dtypes.float8_e8m0fnu, "f8E8M0FNU"),
        (ml_dtypes.int2, "i2"),
        (ml_dtypes.int4, "i4"),
        (ml_dtypes.uint2, "i2"),
        (ml_dtypes.uint4, "i4"),
    )
}

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
NARROW = np.dtype(np.int32)


@lru_cache(None)
def computed(dtype: np.dtype[Any]) -> str:
    """The MLIR type in which elements of `dtype` are computed with, integers signless.

    Raises TypeError for a type that `gs` does not hold.
    """
    found = _COMPUTED.get(dtype) if dtype.isnative else None
    if found is None:
        raise TypeError(
            f"elements of {dtype} are not supported: expected native bool, integers, float16 to"
            " float64, complex64, complex128 or types of ml_dtypes"
        )
    return found


@lru_cache(None)
def is_unsigned(dtype: np.dtype[Any]) -> bool:
    """Whether elements are integers without a sign."""
    return dtype.kind == "u" or dtype.name.startswith("uint")


@lru_cache(None)
def _carrier(dtype: np.dtype[Any]) -> tuple[str, np.dtype[Any] | None]:
    computed(dtype)
    text, first, second = _CARRIERS[dtype.itemsize]
    return text, None if dtype in (first, second) else first


def moved(dtype: np.dtype[Any]) -> str:
    """The MLIR type as which elements of `dtype` are moved. Raises TypeError as `computed`."""
    return _carrier(dtype)[0]


def carried(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """`array` as `moved` has it: itself, or a view of its bits."""
    dtype = _carrier(array.dtype)[1]
    return array if dtype is None else array.view(dtype)


def coordinates(array: Any, what: str = "indices") -> np.ndarray[Any, Any]:
    """An integer array as int32 or int64, copied where it is of another type.

    Raises IndexError for elements that are not integers, as NumPy does.
    """
    found = np.asarray(array)
    if found.dtype == WIDE or found.dtype == NARROW:
        return found
    if found.dtype.kind in "iu":
        return found.astype(WIDE)
    if found.size == 0 and not isinstance(array, np.ndarray):
        return found.astype(WIDE)
    raise IndexError(f"{what} must be integers, found {found.dtype}")


def same_coordinates(arrays: list[np.ndarray[Any, Any]]) -> list[np.ndarray[Any, Any]]:
    """The arrays with one dtype between them."""
    first = arrays[0].dtype
    if all(array.dtype == first for array in arrays):
        return arrays
    return [array.astype(WIDE) for array in arrays]


def fill_default(dtype: np.dtype[Any]) -> Any:
    """What JAX fills with: NaN, the least signed integer, the greatest unsigned one, True."""
    if dtype == np.bool_:
        return True
    if is_integer(dtype):
        info = ml_dtypes.iinfo(dtype)
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
        info = ml_dtypes.iinfo(dtype)
        return info.min, info.max
    if np.isinf(np.array(np.inf, dtype)):
        return -np.inf, np.inf
    floats = ml_dtypes.finfo(dtype)
    return floats.min, floats.max
