"""Programs of JAX at tiny sizes: it compares their results itself."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "jax_ops.py"


def test_programs_of_jax(needs: Callable[..., Any]) -> None:
    needs("jax")
    some = ["--only", "k-means", "boxes", "heat"]
    small = [sys.executable, str(SCRIPT), "--small", "--seconds", "0.01", *some]
    lines = [
        subprocess.run([*small, *flags], stdout=subprocess.PIPE, text=True, check=True).stdout
        for flags in ([], ["--apart"])
    ]
    assert [len(each.splitlines()) for each in lines] == [4, 5]
    assert "seconds of the first call" in lines[1]
