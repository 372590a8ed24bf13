"""What a tool is doing, published to the process that watches it and outlives its crash.

The two processes share a page of memory; without one (`share`) nothing is published. A page holds
texts with NULs between them: the input, what is done to it, who does it, and unfinished files.
"""

import contextlib
import mmap
import os
import shutil
import signal
import struct
from collections.abc import Iterator
from dataclasses import dataclass

PREFIX = ".mlir-gs-"
"""How the name of an unfinished file begins. Others are not removed, whatever a page says."""

_SIZE = 1 << 16
_LENGTH = struct.Struct("=I")


@dataclass
class _State:
    page: mmap.mmap | None = None
    held: int | None = None
    place: str = ""
    activity: str = ""
    who: str = ""
    unfinished: tuple[str, ...] = ()

    def publish(self) -> None:
        if self.page is None:
            return
        texts = (self.place, self.activity, self.who, *self.unfinished)
        data = "\0".join(texts).encode("utf-8", "surrogateescape")
        if len(data) <= _SIZE - _LENGTH.size:
            self.page[: _LENGTH.size + len(data)] = _LENGTH.pack(len(data)) + data


_state = _State()


def new_page() -> mmap.mmap:
    """A page that this process shares with those that it forks."""
    return mmap.mmap(-1, _SIZE)


def share(page: mmap.mmap, held: int) -> None:
    """Publish to `page` from now on. While the descriptor `held` is open, the watcher waits."""
    _state.page, _state.held = page, held
    _state.publish()


def is_watched() -> bool:
    """Whether there is a process that reads what is published."""
    return _state.page is not None


def held() -> int | None:
    """The descriptor that a helper of this process keeps open while it has something to do."""
    return _state.held


def crash_quietly() -> None:
    """Where a process watches, drop the handler of tvm-ffi, which prints a backtrace on SIGSEGV."""
    if is_watched():
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)


def doing(place: str, activity: str, who: str = "MLIR") -> None:
    """`who` is `activity`, as in "reading it", to the input `place`: a file, or a line of one."""
    _state.place, _state.activity, _state.who = place, activity, who
    _state.publish()


@contextlib.contextmanager
def unfinished(path: str) -> Iterator[None]:
    """Inside of it, the file or folder `path` is removed if the process ends; its name has the
    PREFIX."""
    _state.unfinished += (os.path.abspath(path),)
    _state.publish()
    try:
        yield
    finally:
        _state.unfinished = tuple(p for p in _state.unfinished if p != os.path.abspath(path))
        _state.publish()


def last_words(page: mmap.mmap) -> tuple[str, str, str]:
    """The place, the activity and who: as published last, empty if nothing was."""
    place, activity, who, *_ = [*_texts(page), "", "", ""]
    return place, activity, who


def clean_up(page: mmap.mmap) -> None:
    """Remove what is unfinished."""
    for path in _texts(page)[3:]:
        if not os.path.basename(path).startswith(PREFIX):
            continue
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            with contextlib.suppress(OSError):
                os.unlink(path)


def _texts(page: mmap.mmap) -> list[str]:
    # A process that crashed may have written anything.
    (length,) = _LENGTH.unpack(page[: _LENGTH.size])
    data = page[_LENGTH.size : _LENGTH.size + min(length, _SIZE)]
    return data.decode("utf-8", "surrogateescape").split("\0")
