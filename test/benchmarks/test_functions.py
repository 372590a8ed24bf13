"""The workloads of functions.py at tiny sizes: what the functions give is what the peers give."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "functions.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), "--threads", "1", *arguments],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def test_all_are_right(load: Callable[[str], Any]) -> None:
    found = run("--quick", "--peers", "numpy,scipy")
    assert found.returncode == 0, found.stdout + found.stderr
    for work in load("functions_catalogue").WORKS:
        if not work.through:
            assert f"{work.name}: equal: ours" in found.stdout


def test_names_choose_and_means_are_printed(tmp_path: Path) -> None:
    options = ("take rows of 8", "--peers", "numpy", "--rounds", "1", "--small")
    found = run(*options, "--json", str(tmp_path / "rows.jsonl"))
    assert found.returncode == 0, found.stdout + found.stderr
    assert "1 workloads, geometric means: best peer / ours" in found.stdout
    assert "take palette" not in found.stdout


def test_what_the_file_has_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"threads": 1, "name": "take rows of 8", "peer": 2.0, "library": 2.0}\n')
    options = ("take rows of", "--peers", "numpy", "--rounds", "1", "--small", "--seconds", "1e-9")
    found = run(*options, "--json", str(path), "--resume")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "rows of 8" not in found.stdout
    assert "not run, 0 s are over: take rows of 20 f64" in found.stdout
    assert "best peer / ours 2.00" in found.stdout


def test_through_jax() -> None:
    pytest.importorskip("jax_tvm_ffi")
    found = run("jax take", "jax set rows", "--quick", "--peers", "jax")
    assert found.returncode == 0, found.stdout + found.stderr
    assert found.stdout.count("equal: ours, jax") == 5
