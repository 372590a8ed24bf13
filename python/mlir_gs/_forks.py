"""What a fork of the process waits for, so that its child finds no lock held by a thread that it
lacks."""

import os
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

_Value = TypeVar("_Value")

lock = threading.RLock()
"""Held while a kernel is built, and while modules of this package are imported because a name of
theirs is asked for. Contexts are single-threaded, and one that a caller gave may serve several
kernels: a child finds none that another thread was working in, and no module half imported."""

_others: list[Any] = []


def leaf_lock() -> Any:
    """A lock that a fork waits for as well. Who holds it asks for no other."""
    made = threading.Lock()
    _others.append(made)
    return made


def _hold() -> None:
    # The order in which a thread takes them: hooks of their own would run in the opposite one.
    lock.acquire()
    for one in _others:
        one.acquire()


def _release() -> None:
    for one in _others:
        one.release()
    lock.release()


if hasattr(os, "register_at_fork"):
    # Here, as what is registered while a fork waits would be released without being held.
    os.register_at_fork(before=_hold, after_in_parent=_release, after_in_child=_release)


class cached_property(Generic[_Value]):
    """As that of functools, which on Python 3.11 holds a lock meanwhile, one for all instances."""

    def __init__(self, compute: Callable[[Any], _Value]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type | None = None) -> _Value:
        # What is in the instance's dict is found before this.
        found = instance.__dict__[self._name] = self._compute(instance)
        return found
