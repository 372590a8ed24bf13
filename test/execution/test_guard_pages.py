"""Nothing is read, written or prefetched fatally outside of arrays, at any tail length."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "support" / "guarded_kernels.py"


@pytest.mark.skipif(sys.platform != "linux", reason="mprotect is called as on Linux")
@pytest.mark.parametrize("part", ["moving", "combining", "filling"])
def test_arrays_between_unreadable_pages(part: str) -> None:
    command = [sys.executable, "-P", str(SCRIPT), part]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-3000:]
    assert run.stdout.endswith("calls between guard pages\n")


@pytest.mark.skipif(sys.platform != "linux", reason="mprotect is called as on Linux")
def test_the_pages_guard() -> None:
    code = f"""
import sys; sys.path.insert(0, {str(SCRIPT.parent)!r})
import numpy as np
from guarded_kernels import compile, gather, guarded
kernel = compile(gather("f32", "4"), threads=1)
kernel(guarded(np.zeros((8, 4), np.float32), True), np.array([[8]], np.int32))
"""
    run = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, check=False)
    assert run.returncode < 0
