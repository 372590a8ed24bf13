"""Every flag of every tool with values that nobody wants: sentences, and no tool that dies.

    python test/tools/common/hostile_flags.py
    python test/tools/common/hostile_flags.py --every 40 --offset 3

A case runs the tool's `main` in a fork of this process, which has imported the tools already. What
waits for the other end of a FIFO is counted, and not held against the tools.
"""

import argparse
import importlib
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlir_gs.lowering.passes.registry import registered_passes, registered_pipelines
from mlir_gs.tools.common.options import Parser
from mlir_gs.tools.compile import options as compile_options
from mlir_gs.tools.opt.flags import FLAGS
from mlir_gs.tools.reduce import driver as reduce_driver
from mlir_gs.tools.run import options as run_options

ROWS = """
func.func @rows(%t: tensor<?x4xf32>, %i: tensor<?x1xi64>) -> tensor<?x4xf32> {
  %r = gs.gather %t[%i] gather_dims([0]) : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""
FILE, NONE = "rows.mlir", "none.mlir"
BASES = {
    "gs-opt": [FILE, "--gs-generalize"],
    "gs-run": [FILE, "--quiet", "--size=4"],
    "gs-compile": [FILE, "-o", "rows.o"],
    "gs-reduce": [FILE, "--test=./script"],
}
"""Command lines that succeed, to which flags are added."""

NEEDED = {"--linker": ["-o", "rows.so"]}
VALUES = (
    *("", " ", "0", "-1", "1.5", "true", "nan", "inf", "1e300", "0x10", "=", ",", "?", "_"),
    *("9223372036854775807", "18446744073709551616", "-9223372036854775809", "9" * 5000),
    *(os.fsdecode(b"\xff\xfe"), "\u0664", "\u00b2", "\0", "a\nb", "x" * 1_000_000, "nothing"),
    *("a" * 300, ".", "folder", "fifo", "binary.mlir", "no/such/file", "/dev/zero", "/dev/full"),
    *("/dev/null", "rows.mlir/x", "%s%n", "{}", "{x=1}", "builtin.module(", "0=9x9", "--", "-"),
    *("out.npy", "out.o", "full.so", "full.h", "full.npy", "fifo.npz:a", "folder.npy"),
)
SECONDS, WAITING = 60.0, 1.0
"""That a case may take, and one with a FIFO."""

LONGEST = 1500
"""Characters of a line of a message."""


@dataclass(frozen=True)
class Case:
    """A command line; `stdout` is `file`, `full` or `closed`."""

    tool: str
    arguments: tuple[str, ...]
    stdout: str = "file"

    def __str__(self) -> str:
        shown = " ".join(f"{a:.60}" for a in self.arguments)
        return f"{self.tool} {shown!r} (stdout: {self.stdout})"

    @property
    def may_wait(self) -> bool:
        """Whether it opens what has another end."""
        return any("fifo" in argument for argument in self.arguments)


class _Read(Exception):
    pass


def argparse_flags(parse: Any) -> list[tuple[str, bool]]:
    """Flags of a tool, and whether each takes a value, of the parser that it builds."""
    found: list[Any] = []

    def keep(parser: Any, *_: Any) -> Any:
        found.extend(parser._actions)
        raise _Read

    before, Parser.parse_args = Parser.parse_args, keep
    with suppress(_Read):
        parse([])
    Parser.parse_args = before
    return [(flag, action.nargs != 0) for action in found for flag in action.option_strings]


def flags() -> dict[str, list[tuple[str, bool]]]:
    """By tool its flags, and whether each takes a value."""
    passes = [*list(registered_passes())[:3], *list(registered_pipelines())[:1], "cse", "none"]
    opt = [("-" * (1 + (len(f.name) > 1)) + f.name, bool(f.value)) for f in FLAGS]
    return {
        "gs-opt": [*opt, *((f"--{name}", True) for name in passes)],
        "gs-run": argparse_flags(run_options.parse_options),
        "gs-compile": argparse_flags(compile_options.parse_options),
        "gs-reduce": argparse_flags(reduce_driver._options),
    }


def cases() -> Iterator[Case]:
    """All of them."""
    for tool, known in flags().items():
        base = BASES[tool]
        for stdout in ("file", "full", "closed"):
            yield Case(tool, tuple(base), stdout)
        yield Case(tool, ())
        for value in VALUES:
            yield Case(tool, (value, *base[1:]))
            yield Case(tool, (*base, value))
        for flag, takes_value in known:
            more = NEEDED.get(flag, [])
            for stdout in ("file", "full", "closed"):
                yield Case(tool, (*base, *more, flag), stdout)
            for value in VALUES:
                yield Case(tool, (*base, *more, f"{flag}={value}"))
                if takes_value:
                    yield Case(tool, (*base, *more, flag, value))


def furnish(folder: Path) -> None:
    """The files that command lines name."""
    (folder / FILE).write_text(ROWS)
    (folder / "folder").mkdir()
    (folder / "folder.npy").mkdir()
    (folder / "binary.mlir").write_bytes(bytes(range(256)) * 8)
    os.mkfifo(folder / "fifo")
    os.mkfifo(folder / "fifo.npz")
    for name in ("full.so", "full.h", "full.npy"):
        (folder / name).symlink_to("/dev/full")
    (folder / "script").write_text("#!/bin/sh\ngrep -q gs.gather $1 && exit 1\nexit 0\n")
    (folder / "script").chmod(0o755)


def work(case: Case, folder: Path, told: Path) -> None:
    """What the fork does; it does not return."""
    code = 99
    try:
        os.setsid()
        os.chdir(folder)
        for number, name in ((0, os.devnull), (1, "/dev/full"), (2, str(told))):
            place = str(folder / "stdout") if number == 1 and case.stdout == "file" else name
            flag = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT
            os.dup2(os.open(place, flag), number)
        sys.stdin = os.fdopen(0, closefd=False)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)
        if case.stdout == "closed":
            os.close(1)
            # As of a process that begins without it.
            sys.stdout = None
        tool = importlib.import_module(f"mlir_gs.tools.{case.tool.replace('-', '_')}")
        # A program that a debugger runs; limits need a process of its own.
        own = (
            []
            if any("-limit" in a or "isolate" in a for a in case.arguments)
            else ["--isolate=false"]
        )
        sys.argv = [case.tool, *own, *case.arguments]
        code = tool.main()
        with suppress(OSError):
            sys.stdout.flush()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(code)


def wrong(case: Case) -> str:
    """What is wrong with how a tool ends; `waits` for one that waits as it may."""
    with tempfile.TemporaryDirectory() as name:
        folder, told = Path(name) / "work", Path(name) / "told"
        folder.mkdir()
        furnish(folder)
        child = os.fork()
        if child == 0:
            work(case, folder, told)
        until = time.monotonic() + (WAITING if case.may_wait else SECONDS)
        ended = 0
        while not ended and time.monotonic() < until:
            ended, status = os.waitpid(child, os.WNOHANG)
            time.sleep(0.001)
        if not ended:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
        text = told.read_text(errors="backslashreplace") if told.exists() else ""
        shutil.rmtree(folder, ignore_errors=True)
    if not ended:
        return "waits" if case.may_wait else f"hangs: {text[-300:]}"
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 1):
        return f"ends with {code}: {text[-600:]}"
    for word in ("Traceback", "internal error", "SIGSEGV", "SIGABRT"):
        if word in text:
            return f"{word}: {text[-600:]}"
    if code == 1 and not text.strip():
        return "fails without a word"
    longest = max(map(len, text.splitlines()), default=0)
    return f"a line of {longest} characters" if longest > LONGEST else ""


def run(every: int, offset: int, tools: Sequence[str] = tuple(BASES)) -> int:
    """How many of each `every`th case go wrong, which are printed."""
    for module in ("opt", "run", "compile", "reduce"):
        importlib.import_module(f"mlir_gs.tools.{module}.driver")
    found: Counter[str] = Counter()
    for case in [each for each in cases() if each.tool in tools][offset::every]:
        told = wrong(case)
        kind = "waits" if told == "waits" else "wrong" if told else "right"
        found[kind] += 1
        if kind == "wrong":
            print(f"{case}: {told}", flush=True)
    total = found.total()
    print(f"{total} command lines: {found['waits']} wait for a FIFO, {found['wrong']} wrong")
    return found["wrong"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="run each nth case")
    parser.add_argument("--offset", type=int, default=0, help="begin with this one")
    parser.add_argument("--tool", nargs="*", choices=BASES, default=list(BASES))
    options = parser.parse_args(arguments)
    return int(run(options.every, options.offset, options.tool) > 0)


if __name__ == "__main__":
    raise SystemExit(main())
