"""What goes wrong on either side is one sentence and exit code 1, and no process stays."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from stock import ROOT, Stock, cmake, python
from test_passes import ROWS, TO_LOOPS

INVALID = """\
func.func @rows(%t: tensor<8x4xf32>, %i: tensor<3x1xindex>) -> tensor<3x4xf32> {
  %0 = "gs.gather"(%t, %i) {gather_dims = array<i64: 7>}
      : (tensor<8x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}
"""


HELLO = """echo '{"version": "0.1.0", "llvm": "99.0"}'; read line; """
UNREADABLE = HELLO + """printf '{"diagnostics": [], "bytes": 4}\\nfoo\\n'; cat > /dev/null"""
UNREAD = HELLO + """echo '{"diagnostics": [], "failed": "reading"}'; cat > /dev/null"""


def sentence(stock: Stock, *arguments: str, text: str = ROWS, **environment: str) -> str:
    """What mlir-opt says, whose exit code is 1."""
    done = stock.opt(text, *arguments, **environment)
    assert done.returncode == 1, (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr
    assert "Stack dump" not in done.stderr
    return done.stderr


def test_errors_are_where_they_are(stock: Stock) -> None:
    said = sentence(stock, "gs-generalize", text=INVALID)
    assert "<stdin>:2:8: error: 'gs.gather' op attribute 'gather_dims' must hold dims" in said
    assert said.count("error:") == 1


def test_expected_errors_are_met(stock: Stock) -> None:
    comment = "  // expected-error @below {{must hold dims in [0, 2), found 7}}\n"
    text = INVALID.replace("  %0", f"{comment}  %0")
    done = stock.opt(text, "gs-generalize", "--verify-diagnostics")
    assert done.returncode == 0, done.stderr


def test_a_pass_fails(stock: Stock) -> None:
    said = sentence(stock, "gs-bufferize,convert-gs-to-scf")
    assert "<stdin>:2:8: error: 'tensor.gather' op must be converted before bufferization" in said
    assert said.count("error:") == 1


def test_the_note_with_the_op_can_be_left_out(stock: Stock) -> None:
    assert "see current operation" in sentence(stock, "gs-generalize", text=INVALID)
    flag = "--mlir-print-op-on-diagnostic=false"
    said = sentence(stock, "gs-generalize", flag, text=INVALID)
    assert "see current operation" not in said


@pytest.mark.parametrize(
    ("pipeline", "expected"),
    [
        ("gs-tile{sizes=x}", "'gs-tile': option 'sizes': expected int,..., found 'x'"),
        ("gs-tile{loops=while}", "'gs-tile': option 'loops': expected for|forall, found 'while'"),
        ("gs-tile{size=2}", "no such option size"),
        ("gs{pipeline=gs-tiel}", "'gs-tiel' does not refer to a registered pass"),
        ("gs-tiel", "'gs-tiel' does not refer to a registered pass or pass pipeline"),
    ],
)
def test_options_are_refused_before_anything_runs(
    stock: Stock, pipeline: str, expected: str
) -> None:
    assert expected in sentence(stock, pipeline)


def test_no_gs_opt(stock: Stock) -> None:
    said = sentence(stock, "gs-generalize", MLIR_GS_OPT="/nowhere/gs-opt")
    assert said.strip() == (
        "<stdin>:0:0: error: cannot run '/nowhere/gs-opt' as gs-opt (MLIR_GS_OPT)"
    )


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("exit 3", "gs-opt ended with exit code 3 before it answered"),
        ("kill -SEGV $$", "gs-opt ended with signal 11 (Segmentation fault) before it answered"),
        ("""echo '{"version": "7.0"}'; cat > /dev/null""", "was built for mlir-gs 0.1.0, and"),
        (UNREADABLE, ") does not read what gs-opt (LLVM 99.0) made with 'gs-generalize': "),
        (UNREAD, "gs-opt (LLVM 99.0) does not read what this program (LLVM "),
        ("echo hello; cat > /dev/null", "'{path}' does not answer as gs-opt"),
    ],
)
def test_another_program_in_its_place(
    stock: Stock, tmp_path: Path, script: str, expected: str
) -> None:
    path = tmp_path / "gs-opt"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    said = sentence(stock, "gs-generalize", MLIR_GS_OPT=str(path))
    assert expected.format(path=path) in said
    assert len(said.strip().splitlines()) == 1


def children(of: int) -> list[int]:
    """The processes that a process has started."""
    found = Path(f"/proc/{of}/task").glob("*/children")
    return [int(each) for path in found for each in path.read_text().split()]


def is_there(process: int) -> bool:
    """Whether a process runs; one that has ended and not been waited for does not."""
    try:
        return ") Z" not in Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False


def slow(tmp_path: Path) -> str:
    """gs-opt with a pass that takes a minute in C code, which keeps Python's lock."""
    path = tmp_path / "gs-opt"
    path.write_text(f"""#!{sys.executable}
import ctypes, sys
from dataclasses import dataclass
from typing import ClassVar
from mlir_gs.lowering import register_pass
from mlir_gs.tools.gs_opt import main

@register_pass
@dataclass(frozen=True)
class Slow:
    "Wait."
    name: ClassVar[str] = "slow"
    def run(self, module):
        print("slow", file=sys.stderr, flush=True)
        ctypes.PyDLL(None).sleep(60)

sys.exit(main())
""")
    path.chmod(0o755)
    return str(path)


@contextmanager
def begun(stock: Stock, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """mlir-opt in the middle of a pass, and its gs-opt."""
    with subprocess.Popen(
        stock.command("--pass-pipeline=builtin.module(gs{pipeline=slow})"),
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "MLIR_GS_OPT": slow(tmp_path)},
    ) as host:
        assert host.stdin is not None
        assert host.stderr is not None
        host.stdin.write(ROWS)
        host.stdin.close()
        assert host.stderr.readline() == "slow\n"
        (process,) = children(host.pid)
        yield host, process


def test_gs_opt_is_killed(stock: Stock, tmp_path: Path) -> None:
    with begun(stock, tmp_path) as (host, process):
        os.kill(process, signal.SIGKILL)
        assert host.wait(20) == 1
        assert host.stderr is not None
        assert host.stderr.read() == (
            "<stdin>:0:0: error: gs-opt ended with signal 9 (Killed) while it ran 'slow'\n"
        )


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_the_host_is_killed(stock: Stock, tmp_path: Path, number: int) -> None:
    with begun(stock, tmp_path) as (host, process):
        host.send_signal(number)
        host.wait(20)
        until = time.monotonic() + 10
        while is_there(process) and time.monotonic() < until:
            time.sleep(0.02)
        assert not is_there(process)


def test_nothing_stays_after_a_run(stock: Stock, tmp_path: Path) -> None:
    before = {path.name for path in tmp_path.iterdir()}
    done = stock.opt(ROWS, TO_LOOPS, TMPDIR=str(tmp_path))
    assert done.returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == before


def test_cmake_says_what_is_missing(tmp_path: Path, stock: Stock) -> None:
    """With a Python that has no headers, a wrong folder, and no gs-opt."""
    empty = tmp_path / "empty"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", empty], check=True)
    plugin = ("-S", ROOT / "plugin", "-B", tmp_path / "build")

    def refusal(*arguments: str) -> str:
        done = cmake(*plugin, *arguments)
        assert done.returncode != 0
        return " ".join(done.stderr.split())

    said = refusal(f"-DPython3_EXECUTABLE={empty}/bin/python")
    assert "The headers of MLIR were not found: pip install xtc-mlir-dev xtc-llvm-dev, or" in said
    assert "holds no MLIRConfig.cmake" in refusal(python(), f"-DMLIR_DIR={tmp_path}")
    said = refusal(python(), f"-DMLIR_DIR={stock.cmake}", "-DMLIR_GS_OPT=/bin/false")
    assert "'/bin/false --plugin-table' fails" in said
