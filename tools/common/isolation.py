"""The work of a tool in a child process, so that a crash becomes a line and an exit code.

The process is forked before anything of MLIR is imported, which takes about two milliseconds. It
has the terminal, the standard streams and the process group of the tool. The one that waits passes
signals on, ends the other at a limit, and removes what a crash leaves unfinished.
"""

import contextlib
import ctypes
import gc
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mlir_gs.tools.common import interrupts, progress
from mlir_gs.tools.common.command_line import UsageError, switch

EXIT_CODE = 70
"""Where a signal has ended the work, as of clang after a crash."""

_STOP = getattr(signal, "SIGTSTP", None)
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP")
_FORWARDED = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
# By then an interrupted process has ended by itself, unless C++ code keeps Python from running.
_GRACE = interrupts.GRACE + 0.4
_STEP = 1.0
_PR_SET_PDEATHSIG = 1
_OBJECTS = 50_000
_LEAST_MEMORY = 512 << 20
"""Bytes of addresses that the libraries take, which end the process each in its own way."""


@dataclass(frozen=True)
class Isolation:
    """What the command line says: `wanted` is None where it says nothing. `seconds` and `memory`
    (bytes) are limits, which need a process of its own."""

    wanted: bool | None = None
    seconds: float | None = None
    memory: int | None = None


def split_isolation(arguments: Sequence[str]) -> tuple[list[str], Isolation]:
    """The arguments without `--isolate`, `--time-limit`, `--memory-limit`. Raises UsageError."""
    rest: list[str] = []
    wanted: bool | None = None
    found: dict[str, float] = {}
    words = list(arguments)
    end = words.index("--") if "--" in words else len(words)
    given = iter(words[:end])
    for argument in given:
        name, equals, text = argument.lstrip("-").partition("=")
        if not argument.startswith("-") or name not in ("isolate", "time-limit", "memory-limit"):
            rest.append(argument)
        elif name == "isolate":
            wanted = switch(name, text if equals else None)
        else:
            found[name] = _number(name, text if equals else next(given, ""))
    if wanted is False and found:
        raise UsageError(f"--isolate=false cannot be combined with --{next(iter(found))}")
    megabytes = found.get("memory-limit")
    memory = None if megabytes is None else int(megabytes * (1 << 20))
    return rest + words[end:], Isolation(wanted, found.get("time-limit"), memory)


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise UsageError(f"--{name}: expected a number, found '{text}'") from None
    if not 0 < value < float("inf"):
        raise UsageError(f"--{name}: expected a number above 0, found '{text}'")
    return value


def available() -> bool:
    """Whether this system can fork."""
    return hasattr(os, "fork")


def run_isolated(work: Callable[[], int], limits: Isolation, report: Callable[[str], None]) -> int:
    """The exit code of `work`, run in a process of its own; EXIT_CODE, and a line, where a signal
    has ended it; 1, and a line, at the limit of time; 130, and a line, after Ctrl-C."""
    if not available():
        raise UsageError("--time-limit and --memory-limit need a system that can fork")
    if limits.memory is not None and limits.memory < _LEAST_MEMORY:
        report("it needs more memory than there is (--memory-limit)")
        return 1
    sys.stdout.flush()
    sys.stderr.flush()
    page = progress.new_page()
    alive, held = os.pipe()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _FORWARDED)
    parent, child = os.getpid(), os.fork()
    if child == 0:
        os.close(alive)
        _work(work, report, limits.memory, page, held, mask, parent)
    os.close(held)
    watch = _Watch(child, alive, limits.seconds)
    try:
        with watch.forwarding(mask):
            status = watch.wait()
    finally:
        watch.close()
        progress.clean_up(page)
    return _exit_code(status, watch, limits, page, report)


def apart(make: Callable[[], str | None]) -> str | None:
    """What `make` returns in a process of its own; None if it ends without returning."""
    sys.stdout.flush()
    sys.stderr.flush()
    reader, writer = os.pipe()
    parent, child = os.getpid(), os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            die_with(parent)
            found = make()
            data = b"" if found is None else b"+" + found.encode("utf-8", "surrogatepass")
            with open(writer, "wb") as pipe:
                pipe.write(data)
        os._exit(0)
    os.close(writer)
    try:
        with open(reader, "rb") as pipe:
            data = pipe.read()
    finally:
        _, status = os.waitpid(child, 0)
    return data[1:].decode("utf-8", "surrogatepass") if data and status == 0 else None


def _work(
    work: Callable[[], int],
    report: Callable[[str], None],
    memory: int | None,
    page: Any,
    held: int,
    mask: Any,
    parent: int,
) -> None:
    """What the new process does; it does not return."""
    code = 1
    try:
        progress.share(page, held)
        die_with(parent)
        # Imports make objects that stay: to look through them often is a tenth of a start.
        gc.set_threshold(_OBJECTS)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, interrupts.once)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if memory is not None:
            import resource

            most = resource.getrlimit(resource.RLIMIT_AS)[1]
            memory = min(memory, sys.maxsize if most == resource.RLIM_INFINITY else most)
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            # Each of its threads takes room, and where there is none it prints and interrupts.
            os.environ["OPENBLAS_NUM_THREADS"] = "1"
        code = work()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except KeyboardInterrupt:
        report("interrupted")
        code = interrupts.EXIT_CODE
    except BaseException:
        traceback.print_exc()
    finally:
        # What compiled code has printed lies in C's buffers.
        for flush in (sys.stdout.flush, sys.stderr.flush, lambda: ctypes.CDLL(None).fflush(None)):
            with contextlib.suppress(Exception):
                flush()
        os._exit(code)


def die_with(parent: int) -> None:
    """Linux: end this process when `parent` has ended in a way that it cannot pass on."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


class _Watch:
    """Waits for a child that keeps the other end of the pipe `alive` open."""

    def __init__(self, child: int, alive: int, seconds: float | None) -> None:
        self.child, self.alive = child, alive
        self.until = None if seconds is None else time.monotonic() + seconds
        self.killed = ""
        self.interrupted_at: float | None = None
        self.forwarded: set[int] = set()
        # A signal's handler interrupts no wait for long: it is resumed, with the time that is left.
        self.woken, self._wake = os.pipe()
        os.set_blocking(self._wake, False)

    def close(self) -> None:
        for number in (self.alive, self.woken, self._wake):
            os.close(number)

    @contextlib.contextmanager
    def forwarding(self, mask: Any) -> Iterator[None]:
        """Pass signals on meanwhile, but those that the program ignores; only the main thread of a
        process can. `mask` is what was blocked before."""
        before = {}
        with contextlib.suppress(ValueError):
            for number in _FORWARDED:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    before[number] = signal.signal(number, self._forward)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _forward(self, number: int, _: Any) -> None:
        self.forwarded.add(number)
        self._send(number)
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake, b" ")
        if number == signal.SIGINT and self.interrupted_at is None:
            self.interrupted_at = time.monotonic()
        elif number == _STOP:
            stopped = time.monotonic()
            os.kill(os.getpid(), signal.SIGSTOP)
            # On again, perhaps hours later, which are none of the limit's.
            self._send(signal.SIGCONT)
            if self.until is not None:
                self.until += time.monotonic() - stopped

    def _send(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.child, number)

    def wait(self) -> int:
        """The status with which the child has ended."""
        while True:
            now = time.monotonic()
            if self.until is not None and now >= self.until:
                self._kill("time")
            elif self.interrupted_at is not None and now >= self.interrupted_at + _GRACE:
                self._kill("interrupt")
            ends = [now + _STEP]
            if self.until is not None:
                ends.append(self.until)
            if self.interrupted_at is not None:
                ends.append(self.interrupted_at + _GRACE)
            ready = select.select([self.alive, self.woken], [], [], max(0.0, min(ends) - now))[0]
            if self.woken in ready:
                os.read(self.woken, 1)
            ended, status = os.waitpid(self.child, 0 if self.alive in ready else os.WNOHANG)
            if ended:
                return status

    def _kill(self, why: str) -> None:
        self.killed = self.killed or why
        self._send(signal.SIGKILL)


def _exit_code(
    status: int, watch: _Watch, limits: Isolation, page: Any, report: Callable[[str], None]
) -> int:
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return code
    if watch.killed == "interrupt":
        report("interrupted")
        return interrupts.EXIT_CODE
    if watch.killed == "time":
        report(f"stopped: it took more than {limits.seconds:g} s (--time-limit)")
        return 1
    if -code in watch.forwarded:
        # The handlers are those of before again.
        os.kill(os.getpid(), -code)
        return 128 - code
    place, activity, who = progress.last_words(page)
    where = f"{place}: {who}" if place else "it"
    text = f"{where} ended with {signal.Signals(-code).name}"
    if activity:
        text += f" while {activity}"
    if limits.memory is not None:
        text += ", perhaps for want of memory (--memory-limit)"
    report(f"{text}; --isolate=false is for debuggers")
    return EXIT_CODE
