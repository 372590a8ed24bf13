"""A test that hangs or ends its process fails by name, once, and the others run."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import ctypes, os, signal
import pytest

@pytest.mark.parametrize("number", range(4))
def test_before(number): pass

def test_bad(): {bad}

{after}
"""
HANGS = "ctypes.PyDLL(None).sleep(1000)  # It holds Python's lock."
DIES = "os.kill(os.getpid(), signal.SIGKILL)"
AFTER = "def test_after(): pass"


def test_the_process_of_a_test_ends(tmp_path: Path) -> None:
    programs = {"hangs": (HANGS, AFTER), "dies": (DIES, AFTER), "dies_last": (DIES, "")}
    for name, (bad, after) in programs.items():
        (tmp_path / f"test_{name}.py").write_text(PROGRAM.format(bad=bad, after=after))
    (tmp_path / "test_good.py").write_text("def test_one(): pass\n")
    # With the configuration of these tests, and a shorter limit.
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "-p", "conftest"]
    command += ["-n2", "--dist=loadfile", "-o", "faulthandler_timeout=2", "-p", "no:cacheprovider"]
    found = subprocess.run(
        [*command, f"--rootdir={tmp_path}", str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "test")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "3 failed, 15 passed" in found.stdout, found.stdout + found.stderr
    for name in programs:
        assert f"crashed while running 'test_{name}.py::test_bad'" in found.stdout
    assert "in test_bad" in found.stderr, found.stderr
