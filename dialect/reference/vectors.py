"""Vectors in the reference: arrays of their shapes, which are read and written lane by lane."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from mlir_gs.dialect.reference.coordinates import UndefinedBehavior
from mlir_gs.dialect.reference.ops import Handler, Machine, plain

Array = np.ndarray
Lane = tuple[int, ...]


def parts_of(op: Any, operands: Sequence[Any]) -> tuple[Any, list[Any], Any, Any, Any]:
    """Of an access: the memory, an index, what is added to the last one in each lane or None, the
    mask or None, and the vector that is written or stands where nothing is read, or None."""
    operands = list(operands)
    value = operands.pop(0) if op.name == "vector.store" else None
    memory, *rest = operands
    count = memory.ndim if isinstance(memory, np.ndarray) else len(memory.shape)
    index, rest = rest[:count], rest[count:]
    added = rest.pop(0) if op.name in ("vector.gather", "vector.scatter") else None
    mask, other = rest or (None, value)
    return memory, index, added, mask, other


def _lanes(
    shape: Sequence[int], memory: Array, index: list[Array], added: Any, mask: Any
) -> Iterator[tuple[Lane, Lane]]:
    """(lane, place in memory) of those that are on, in order."""
    for lane in np.ndindex(*shape):
        if mask is not None and not mask[lane]:
            continue
        place = [int(each) for each in index]
        more = lane if added is None else (int(added[lane]),)
        for n, each in enumerate(more):
            place[len(place) - len(more) + n] += each
        if not all(0 <= at < size for at, size in zip(place, memory.shape, strict=True)):
            raise UndefinedBehavior(f"a lane at {place} is out of bounds of {list(memory.shape)}")
        yield lane, tuple(place)


def _read(_: Machine, op: Any, operands: list[Array]) -> tuple[Array, ...]:
    memory, index, added, mask, other = parts_of(op, operands)
    shape = op.results[0].type.shape
    found = np.zeros(shape, memory.dtype) if other is None else other.copy()
    for lane, place in _lanes(shape, memory, index, added, mask):
        found[lane] = memory[place]
    return (found,)


def _write(_: Machine, op: Any, operands: list[Array]) -> tuple[Array, ...]:
    memory, index, added, mask, value = parts_of(op, operands)
    for lane, place in _lanes(value.shape, memory, index, added, mask):
        memory[place] = value[lane]
    return ()


def _mask(op: Any, *sizes: Array) -> Array:
    shape = op.results[0].type.shape
    found = np.ones(shape, bool)
    for lanes, size in zip(np.indices(shape), sizes, strict=True):
        found &= lanes < int(size)
    return found


def _broadcast(op: Any, x: Array) -> Array:
    return np.broadcast_to(x, op.results[0].type.shape).copy()


_VALUES: dict[str, Callable[..., Array]] = {
    "vector.broadcast": _broadcast,
    "vector.create_mask": _mask,
    "vector.splat": _broadcast,
    "vector.step": lambda op: np.arange(op.results[0].type.shape[0], dtype=np.int64),
}
READS = ("vector.load", "vector.maskedload", "vector.gather")
WRITES = ("vector.store", "vector.maskedstore", "vector.scatter")
VECTOR: dict[str, Handler] = {
    **{name: plain(function) for name, function in _VALUES.items()},
    **dict.fromkeys(READS, _read),
    **dict.fromkeys(WRITES, _write),
}
