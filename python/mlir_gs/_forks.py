"""What a fork of the process and Ctrl-C wait for: a child finds no lock held by a thread that it
lacks, and nothing is left half done."""

import _signal
import os
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

_Value = TypeVar("_Value")


class _Uninterrupted:
    """A context in which SIGINT is put off: an import that ends in the middle can never be made
    again, as MLIR takes no dialect twice. Its handler is called at the end."""

    def __init__(self) -> None:
        # One object, which is compared with what the process has.
        self._noting = self._note
        self._handler: Any = None
        self._inner = 0
        self._is_interrupted = False

    def _note(self, _number: int, _frame: Any) -> None:
        self._is_interrupted = True

    def __enter__(self) -> None:
        if threading.get_ident() != threading.main_thread().ident:
            return
        handler = _signal.getsignal(_signal.SIGINT)
        if handler is self._noting:
            self._inner += 1
        elif callable(handler):
            self._handler, self._inner, self._is_interrupted = handler, 0, False
            _signal.signal(_signal.SIGINT, self._noting)

    def __exit__(self, *_: object) -> None:
        if threading.get_ident() != threading.main_thread().ident:
            return
        if _signal.getsignal(_signal.SIGINT) is not self._noting:
            return
        if self._inner:
            self._inner -= 1
            return
        _signal.signal(_signal.SIGINT, self._handler)
        if self._is_interrupted:
            self._handler(_signal.SIGINT, None)


uninterrupted = _Uninterrupted()


class _Lock:
    """Held while a kernel is built, and while modules of this package are imported because a name
    of theirs is used. Contexts are single-threaded, and one that a caller gave may serve
    several kernels: a child finds none that another thread was working in, and no module half
    imported. SIGINT waits for it too."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self.acquire = self._lock.acquire
        self.release = self._lock.release

    def __enter__(self) -> None:
        uninterrupted.__enter__()
        # While another thread has it there is nothing to put off for.
        while not self._lock.acquire(timeout=_STEP):
            # This raises, unless the handler lets the work go on.
            uninterrupted.__exit__()
            uninterrupted.__enter__()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
        uninterrupted.__exit__()


_STEP = 0.05
lock = _Lock()
_others: list[Any] = []


def leaf_lock() -> Any:
    """A lock that a fork waits for as well. Who holds it takes no other."""
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
