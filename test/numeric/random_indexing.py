"""Random arrays, index expressions and what is done at them, checked against NumPy's indexing."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

COMMON = (np.float32, np.int64, np.float64)
RARE = (
    np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.uint64, np.float16,
    np.complex64, np.complex128, ml_dtypes.bfloat16, ml_dtypes.float8_e5m2, ml_dtypes.int4,
)  # fmt: skip
COMBINE = {"add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}


class Draw:
    """One program, a function of the seed: `x`, `index`, `action` and `values`."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.dtype = np.dtype(self.one(RARE) if self.chance(0.2) else self.one(COMMON))
        self.shape = tuple(int(n) for n in self.rng.choice(6, self.rank(), p=_SIZES))
        self.x = self.layout(self.elements(self.shape))
        self.index = self.expression()
        self.action = self.one(["get", "get", "get", "set", "set", *COMBINE])

    def rank(self) -> int:
        return self.upto(8) if self.chance(0.1) else self.upto(5)

    def one(self, options: Any) -> Any:
        return options[int(self.rng.integers(len(options)))]

    def upto(self, most: int) -> int:
        return int(self.rng.integers(0, most + 1))

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def elements(self, shape: tuple[int, ...]) -> np.ndarray:
        numbers = self.rng.integers(0, 7, shape)
        if self.dtype.kind == "f" and self.dtype.itemsize > 2:
            return np.asarray(self.rng.standard_normal(shape), self.dtype)
        if self.dtype.kind == "c":
            return np.asarray(numbers + 1j * self.rng.integers(0, 7, shape), self.dtype)
        return np.asarray(numbers).astype(self.dtype)

    def layout(self, x: np.ndarray) -> np.ndarray:
        """The same elements, some of them with strides, some in memory that cannot be written."""
        kind = self.upto(7)
        if kind == 0:
            return np.asfortranarray(x)
        if kind == 1 and x.ndim:
            doubled = np.repeat(x, 2, axis=-1)
            return doubled[..., ::2]
        if kind == 2 and x.ndim:
            return x[::-1].copy()[::-1]
        if kind == 3:
            x.flags.writeable = False
        return x

    def expression(self) -> Any:
        items, axis = [], 0
        batch = tuple(
            int(n) for n in self.rng.choice(5, self.upto(2), p=[0.04, 0.2, 0.26, 0.3, 0.2])
        )
        while axis < len(self.shape) and self.chance(0.85):
            if self.chance(0.08):
                items.append(None)
                continue
            if self.chance(0.02):
                items.append(bool(self.upto(1)))
                continue
            if self.chance(0.12) and Ellipsis not in [i for i in items if i is Ellipsis]:
                items.append(Ellipsis)
                axis += self.upto(len(self.shape) - axis)
                continue
            item, used = self.item(axis, batch)
            items.append(item)
            axis += used
        if len(items) == 1 and self.chance(0.5):
            return items[0]
        return tuple(items)

    def item(self, axis: int, batch: tuple[int, ...]) -> tuple[Any, int]:
        """One item and how many dims it takes."""
        size = self.shape[axis]
        kind = self.upto(9)
        low, high = (-size, size) if not self.chance(0.01) else (-size - 2, size + 2)
        if kind < 3:
            bounds = [None if self.chance(0.4) else int(self.rng.integers(-7, 8)) for _ in "ab"]
            step = self.one([None, None, 1, 2, 3, -1, -2])
            return slice(*bounds, step), 1
        if kind == 3 and high > low:
            number = int(self.rng.integers(low, high))
            return self.one([number, np.int32(number), np.array(number)]), 1
        if kind == 4:
            count = 1 + self.upto(min(1, len(self.shape) - axis - 1))
            mask = self.rng.random(self.shape[axis : axis + count]) < 0.5
            return (mask if self.chance(0.97) else mask[1:]), count
        if kind == 5 and self.chance(0.1):
            return [], 1
        shape = batch if self.chance(0.6) else batch[self.upto(len(batch)) :]
        if self.chance(0.2):
            shape = tuple(1 if self.chance(0.5) else n for n in shape)
        if high <= low:
            return np.zeros((*shape, 0), np.int64), 1
        places = self.rng.integers(low, high, shape)
        kind = self.one([np.int64, np.int64, np.int64, np.int32, np.int8, np.intp])
        places = np.asarray(places).astype(kind)
        return (places.tolist() if self.chance(0.1) and places.ndim else places), 1

    def values(self, shape: tuple[int, ...]) -> np.ndarray:
        """Values that broadcast to `shape`."""
        first = 0 if self.chance(0.7) else self.upto(len(shape))
        own = tuple(1 if self.chance(0.1) else n for n in shape[first:])
        return self.elements(() if self.chance(0.2) else own)


_SIZES = (0.03, 0.12, 0.2, 0.25, 0.2, 0.2)


def check(seed: int, at: Callable[[Any], Any]) -> str:
    """Run program `seed` through `at` and NumPy. Returns what it was; AssertionError if they
    differ: in elements, in shape and dtype, or in which exception is raised."""
    draw = Draw(seed)
    x, index, action = draw.x, draw.index, draw.action
    told = f"seed {seed}: x{list(x.shape)} {x.dtype}, strides {x.strides}, {action} at {index!r}"
    places = np.arange(x.size).reshape(x.shape)
    try:
        places = np.asarray(places[index])
        expected = np.asarray(x[index])
    except IndexError as error:
        try:
            at(x)[index].get(mode="error")
        except IndexError:
            return "refused"
        raise AssertionError(f"{told}: NumPy raises {error}") from None
    if action == "get":
        same(at(x)[index].get(mode="error"), expected, told)
        return action
    if x.dtype.kind == "c" and action in ("min", "max"):
        action = "set"
    values = draw.values(places.shape)
    before = x.copy()
    # In the order of the index, which NumPy's own assignment does not promise.
    wanted = x.flatten()
    spread = np.broadcast_to(values, places.shape)
    if action == "set":
        wanted[places.reshape(-1)] = spread.reshape(-1)
    else:
        COMBINE[action].at(wanted, places.reshape(-1), spread.reshape(-1))
    found = getattr(at(x)[index], action)(values, mode="error")
    same(found, wanted.reshape(x.shape), told)
    same(x, before, told)
    return action


def same(found: np.ndarray, expected: np.ndarray, told: str) -> None:
    """The two are equal in dtype, shape and bits."""
    assert isinstance(found, np.ndarray), told
    assert found.dtype == expected.dtype, f"{told}: {found.dtype}, expected {expected.dtype}"
    assert found.shape == expected.shape, f"{told}: {found.shape}, expected {expected.shape}"
    if found.tobytes() != expected.tobytes():
        raise AssertionError(f"{told}:\n{found}\nexpected\n{expected}")
