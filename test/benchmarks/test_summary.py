"""What turns come to: of several processes, at like moments. No time is asserted."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RUN = Path(__file__).parents[2] / "benchmarks" / "run.py"


def measured(turns: dict[str, list[Any]], **others: Any) -> dict[str, Any]:
    """What a process tells of a workload."""
    limits = {"bandwidth": {"read": 1.0}, "floor": 2.0, "slices": None, "streams": 0.0}
    about = {"id": "X1", "title": "x", "threads": 2, "read": 1, "written": 1, "temporaries": 0}
    others = {"left_out": {}, "other_bits": [], "limits": [[None, limits]], "why": "", **others}
    return {**about, "turns": turns, **others}


def test_turns_of_all_processes_count(load: Callable[[str], Any]) -> None:
    """Those at moments that are alike; a peer that only one had as well."""
    near, far = [30.0, 1.0], [200.0, 1.0]
    first = measured({"ours": [[near, [1.0, 3.0]], [far, [9.0]]], "numpy x": [[near, [4.0]]]})
    second = measured(
        {"ours": [[near, [5.0]]], "numpy x": [[near, [6.0]]], "numba x": [[near, [7.0]]]},
        left_out={"jax x": "not installed"},
        other_bits=["numba x"],
    )
    result = load("summary").result([first, second])
    assert (result["id"], result["threads"]) == ("X1", 2)
    assert (result["ours"]["median"], result["ours"]["samples"]) == (3.0, 3)
    assert result["peers"]["numpy x"]["median"] == 5.0
    assert result["peers"]["numba x"]["median"] == 7.0
    assert result["left_out"] == {"jax x": "not installed"}
    assert result["other_bits"] == ["numba x"]
    assert result["hop"] == 30.0
    assert result["counted"] == pytest.approx(5 / 6)
    assert result["floor"] == 2.0
    assert result["slices"] is None


def test_limits_are_of_the_same_moments(load: Callable[[str], Any]) -> None:
    def limits(floor: float) -> dict[str, Any]:
        return {"bandwidth": {"read": floor}, "floor": floor, "slices": floor, "streams": floor}

    near, far = [30.0, 1.0], [200.0, 1.0]
    turns = {"ours": [[near, [1.0]], [near, [1.0]], [far, [1.0]]]}
    each = measured(turns, limits=[[near, limits(1.0)], [far, limits(50.0)]])
    result = load("summary").result([each, each])
    assert (result["floor"], result["bandwidth"]["read"]) == (1.0, 1.0)


def test_a_run_of_two_processes(tmp_path: Path) -> None:
    """With arrays that begin 16 bytes after a line."""
    target = tmp_path / "results.json"
    options = ["--quick", "--repeats=1", "--processes=2", "--begin=16", "--threads=1"]
    options += ["--peers=numpy", f"--json={target}"]
    command = [sys.executable, str(RUN), "G04", "S01", *options]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    found = json.loads(target.read_text("utf-8"))
    assert (found["processes"], found["begin"]) == (2, 16)
    assert [result["id"] for result in found["results"]] == ["G04", "S01"]
    assert all("numpy take" in r["peers"] or "numpy assign" in r["peers"] for r in found["results"])
    assert "1 round in each of 2 processes." in run.stdout
    assert "Arrays begin 16 bytes after a cache line" in run.stdout
