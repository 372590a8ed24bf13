"""Memory for results.

The first touch of fresh memory costs more than most kernels write: the system hands it out page by
page, cleared. So large results lie in blocks that are used again when no array or view refers to
them any more. `MLIR_GS_POOL` is how many MiB of such blocks are kept while they are not
in use, 256 by default, 0 for none.

What is smaller comes from the C library, as do temporaries of kernels. glibc hands large arrays
back to the system when they are freed, until it has seen that larger ones come and go.
"""

import math
from collections import OrderedDict, deque
from typing import Any

import numpy as np
from mlir_gs._forks import leaf_lock
from mlir_gs.execution.environment import environment_number
from mlir_gs.execution.switches import is_on

VARIABLE = "MLIR_GS_POOL"
DEFAULT_SIZE = 256
"""MiB."""

LARGE = 1 << 21
"""Bytes from which a result lies in a block: a call takes some us longer for that."""

KEPT = (32 << 20) - (1 << 16)
"""Bytes of the largest array that glibc makes of memory that was freed before."""

# It takes nothing from the system for arrays smaller than the largest that was freed, and keeps
# twice as many bytes.
np.empty(KEPT, np.uint8)

_ALIGNMENT = 64
"""Bytes: a cache line and a vector; JAX copies what is aligned to less."""

MANY = 1 << 18
"""Bytes: to write these takes longer than to find memory that begins with a line."""

_SLACK = 8
"""A block serves what takes at least all but this part of it."""


class Block:
    """Memory of `size` bytes from `address` on."""

    __slots__ = ("_room", "address", "size")

    def __init__(self, size: int) -> None:
        self._room = _fresh(size)
        self.address = self._room.ctypes.data
        self.size = size


class Pool:
    """Blocks that are not in use, at most so many bytes of them; the oldest go first."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = leaf_lock()
        # What comes back, possibly while this thread holds the lock: the collector runs anywhere.
        self._returned: deque[Block] = deque()
        self._blocks: OrderedDict[int, Block] = OrderedDict()
        self._held = 0

    def take(self, size: int) -> Block:
        """Memory of `size` bytes or somewhat more, at a multiple of 64."""
        with self._lock:
            self._collect()
            best = None
            # The last one that came back is the one that caches may hold.
            for number, block in reversed(self._blocks.items()):
                if size <= block.size <= size + size // _SLACK and (
                    best is None or block.size < self._blocks[best].size
                ):
                    best = number
                    if block.size == size:
                        break
            if best is not None:
                found = self._blocks.pop(best)
                self._held -= found.size
                return found
        return Block(size)

    def give(self, block: Block) -> None:
        """Keep a block that is not in use."""
        self._returned.append(block)
        if self._lock.acquire(blocking=False):
            try:
                self._collect()
            finally:
                self._lock.release()

    def _collect(self) -> None:
        while self._returned:
            block = self._returned.popleft()
            self._blocks[id(block)] = block
            self._held += block.size
        while self._held > self._limit:
            self._held -= self._blocks.popitem(last=False)[1].size


pool = Pool(environment_number(VARIABLE, DEFAULT_SIZE) << 20)


class _Lent:
    """What an array in a block has as its base: the block goes back with it."""

    __slots__ = ("__array_interface__", "_block")

    def __init__(self, block: Block, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self._block = block
        place, text = (block.address, False), dtype.str
        self.__array_interface__ = {"data": place, "shape": shape, "typestr": text, "version": 3}

    def __del__(self) -> None:
        pool.give(self._block)


def _fresh(size: int) -> np.ndarray[Any, Any]:
    room = np.empty(size + _ALIGNMENT, np.uint8)
    start = -room.ctypes.data % _ALIGNMENT
    return room[start : start + size]


def empty(
    shape: tuple[int, ...], dtype: np.dtype[Any], aligned: bool = False
) -> np.ndarray[Any, Any]:
    """A new C-contiguous array, uninitialized; `aligned`: at a multiple of 64 bytes. Raises
    ValueError for a negative size, MemoryError for one that no memory holds."""
    size = dtype.itemsize
    for extent in shape:
        if extent < 0:
            raise ValueError(f"a result of shape {shape}: no size is negative")
        size *= extent
    try:
        return _empty(shape, dtype, size, aligned)
    except (MemoryError, ValueError):
        # NumPy names the shape of the block, or none.
        raise MemoryError(f"a result of shape {shape} and type {dtype} does not fit") from None


def at_lines(
    shape: tuple[int, ...], dtype: np.dtype[Any], placed: int, make: Any = np.empty
) -> np.ndarray[Any, Any]:
    """`make(shape, dtype)`, at a multiple of 64 bytes where that keeps rows of it from lying in one
    line more each; `placed`: the bytes that are added to them."""
    row = math.prod(shape[1:]) * dtype.itemsize
    if placed < MANY or row % _ALIGNMENT or not shape or dtype.hasobject:
        return make(shape, dtype)
    room = make(shape[0] * row + _ALIGNMENT, np.uint8)
    return np.ndarray(shape, dtype, room, -room.ctypes.data % _ALIGNMENT)


def _empty(
    shape: tuple[int, ...], dtype: np.dtype[Any], size: int, aligned: bool
) -> np.ndarray[Any, Any]:
    if size >= LARGE and is_on("memory-pool"):
        found = np.asarray(_Lent(pool.take(size), shape, dtype))
        # Other packages' types have no text of their own.
        return found if found.dtype == dtype else found.view(dtype)
    if aligned:
        return _fresh(size).view(dtype).reshape(shape)
    return np.empty(shape, dtype)
