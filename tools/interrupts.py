"""Ctrl-C while compiled code runs, which knows nothing of Python's signals."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

EXIT_CODE = 130
GRACE = 0.3
"""Seconds in which KeyboardInterrupt may end the work in good order."""


def once(number: int, frame: Any) -> None:
    """A handler of SIGINT for a process that its parent may send what the terminal sent it too."""
    signal.signal(number, signal.SIG_IGN)
    signal.default_int_handler(number, frame)


@contextmanager
def prompt(report: Callable[[], None]) -> Iterator[None]:
    """End the process soon after SIGINT, with `report` and exit code 130, where KeyboardInterrupt
    has not ended the work by then. Where a program handles SIGINT by itself it keeps it."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(
        signal.SIGINT
    ) not in (signal.default_int_handler, once):
        yield
        return
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
    try:
        yield
    finally:
        ended.set()
        signal.set_wakeup_fd(before)
        os.close(number)
