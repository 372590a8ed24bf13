"""What every command of this project does around its work: exit codes, one line per error."""

import errno
import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module

from mlir_gs._forks import uninterrupted
from mlir_gs.tools.common import interrupts
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.isolation import Isolation, available, run_isolated, split_isolation
from mlir_gs.tools.common.loading import load, split_load
from mlir_gs.tools.common.version import version_text

_DEBUG = frozenset({"--debug", "-debug"})
_INTERRUPTED = "interrupted"
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
_LONGEST = 1000
"""Characters of a line of a message, which may repeat what was given."""


def tool(name: str) -> Callable[..., int]:
    """The `main(argv)` of the tool `name`, such as `gs-opt`: see `run_tool`."""

    def body(arguments: list[str]) -> int:
        if arguments in (["--version"], ["-version"]):
            print(version_text(name))
            return 0
        # Here, so that an installation without MLIR's bindings gets a line and no traceback.
        with uninterrupted:
            driver = import_module(f"mlir_gs.tools.{name.removeprefix('gs-')}.driver")
        return driver.run(arguments)

    def main(argv: Sequence[str] | None = None) -> int:
        return run_tool(name, body, argv)

    return main


def run_tool(name: str, body: Callable[[list[str]], int], argv: Sequence[str] | None) -> int:
    """Run `body` on `argv` (default: the process's); returns the exit code: what `body` says, 1
    after an error, 130 after Ctrl-C, 70 where a signal has ended the work.

    `name` stands before errors, which are one line each; `--debug` brings tracebacks. `--isolate`,
    `--time-limit`, `--memory-limit` and `--load` are every tool's. By default the process's own
    command line runs isolated, in a child process; `argv` that a program gives does not.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_streams()
    if argv is not None:
        return _run_tool(name, body, arguments, False)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file name need be no UTF-8, and is printed as it is.
        sys.stdout.reconfigure(errors="surrogateescape")
    try:
        interrupts.begin()
        return _run_tool(name, body, arguments, True)
    except KeyboardInterrupt:
        # Between what handles it.
        return interrupts.EXIT_CODE
    finally:
        interrupts.end()


def _run_tool(
    name: str, body: Callable[[list[str]], int], arguments: list[str], is_command: bool
) -> int:
    try:
        arguments, isolation = split_isolation(arguments)
        if _isolates(isolation, is_command):
            own = ["--isolate=false", *arguments]
            work = partial(run_tool, name, body, own)
            return run_isolated(work, isolation, partial(report, name))
        arguments, files = split_load(arguments)
        with interrupts.prompt(lambda: report(name, _INTERRUPTED)):
            load(files)
            return until_closed(lambda: body(arguments))
    except UsageError as error:
        report(name, _in_words_of_files(str(error)))
    except KeyboardInterrupt:
        report(name, _INTERRUPTED)
        return interrupts.EXIT_CODE
    except Exception as error:
        if interrupts.is_interrupted():
            # An import that was interrupted may fail in any way.
            report(name, _INTERRUPTED)
            return interrupts.EXIT_CODE
        if isinstance(error, OSError) and error.filename is None and error.errno in _UNWRITABLE:
            _close_output()
            report(name, f"cannot write: {error.strerror}")
            return 1
        if _DEBUG & set(arguments):
            traceback.print_exc()
        if isinstance(error, MemoryError) or _is_for_want_of_memory(error):
            report(name, "it needs more memory than there is (--memory-limit)")
        elif isinstance(error, RuntimeError) and "str_from_cstr_and_size" in str(error):
            report(name, "a name or another text in the module is not UTF-8")
        elif isinstance(error, RecursionError):
            report(name, "the input nests too deeply")
        elif isinstance(error, OSError) and error.strerror:
            place = "" if error.filename is None else f"{error.filename!s:.300}: "
            report(name, f"{place}{error.strerror}")
        elif isinstance(error, ImportError):
            report(name, f"the installation is incomplete: {error}")
        else:
            about = " ".join(f"{type(error).__name__}: {error}".split())
            report(name, f"internal error: {about} (--debug shows the traceback)")
    return 1


def _open_streams() -> None:
    """Give a process that was begun without a standard stream one that can be neither read nor
    written, as is its due. No file that is opened later then gets its number, and what MLIR prints.
    """
    wrong_ways = (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY))
    for name, mode, flag in (*wrong_ways, ("stderr", "w", os.O_WRONLY)):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, flag)
            stream = os.fdopen(number, mode, encoding="utf-8", closefd=False)
            setattr(sys, name, stream)


def _is_for_want_of_memory(error: Exception) -> bool:
    """Under a limit threads cannot be started then, and libraries not be loaded."""
    if not isinstance(error, RuntimeError | ImportError | OSError | SystemError):
        return False
    try:
        import resource
    except ImportError:
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def _isolates(isolation: Isolation, is_command: bool) -> bool:
    if isolation.seconds is not None or isolation.memory is not None:
        return True
    return available() and (is_command if isolation.wanted is None else isolation.wanted)


def until_closed(main: Callable[[], int | None]) -> int:
    """What `main` returns, as an exit code; 1 if the reader of its output has gone, as `head` does.

    A script: `sys.exit(until_closed(main))`.
    """
    try:
        code = main() or 0
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _close_output()
        return 1


def _close_output() -> None:
    """The interpreter must not flush into what takes nothing again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _in_words_of_files(text: str) -> str:
    if "'gs.generic'" not in text:
        return text
    # Here, as errors come before MLIR's bindings are there.
    from mlir_gs.lowering.passes.diagnostics import in_words_of_files

    return in_words_of_files(text)


def shortened(text: str) -> str:
    """`text`, of each line no more than its beginning."""
    lines = text.split("\n")
    return "\n".join(each if len(each) <= _LONGEST else f"{each[:_LONGEST]}..." for each in lines)


def report(name: str, text: str) -> None:
    """One error; MLIR's diagnostics name their file, as mlir-opt prints them."""
    line = text if ": error: " in text else f"{name}: {text}"
    print(shortened(line), file=sys.stderr, flush=True)
