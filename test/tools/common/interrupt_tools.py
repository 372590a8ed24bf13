"""Ctrl-C at random moments of the tools: they end by it, or with exit code 130 and one line.

    python test/tools/common/interrupt_tools.py --count 200 --seed 0

Moments in which Python itself starts are counted, and not held against the tools.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

GATHER = """
func.func @f(%t: tensor<8x4xf32>, %i: tensor<3x1xi64>) -> tensor<3x4xf32> {
  %r = gs.gather %t[%i] gather_dims([0]) : (tensor<8x4xf32>, tensor<3x1xi64>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
"""
TOOLS = (
    ["gs_run"],
    ["gs_run", "--isolate=false"],
    ["gs_run", "--check", "--time-limit=100"],
    ["gs_opt", "--gs-generalize"],
    ["gs_compile", "-o", "kernel.o"],
)
ROOMS = ("mlir_gs", "dialect", "lowering", "frontend", "execution", "integrations", "tools")
LISTENING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, "-m", *sys.argv[1:]])
"""
"""A shell's background jobs ignore SIGINT, and so would what they start."""


def is_ours(told: str) -> bool:
    """Whether a traceback has a file of this package."""
    root = Path(__file__).parents[3]
    places = [f'File "{root}/{room}/' for room in (*ROOMS, "python/mlir_gs")]
    return any(place in told for place in [*places, "/site-packages/mlir_gs/"])


def interrupt(tool: Sequence[str], seconds: float, together: bool, folder: str) -> str:
    """What goes wrong where a tool is interrupted after a time, with its children or `together` as
    a terminal does; `python` where Python was starting."""
    source = Path(folder) / "gather.mlir"
    source.write_text(GATHER)
    with subprocess.Popen(
        [sys.executable, "-c", LISTENING, f"mlir_gs.tools.{tool[0]}", str(source), *tool[1:]],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    ) as process:
        time.sleep(seconds)
        if process.poll() is None:
            (os.killpg if together else os.kill)(process.pid, signal.SIGINT)
        try:
            _, told = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return "hangs"
    if "Traceback" in told and not is_ours(told):
        return "python"
    lines = told.splitlines()
    is_quiet = lines == [] if process.returncode in (0, -signal.SIGINT) else len(lines) == 1
    if process.returncode in (0, 130, -signal.SIGINT) and is_quiet:
        return ""
    return f"exit code {process.returncode}: {told[-900:]}"


def run(count: int, seed: int) -> int:
    """How many of so many interrupts go wrong, which are printed."""
    rng, found = random.Random(seed), []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(count):
            seconds = rng.choice([rng.uniform(0.05, 0.4), rng.uniform(0, 2)])
            tool = rng.choice(TOOLS)
            told = interrupt(tool, seconds, rng.random() < 0.5, folder)
            found.append(told)
            if told not in ("", "python"):
                print(f"{' '.join(tool)} after {seconds:.3f} s: {told}")
    failed = sum(told not in ("", "python") for told in found)
    print(f"{count} interrupts, {found.count('python')} of Python's start, {failed} failed")
    return failed


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    return int(run(options.count, options.seed) > 0)


if __name__ == "__main__":
    raise SystemExit(main())
