"""Exceptions in callbacks of MLIR reach the caller, and leave no broken memory behind."""

import os
import subprocess
import sys
from pathlib import Path


def test_callbacks_that_raise_leave_the_process_alive() -> None:
    program = Path(__file__).parent / "raising_callbacks.py"
    # Freed memory is overwritten: what still uses it fails soon.
    environment = os.environ | {"MALLOC_PERTURB_": "165"}
    found = subprocess.run(
        [sys.executable, str(program)], env=environment, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert "not raised: []" in found.stdout
