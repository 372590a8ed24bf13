"""Ctrl-C ends a tool promptly, with exit code 130 and one line."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

LONG = """
func.func @count(%n: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f64
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %one) -> (f64) {
    %y = math.sqrt %x : f64
    %z = arith.addf %y, %one : f64
    scf.yield %z : f64
  }
  return %r : f64
}
"""

# A shell's background jobs ignore SIGINT, and so would what they start. Not a `preexec_fn`, for
# which pytest's process would fork, and JAX with it.
LISTENING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, "-u", "-m", *sys.argv[1:]])
"""


def interrupted(arguments: list[str], ready: bytes, stdin: int | None = None) -> None:
    """Runs a tool, and interrupts it when its output has a line with `ready`."""
    with subprocess.Popen(
        [sys.executable, "-c", LISTENING, *arguments],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            if ready:
                while ready not in process.stdout.readline():
                    assert process.poll() is None
            else:
                time.sleep(3)
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            process.wait(20)
        finally:
            process.kill()
        told = process.stderr.read()
    assert process.returncode == 130, told
    assert told.endswith(b": interrupted\n")
    assert len(told.splitlines()) == 1


def test_gs_run_in_the_middle_of_a_kernel(tmp_path: Path) -> None:
    source = tmp_path / "long.mlir"
    source.write_text(LONG)
    # Minutes, of which nothing is waited for.
    arguments = ["mlir_gs.tools.gs_run", str(source), "--args", "100000000000"]
    interrupted(arguments, b"argument 0")


def test_gs_run_under_a_limit(tmp_path: Path) -> None:
    source = tmp_path / "long.mlir"
    source.write_text(LONG)
    arguments = ["mlir_gs.tools.gs_run", str(source), "--args", "100000000000", "--time-limit=600"]
    interrupted(arguments, b"argument 0")


def test_gs_opt_that_waits_for_its_input() -> None:
    reader, writer = os.pipe()
    try:
        interrupted(["mlir_gs.tools.gs_opt", "-"], b"", reader)
    finally:
        os.close(reader)
        os.close(writer)


def test_at_random_moments() -> None:
    """A few of those that the command line of `interrupt_tools.py` tries."""
    script = Path(__file__).with_name("interrupt_tools.py")
    command = [sys.executable, str(script), "--count", "8", "--seed", "3"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert told.returncode == 0, told.stdout + told.stderr
