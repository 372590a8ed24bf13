"""The example of a function of JAX as a kernel, with JAX and without."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "examples" / "jax" / "voxels.py"
HIDING = """
import importlib.util, runpy, sys
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == HIDDEN else found(name, *more)
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def launch(*command: str) -> str:
    run = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, timeout=300, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_a_kernel_has_jaxs_results_and_derivatives(needs: Callable[..., Any]) -> None:
    needs("jax")
    needs("jax_tvm_ffi")
    *lines, loss = launch(str(SCRIPT)).splitlines()
    assert [line.split() for line in lines] == [
        [what, "equal"] for what in ("sample", "vmap", "grad")
    ]
    assert loss.startswith("loss      0.31 -> 0.0")


@pytest.mark.parametrize("hidden", ["jax", "jax_tvm_ffi"])
def test_without_a_package(hidden: str) -> None:
    hiding = f"HIDDEN = {hidden!r}{HIDING}"
    assert launch("-c", hiding, str(SCRIPT)) == "left out: jax or jax-tvm-ffi is not installed\n"
