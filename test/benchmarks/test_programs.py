"""Whole programs at tiny sizes, and the page of what was measured."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROGRAMS = Path(__file__).parents[2] / "benchmarks" / "programs.py"


def test_programs_under_torch_compile(needs: Callable[..., Any]) -> None:
    """It compares all results itself."""
    needs("torch")
    arguments = ["histogram", "--quick", "--parties", "eager", "without-compiler"]
    run = subprocess.run(
        [sys.executable, str(PROGRAMS), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "histogram, forward: eager" in run.stdout
    assert "| program | | threads | eager, us | without-compiler, us |" in run.stdout


def test_page_of_programs(load: Callable[[str], Any]) -> None:
    """Of several runs the middle one; seconds of runs that time no calls, too."""
    about = {
        "commit": "abc",
        "date": "2026-01-01",
        "machine": {
            "cpu": "a CPU",
            "cpus": 2,
            "python": "3",
            "packages": {"torch": "2", "torch-mlir": "1"},
        },
    }
    same = {"program": "bags", "way": "forward", "threads": 1, "about": about}
    seconds = {"eager": 0.0, "inductor": 8.0, "mlir_gs": 2.0}
    times = [{"eager": 90.0, "inductor": 60.0, "mlir_gs": ours} for ours in (20.0, 60.0, 30.0)]
    rows = [same | {"first": seconds}, *(same | {"us": us} for us in times)]
    page = load("programs_tables").page(rows).splitlines()
    assert "| 1 | 1 | 2.00 | 3.00 | 2.00 | 0 | 8 | 2 |" in page
    assert "| bags | forward | 1 | 90 | 60 | 30 | 2.00 | 8.0 | 2.0 |" in page
    assert any("commit abc" in line for line in page)
