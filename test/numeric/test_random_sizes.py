"""Random programs called with a size that does not fit; `fuzz_sizes.py` runs any number of them."""

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(sys.platform != "linux", reason="mprotect is called as on Linux")
def test_an_error_or_the_result_of_the_reference() -> None:
    script = Path(__file__).parent / "fuzz_sizes.py"
    command = [sys.executable, str(script), "--programs", "50"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr[-3000:]
    assert run.stdout.endswith(" 0 wrong, 0 died\n")
