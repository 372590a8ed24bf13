"""A few of the command lines that `hostile_flags.py` tries."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="its devices are Linux's")
def test_some_of_all_command_lines() -> None:
    script = Path(__file__).with_name("hostile_flags.py")
    command = [sys.executable, str(script), "--every", "131", "--offset", "7"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert told.returncode == 0, told.stdout + told.stderr
