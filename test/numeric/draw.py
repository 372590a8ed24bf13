"""Where random programs take their choices from: hypothesis, which shrinks them, or NumPy."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from hypothesis import strategies as st

T = TypeVar("T")


class Draw(Protocol):
    """A source of choices; it shrinks towards the low end and the first entry."""

    def integer(self, low: int, high: int) -> int: ...

    def choice(self, options: Sequence[T]) -> T: ...


class HypothesisDraw:
    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high))

    def choice(self, options: Sequence[T]) -> T:
        return self._draw(st.sampled_from(options))


class RandomDraw:
    def __init__(self, seed: int | Sequence[int]) -> None:
        self._rng = np.random.default_rng(seed)

    def integer(self, low: int, high: int) -> int:
        return int(self._rng.integers(low, high + 1))

    def choice(self, options: Sequence[T]) -> T:
        return options[self.integer(0, len(options) - 1)]


def some(draw: Draw, options: Sequence[T], count: int) -> list[T]:
    """`count` different options, in their order."""
    left = list(range(len(options)))
    while len(left) > count:
        left.pop(draw.integer(0, len(left) - 1))
    return [options[n] for n in left]


def chance(draw: Draw, one_in: int) -> bool:
    return draw.integer(0, one_in - 1) == one_in - 1
