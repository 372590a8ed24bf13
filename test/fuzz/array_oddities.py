"""What may be wrong or unusual with an argument."""

import ctypes
import random
import warnings
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

_DTYPES = (
    *("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "g", "c8", "c16"),
    *(">i4", ">f4", ">i8", ">f8", "O", "S3", "U2", "M8[s]", "m8[s]", "V4", [("a", "f4")]),
    *(ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.int4),
)
_OBJECTS: tuple[Any, ...] = (
    None, "text", b"bytes", 3, -1, 2**63, -(2**70), 1.5, float("nan"), 1j, True, [1, 2], [], (), {},
    object(), np.float32(2), np.int64(-3), np.datetime64(5, "s"), type, Ellipsis, range(3),
    memoryview(b"1234"), bytearray(8), np.random, lambda: None, ctypes.c_int(3),
)  # fmt: skip
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = ctypes.c_void_p
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
# Where a DLManagedTensorVersioned has these: device type, number of dims, dtype.
_DEVICE, _NDIM, _DTYPE, _SHAPE = 40, 48, 52, 56


MOST = 1 << 20
"""Elements of an array that is copied."""


class Producer:
    """An object with DLPack's protocol that passes on an array, or does not."""

    def __init__(self, array: np.ndarray, how: str) -> None:
        self.array, self.how = array, how

    def __dlpack_device__(self) -> Any:
        if self.how == "other device":
            return (2, 0)
        return "gpu" if self.how == "wrong device" else (1, 0)

    def __dlpack__(self, **_: Any) -> Any:
        match self.how:
            case "raises":
                raise RuntimeError("no DLPack today")
            case "nothing":
                return None
            case "text":
                return "capsule"
            case "used":
                capsule = self.array.__dlpack__()
                np.from_dlpack(_Once(capsule))
                return capsule
        try:
            capsule = self.array.__dlpack__(max_version=(1, 0))
        except BufferError:
            return None
        self._poke(_capsule_pointer(capsule, b"dltensor_versioned"))
        return capsule

    def _poke(self, start: int) -> None:
        match self.how:
            case "other device":
                ctypes.c_int32.from_address(start + _DEVICE).value = 2
            case "lanes":
                ctypes.c_uint16.from_address(start + _DTYPE + 2).value = 4
            case "bits":
                ctypes.c_uint8.from_address(start + _DTYPE + 1).value = 7
            case "code":
                ctypes.c_uint8.from_address(start + _DTYPE).value = 77
            case "negative rank":
                ctypes.c_int32.from_address(start + _NDIM).value = -1
            case "negative size" if self.array.ndim:
                shape = ctypes.c_void_p.from_address(start + _SHAPE).value
                if shape:
                    ctypes.c_int64.from_address(shape).value = -5


class _Once:
    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack_device__(self) -> Any:
        return (1, 0)

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule


LIES = ("raises", "nothing", "text", "used", "other device", "wrong device", "lanes", "bits",
        "code", "negative rank", "negative size")  # fmt: skip


def _other_dtype(rng: random.Random, array: np.ndarray) -> Any:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return array.astype(rng.choice(_DTYPES))
        except (TypeError, ValueError, OverflowError):
            return array.astype("O")


def _swapped(rng: random.Random, array: np.ndarray) -> Any:
    return array.astype(array.dtype.newbyteorder()) if array.dtype.kind in "iufc" else array


def _other_rank(rng: random.Random, array: np.ndarray) -> Any:
    return rng.choice((
        lambda: array[None], lambda: array[..., None], lambda: array.reshape(-1),
        lambda: array[0] if len(array) else array[None], lambda: np.asarray(array.sum()),
        lambda: array.reshape((1,) * 20 + array.shape),
    ))()  # fmt: skip


def _strided(rng: random.Random, array: np.ndarray) -> Any:
    def spread() -> np.ndarray:
        larger = np.zeros(tuple(2 * n + 1 for n in array.shape), array.dtype)
        view = larger[tuple(slice(1, None, 2) for _ in array.shape)]
        view[...] = array
        return view

    def backwards() -> np.ndarray:
        return np.ascontiguousarray(array[::-1])[::-1]

    return rng.choice((spread, backwards, lambda: np.asfortranarray(array)))()


def _cut(rng: random.Random, array: np.ndarray) -> Any:
    if array.size > MOST:
        return array
    dim = rng.randrange(array.ndim)
    return np.take(array, range(rng.choice((0, array.shape[dim] // 2))), dim)


def _longer(rng: random.Random, array: np.ndarray) -> Any:
    if array.size > MOST:
        return array
    return np.concatenate([array, array], rng.randrange(array.ndim))


def _unaligned(rng: random.Random, array: np.ndarray) -> Any:
    memory = np.zeros(array.nbytes + 8, np.uint8)
    view = memory[rng.choice((1, 2, 3, 4)) :][: array.nbytes].view(array.dtype)
    view = view.reshape(array.shape)
    view[...] = array
    return view


def _read_only(rng: random.Random, array: np.ndarray) -> Any:
    array = array.copy()
    array.flags.writeable = False
    return array


def _broadcast(rng: random.Random, array: np.ndarray) -> Any:
    """Stride 0, and sizes that no memory holds."""
    if not len(array):
        return array
    rows = rng.choice((0, 3, 70, 2**31, 2**40, 2**60 // max(array.nbytes, 1)))
    return np.broadcast_to(array[:1], (rows, *array.shape[1:]))


def _object(rng: random.Random, array: np.ndarray) -> Any:
    return rng.choice(_OBJECTS)


def _producer(rng: random.Random, array: np.ndarray) -> Any:
    return Producer(array, rng.choice(("honest", *LIES)))


def _subclass(rng: random.Random, array: np.ndarray) -> Any:
    kinds = (np.matrix, np.ma.MaskedArray, np.recarray, np.memmap)
    try:
        return array.view(rng.choice(kinds))
    except (ValueError, TypeError):
        return array


ODDITIES: tuple[Callable[[random.Random, np.ndarray], Any], ...] = (
    _other_dtype, _other_dtype, _swapped, _other_rank, _strided, _strided, _cut, _longer,
    _unaligned, _read_only, _read_only, _broadcast, _object, _producer, _producer, _subclass,
)  # fmt: skip
