"""The model in examples/jax: run without JAX against what JAX recorded, and against JAX itself."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

EXAMPLE = Path(__file__).parents[3] / "examples" / "jax"


def _run(*arguments: str) -> str:
    found = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def test_recorded_batches() -> None:
    printed = _run(str(EXAMPLE / "molecules.py"))
    assert printed.count("recorded") == 3
    assert "DIFFERENT" not in printed


def test_jax_itself(needs: Callable[..., Any]) -> None:
    needs("jax")
    assert "JAX      100 atoms" in _run(str(EXAMPLE / "molecules.py"))


def test_the_recorded_results_are_those_of_jax(needs: Callable[..., Any]) -> None:
    needs("jax")
    text = f"""
import sys; sys.path.insert(0, {str(EXAMPLE)!r})
import molecules, network, numpy as np
module = network.exported()
for arguments, expected in molecules.recorded():
    for found, wanted in zip(module.call(*arguments), expected, strict=True):
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-4, atol=1e-5)
"""
    _run("-c", text)


def test_the_files_are_small() -> None:
    assert np.load(EXAMPLE / "network.npz").files
    assert sum(path.stat().st_size for path in EXAMPLE.iterdir() if path.is_file()) < 100_000
