"""A tool's work in a process of its own: what ends it is a line and an exit code."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.common.isolation import Isolation, split_isolation

# A tool whose work is `body`, with the terminal's SIGINT, which background jobs ignore.
TOOL = """
import os, signal, sys, time
from mlir_gs.tools.common import progress
from mlir_gs.tools.common.console import run_tool
from mlir_gs.tools.common.saved_file import save

def body(arguments):
    progress.doing("a.mlir:7", "reading it")
{body}
    return 0

signal.signal(signal.SIGINT, signal.default_int_handler)
# Under nohup they are ignored, and would be here.
for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(one, signal.SIG_DFL)
code = run_tool("gs-test", body, None)
print("the code is", code, file=sys.stderr)
sys.exit(code)
"""
READY = "print('ready', os.getpid(), os.getppid(), flush=True)"


def command(*lines: str, arguments: tuple[str, ...] = ()) -> list[str]:
    body = "\n".join(f"    {line}" for line in lines)
    return [sys.executable, "-c", TOOL.format(body=body), *arguments]


def told(*lines: str, arguments: tuple[str, ...] = (), code: int = 0) -> tuple[str, str]:
    """Standard output and error of a tool that exits with `code`."""
    found = subprocess.run(
        command(*lines, arguments=arguments), capture_output=True, text=True, check=False
    )
    assert found.returncode == code, found.stderr
    output, _, end = found.stderr.rpartition("the code is ")
    assert int(end) == code
    return found.stdout, output


@contextmanager
def started(
    *lines: str, arguments: tuple[str, ...] = (), session: bool = False, group: bool = False
) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A tool that has come to its work, and the process that does it."""
    with subprocess.Popen(
        command(READY, *lines, arguments=arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=session,
        process_group=0 if group else None,
    ) as process:
        assert process.stdout is not None
        try:
            _, child, parent = process.stdout.readline().split()
            assert int(parent) == process.pid
            yield process, int(child)
        finally:
            process.kill()


def gone(pid: int) -> bool:
    """Whether the process ends, waiting a little."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def becomes(pid: int, wanted: str) -> bool:
    for _ in range(200):
        if state(pid) in wanted:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL"])
def test_a_crash_is_one_line(name: str) -> None:
    _, text = told(f"os.kill(os.getpid(), signal.{name})", code=70)
    assert text == (
        f"gs-test: a.mlir:7: MLIR ended with {name} while reading it; "
        "--isolate=false is for debuggers\n"
    )


def test_a_crash_of_compiled_code(tmp_path: Path) -> None:
    path = tmp_path / "null.mlir"
    path.write_text(
        "func.func @f(%p: i64) -> i64 {\n  %q = llvm.inttoptr %p : i64 to !llvm.ptr\n"
        "  %v = llvm.load %q : !llvm.ptr -> i64\n  return %v : i64\n}\n"
    )
    target = tmp_path / "out.npy"
    target.write_bytes(b"before")
    found = subprocess.run(
        [sys.executable, "-m", "mlir_gs.tools.gs_run", str(path), "--args=8", "-o", str(target)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 70
    assert found.stderr == (
        f"gs-run: {path}: compiled code ended with SIGSEGV while running @f; "
        "--isolate=false is for debuggers\n"
    )
    assert target.read_bytes() == b"before"


def test_a_crash_leaves_no_part_of_a_file(tmp_path: Path) -> None:
    target = tmp_path / "out.mlir"
    target.write_bytes(b"before")
    write = (
        f"save({str(target)!r}, lambda f: (f.write(b'half'), f.flush(), "
        f"print(os.listdir({str(tmp_path)!r}), flush=True), os.kill(os.getpid(), 11)))"
    )
    output, _ = told(write, code=70)
    assert ".mlir-gs-" in output
    assert os.listdir(tmp_path) == ["out.mlir"]
    assert target.read_bytes() == b"before"


def test_only_unfinished_files_are_removed(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"")
    folder = tmp_path / ".mlir-gs-folder"
    folder.mkdir()
    (folder / "part").write_bytes(b"")
    told(
        f"a = progress.unfinished({str(tmp_path / 'kept')!r}); a.__enter__()",
        f"b = progress.unfinished({str(folder)!r}); b.__enter__()",
        "os.kill(os.getpid(), signal.SIGABRT)",
        code=70,
    )
    assert os.listdir(tmp_path) == ["kept"]


def test_exit_codes_and_streams_are_those_of_the_work() -> None:
    output, text = told("print('a')", "print('b', file=sys.stderr)", "return 1", code=1)
    assert (output, text) == ("a\n", "b\n")
    assert told("sys.exit(0)") == ("", "")
    _, text = told("raise ValueError('x')", code=1)
    assert text == "gs-test: internal error: ValueError: x (--debug shows the traceback)\n"


def test_what_c_prints_is_not_lost() -> None:
    output, _ = told("import ctypes", "ctypes.CDLL(None).printf(b'by C')")
    assert output == "by C"


def test_without_isolation_the_tool_itself_ends() -> None:
    found = subprocess.run(
        command("os.kill(os.getpid(), signal.SIGSEGV)", arguments=("--isolate=false",)),
        capture_output=True,
        check=False,
    )
    assert found.returncode == -signal.SIGSEGV


def test_ctrl_c_that_only_the_tool_gets() -> None:
    with started("time.sleep(60)") as (process, child):
        process.send_signal(signal.SIGINT)
        _, text = process.communicate(timeout=20)
        assert process.returncode == 130
        assert text == "gs-test: interrupted\nthe code is 130\n"
        assert gone(child)


def test_ctrl_c_of_a_terminal_goes_to_both() -> None:
    with started("time.sleep(60)", session=True) as (process, _):
        os.killpg(process.pid, signal.SIGINT)
        _, text = process.communicate(timeout=20)
        assert process.returncode == 130
        assert text == "gs-test: interrupted\nthe code is 130\n"


def test_ctrl_c_while_c_code_keeps_python_from_running() -> None:
    with started("sum(range(1 << 50))", session=True) as (process, child):
        time.sleep(0.3)
        os.killpg(process.pid, signal.SIGINT)
        _, text = process.communicate(timeout=20)
        assert process.returncode == 130
        assert text == "gs-test: interrupted\nthe code is 130\n"
        assert gone(child)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_other_signals_end_both(number: signal.Signals) -> None:
    with started("time.sleep(60)") as (process, child):
        process.send_signal(number)
        process.wait(20)
        assert process.returncode == -number
        assert gone(child)


def test_ctrl_z_stops_both_and_the_limit_of_time() -> None:
    # A group whose parent is of the same session: no other can be stopped so.
    with started("time.sleep(1)", arguments=("--time-limit=3",), group=True) as (process, child):
        process.send_signal(signal.SIGTSTP)
        assert becomes(child, "T")
        assert becomes(process.pid, "T")
        time.sleep(3.5)
        process.send_signal(signal.SIGCONT)
        process.wait(20)
        assert process.returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="a service of Linux")
def test_the_work_ends_with_a_tool_that_is_killed() -> None:
    with started("time.sleep(60)") as (process, child):
        process.kill()
        process.wait(20)
        assert gone(child)


def test_a_limit_of_time() -> None:
    _, text = told("time.sleep(60)", arguments=("--time-limit=0.3",), code=1)
    assert text == "gs-test: stopped: it took more than 0.3 s (--time-limit)\n"


def test_a_limit_of_memory() -> None:
    _, text = told("bytearray(1 << 33)", arguments=("--memory-limit=4000",), code=1)
    assert text == "gs-test: it needs more memory than there is (--memory-limit)\n"


@pytest.mark.parametrize(
    ("words", "rest", "found"),
    [
        (["a", "--isolate"], ["a"], Isolation(True)),
        (["-isolate=false", "--", "--isolate"], ["--", "--isolate"], Isolation(False)),
        (["-time-limit=2", "--memory-limit=1"], [], Isolation(None, 2.0, 1 << 20)),
        (["--time-limit", "3", "a"], ["a"], Isolation(None, 3.0)),
        (["--isolated"], ["--isolated"], Isolation()),
    ],
)
def test_the_command_line(words: list[str], rest: list[str], found: Isolation) -> None:
    assert split_isolation(words) == (rest, found)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--time-limit=soon"], "expected a number, found 'soon'"),
        (["a", "--memory-limit"], "--memory-limit: expected a number, found ''"),
        (["--time-limit=inf"], "expected a number above 0"),
        (["--isolate=maybe"], "'maybe' is invalid value for boolean argument"),
        (["--isolate=0", "--time-limit=1"], "--isolate=false cannot be combined with --time-limit"),
    ],
)
def test_usage_errors(words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        split_isolation(words)
    assert message in str(caught.value)
