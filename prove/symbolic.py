"""Numbers of the IR that stand for any number.

Some rewrites need static sizes or for constants. Proved for the numbers that are written, they
would be proved for these alone. `reading` gives numbers, and constants of several elements, another
meaning while functions are read: the IR says 11, and the solver sees a size n.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import z3

# The element at an index.
Elements = Callable[[Sequence[z3.ArithRef]], z3.ArithRef]
Key = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Symbols:
    """What numbers and constants of integers stand for, and what is known of that."""

    numbers: Mapping[int, z3.ArithRef] = field(default_factory=dict)
    arrays: Mapping[Key, Elements] = field(default_factory=dict)
    facts: Sequence[z3.BoolRef] = ()


_NONE = Symbols()
_current: ContextVar[Symbols] = ContextVar("symbols", default=_NONE)


@contextmanager
def reading(symbols: Symbols) -> Iterator[None]:
    """Functions that are read meanwhile have these symbols."""
    token = _current.set(symbols)
    try:
        yield
    finally:
        _current.reset(token)


def stands_for(value: int) -> z3.ArithRef:
    """A number that the IR spells: itself, or what it stands for."""
    return _current.get().numbers.get(value, z3.IntVal(value))


def elements(array: Any) -> Elements | None:
    """What a constant of integers stands for, if not for itself."""
    return _current.get().arrays.get(key_of(array))


def known() -> list[z3.BoolRef]:
    return list(_current.get().facts)


def key_of(array: Any) -> Key:
    flat = np.asarray(array).reshape(-1)
    if flat.dtype.kind not in "iu":
        return (), ()
    return tuple(np.asarray(array).shape), tuple(flat.tolist())
