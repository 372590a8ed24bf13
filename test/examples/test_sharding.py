"""The example of a sharded table, with JAX and without."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).parents[2] / "examples" / "sharding" / "sharding.py"
HIDING = """
import runpy, sys
sys.modules["jax"] = None
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def launch(*command: str) -> str:
    run = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_both_tables_are_equal(needs: Callable[..., Any]) -> None:
    needs("jax")
    needs("jax_tvm_ffi")
    output = launch(str(SCRIPT), "--steps", "20")
    assert "rows     [256, 256, 256, 256] in process 0 of 1" in output
    assert "JAX      equal" in output
    assert "loss     32." in output
    assert " -> 0.0" in output


def test_two_processes_train_one_table(needs: Callable[..., Any]) -> None:
    """Lookups, their sum between processes and the gradient, beside the whole table in JAX."""
    needs("jax")
    needs("jax_tvm_ffi")
    output = launch(str(SCRIPT), "--steps", "3", "--processes", "2")
    assert "rows     [256, 256] in process 0 of 2" in output
    assert "JAX      equal" in output
    assert "loss     32." in output


def test_without_jax() -> None:
    assert launch("-c", HIDING, str(SCRIPT)).startswith("left out: all of it")


def test_script_is_short() -> None:
    assert len(SCRIPT.read_text("utf-8").splitlines()) <= 150
