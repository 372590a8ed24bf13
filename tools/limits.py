"""`--time-limit` and `--memory-limit`: the work in a process of its own, which may be ended."""

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Sequence

from mlir_gs.tools.command_line import UsageError

_STEP = 0.01


def split_limits(arguments: Sequence[str]) -> tuple[list[str], float | None, int | None]:
    """The arguments without the two flags, seconds, and bytes. Raises UsageError."""
    rest: list[str] = []
    found: dict[str, float] = {}
    for argument in arguments:
        name, equals, text = argument.lstrip("-").partition("=")
        if not argument.startswith("--") or name not in ("time-limit", "memory-limit"):
            rest.append(argument)
            continue
        try:
            found[name] = float(text)
        except ValueError:
            raise UsageError(f"--{name}: expected a number behind '=', found '{text}'") from None
        if not equals or not 0 < found[name] < float("inf"):
            raise UsageError(f"--{name}: expected a number above 0, found '{text}'")
    megabytes = found.get("memory-limit")
    return rest, found.get("time-limit"), None if megabytes is None else int(megabytes * (1 << 20))


def run_limited(
    work: Callable[[], int],
    seconds: float | None,
    memory: int | None,
    report: Callable[[str], None],
) -> int:
    """The exit code of `work`, run in a child process; 1, and a line, where it had to be ended."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
            code = work()
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    until = None if seconds is None else time.monotonic() + seconds
    try:
        while True:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                break
            if until is not None and time.monotonic() > until:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                report(f"stopped: it took more than {seconds:g} s (--time-limit)")
                return 1
            time.sleep(_STEP)
    except KeyboardInterrupt:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    code = os.waitstatus_to_exitcode(status)
    if code in (0, 1, 130):
        return code
    how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
    report(f"ended {how} on this input")
    return 1
