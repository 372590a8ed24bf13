"""Ctrl-C while compiled code runs, which knows nothing of Python's signals."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

EXIT_CODE = 130
GRACE = 0.3
"""Seconds in which KeyboardInterrupt may end the work in good order."""


_is_interrupted = False


def once(number: int, frame: Any) -> None:
    """A handler of SIGINT for a process that its parent may send what the terminal sent it too."""
    global _is_interrupted
    _is_interrupted = True
    signal.signal(number, signal.SIG_IGN)
    signal.default_int_handler(number, frame)


def is_interrupted() -> bool:
    """Whether `once` was called: what fails now may do so for that."""
    return _is_interrupted


def _ignore_interrupts(unraisable: Any) -> None:
    """What cannot be raised, as in a destructor, is a traceback, unless it is KeyboardInterrupt."""
    if unraisable.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(unraisable)


def begin() -> None:
    """Let SIGINT raise KeyboardInterrupt where it has ended a tool that was being imported."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def end() -> None:
    """Let SIGINT end the process, which has nothing left to do but to be taken down."""
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, once):
        signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def prompt(report: Callable[[], None]) -> Iterator[None]:
    """End the process soon after SIGINT, with `report` and exit code 130, where KeyboardInterrupt
    has not ended the work by then. Where a program handles SIGINT by itself it keeps it."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(
        signal.SIGINT
    ) not in (signal.default_int_handler, once):
        yield
        return
    global _is_interrupted
    _is_interrupted = False
    ended = threading.Event()
    signals, number = os.pipe()
    os.set_blocking(number, False)
    before = signal.set_wakeup_fd(number, warn_on_full_buffer=False)

    def watch() -> None:
        while data := os.read(signals, 1):
            if data[0] == signal.SIGINT and not ended.wait(GRACE):
                report()
                os._exit(EXIT_CODE)
        os.close(signals)

    threading.Thread(target=watch, name="interrupts", daemon=True).start()
    handler = signal.signal(signal.SIGINT, once)
    hook, sys.unraisablehook = sys.unraisablehook, _ignore_interrupts
    try:
        yield
    finally:
        ended.set()
        sys.unraisablehook = hook
        if handler is not once:
            signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(before)
        os.close(number)
