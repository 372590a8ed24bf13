"""Drawn arrays, indices and index expressions for the functions on arrays."""

import random
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

Array = np.ndarray[Any, Any]

ML_DTYPES = [
    np.dtype(kind)
    for kind in vars(ml_dtypes).values()
    if isinstance(kind, type) and issubclass(kind, np.generic)
]
DTYPES = [
    *map(np.dtype, ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")),
    *map(np.dtype, ("c8", "c16")),
    *ML_DTYPES,
]
ONLY_MOVED = [np.dtype(getattr(ml_dtypes, name)) for name in
              ("int1", "uint1", "complex32", "bcomplex32")]  # fmt: skip
INDEX_DTYPES = [*map(np.dtype, ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")),
                np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.uint4), None]  # fmt: skip
"""None: Python's integers, of any size."""


class Draws(random.Random):
    """What one call is drawn with. What a kernel is compiled for comes from `fixed`, which many
    calls share; sizes, numbers, strides and values are each call's own."""

    def __init__(self, own: str, shared: str) -> None:
        super().__init__(own)
        self.fixed = random.Random(shared)


def is_float(dtype: np.dtype[Any]) -> bool:
    return dtype.name.startswith(("float", "bfloat"))


def is_complex(dtype: np.dtype[Any]) -> bool:
    return "complex" in dtype.name


def is_integer(dtype: np.dtype[Any]) -> bool:
    return dtype.name.startswith(("int", "uint"))


def shape(rng: Draws, least: int = 0, most: int = 4) -> tuple[int, ...]:
    found = [rng.choice((0, 1, 2, 3, 3, 4, 5)) for _ in range(rng.fixed.randint(least, most))]
    if found and rng.random() < 0.1:
        # Threads share lines of such a row.
        found[-1] = 32
    return tuple(found)


def values(rng: Draws, sizes: Sequence[int], dtype: np.dtype[Any], odd: bool) -> Array:
    """Small whole numbers; with `odd` NaN, infinities and zeros of both signs too."""
    count = int(np.prod(sizes))
    found = np.array([rng.randint(-3, 4) for _ in range(count)], np.int64)
    if dtype.name.startswith("u") or dtype.name == "float8_e8m0fnu":
        found = abs(found) + (dtype.name == "float8_e8m0fnu")
    made = found.astype(dtype) if dtype.kind != "b" else found > 0
    if is_complex(dtype):
        other = np.array([rng.randint(-2, 3) for _ in range(count)])
        made = (found + 1j * other).astype(dtype)
    if odd and (is_float(dtype) or is_complex(dtype)):
        special = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0])
        if is_complex(dtype):
            special = np.array([complex(*two) for two in zip(special, special[::-1], strict=True)])
        special = special.astype(dtype)
        for place in range(count):
            if rng.random() < 0.3:
                made[place] = special[rng.randrange(len(special))]
    return made.reshape(sizes)


def laid_out(rng: Draws, array: Array) -> Array:
    """The same elements in memory of another kind."""
    match rng.randrange(7):
        case 0 if array.ndim:
            axis = rng.randrange(array.ndim)
            return np.flip(np.flip(array, axis).copy(), axis)
        case 1 if array.ndim:
            axis = rng.randrange(array.ndim)
            wide = np.repeat(array, 2, axis)
            return wide[(slice(None),) * axis + (slice(None, None, 2),)]
        case 2 if array.ndim:
            return np.asfortranarray(array)
        case 3:
            array = array.copy()
            array.flags.writeable = False
        case 4 if array.ndim and array.shape[0]:
            return np.broadcast_to(array[:1], array.shape)
        case 5 if array.ndim > 1:
            return np.moveaxis(np.ascontiguousarray(np.moveaxis(array, 0, -1)), -1, 0)
    return array


def _range(dtype: np.dtype[Any] | None) -> tuple[int, int]:
    if dtype is None:
        return -(1 << 70), 1 << 70
    if dtype.kind == "b":
        return 0, 1
    info = ml_dtypes.iinfo(dtype)
    return int(info.min), int(info.max)


def numbers(
    rng: Draws, size: int, count: int, dtype: np.dtype[Any] | None, inside: bool
) -> list[int]:
    """Python's integers that `dtype` holds, for an axis of `size`; some, unless they have to be
    `inside`, out of bounds, and of those some as far as can be."""
    low, high = _range(dtype)
    far = [low, high, low + 1, high - 1, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, -(1 << 63)]
    how = 0 if inside else rng.choice((0, 1, 1, 2))
    found = []
    for _ in range(count):
        number = rng.randint(-size, max(size - 1, -size))
        if how and rng.random() < 0.4:
            number = rng.randint(-2 * size - 1, 2 * size + 1) if how == 1 else rng.choice(far)
        if low == 0 and number < 0 and number > -(1 << 30):
            number += size
        found.append(min(max(number, low), high))
    return found


def index(
    rng: Draws, size: int, sizes: Sequence[int], inside: bool, bools: bool = False
) -> tuple[Any, Array]:
    """An index of such sizes, as a function gets it, and as an array of Python's integers."""
    dtype = rng.choice(INDEX_DTYPES)
    if bools and size > 1 and rng.random() < 0.05:
        dtype = np.dtype(bool)
    found = numbers(rng, size, int(np.prod(sizes)), dtype, inside)
    plain = np.empty(len(found), np.object_)
    plain[:] = found
    plain = plain.reshape(sizes)
    if dtype is None:
        return plain.tolist() if plain.size else plain.astype(np.int64), plain
    given = np.array(found, np.object_).astype(dtype).reshape(sizes)
    if not sizes:
        return rng.choice((given, given[()], int(given) if dtype.kind != "b" else given)), plain
    # What repeats a row changes the numbers.
    given = laid_out(rng, given)
    plain = np.array([int(n) for n in given.reshape(-1)], np.object_).reshape(given.shape)
    as_list = rng.random() < 0.15 and dtype.kind != "b" and plain.size
    return (plain.tolist() if as_list else given), plain


def expression(
    rng: Draws, sizes: tuple[int, ...], inside: bool
) -> tuple[tuple[Any, ...], list[Any]]:
    """An index expression for an array of such sizes: as it is given, and for `oracle.grid`."""
    given: list[Any] = []
    plain: list[Any] = []
    batch = shape(rng, 0, 2)
    axis = 0
    while axis < len(sizes):
        size, how = sizes[axis], rng.fixed.randrange(9)
        if how == 0 and not (inside and axis + 1 == len(sizes)):
            break
        if how == 1:
            given.append(None)
            plain.append(None)
            continue
        if how in (2, 3):
            parts = [rng.choice((None, rng.randint(-4, 6))) for _ in range(2)]
            item: Any = slice(*parts, rng.choice((None, 1, 2, -1, -2)))
            known = item
        elif how == 4 and (size or not inside):
            item, known = index(rng, size, (), inside)
        elif how == 5 and size and axis + 1 < len(sizes) and rng.fixed.random() < 0.3:
            item = known = np.array([rng.random() < 0.5 for _ in range(size)])
        elif size or not inside:
            own = tuple(n if rng.fixed.random() < 0.7 else 1 for n in batch)
            own = own[rng.fixed.choice((0, 0, len(own))) :]
            item, known = index(rng, size, own, inside)
        else:
            item = known = slice(None)
        given.append(item)
        plain.append(known)
        axis += 1
    if rng.random() < 0.2:
        given.append(...)
    return tuple(given), plain
