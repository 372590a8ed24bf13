"""The programs in examples/torch, against what Torch recorded and Torch itself, and decoding/."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).parents[3] / "examples" / "torch"


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


def test_recorded_documents() -> None:
    """Torch need not be there."""
    hide = "import runpy, sys; sys.modules['torch'] = None; runpy.run_path(sys.argv[1])['main']()"
    printed = _run("-c", hide, str(EXAMPLE / "experts.py"))
    assert "18 gs ops after the import" in printed
    assert printed.count("equal") == printed.count("recorded") == 2
    assert "left out: torch is not installed" in printed


def test_torch_itself(needs: Callable[..., Any]) -> None:
    needs("torch")
    printed = _run(str(EXAMPLE / "experts.py"))
    assert "Torch    500 words: equal" in printed


def test_the_recorded_results_are_those_of_torch(needs: Callable[..., Any]) -> None:
    needs("torch")
    text = f"""
import sys; sys.path.insert(0, {str(EXAMPLE)!r})
import numpy as np, program
saved = np.load(program.HERE / "experts.npz")
for name in ("small", "large"):
    arguments = [saved[f"{{name}}_argument{{k}}"] for k in range(2)]
    np.testing.assert_allclose(program.run(arguments), saved[f"{{name}}_result"], atol=1e-5)
print("recorded by Torch")
"""
    assert "recorded by Torch" in _run("-c", text)


def test_decoding(needs: Callable[..., Any]) -> None:
    needs("torch")
    printed = _run(str(EXAMPLE.parent / "decoding" / "decode.py"))
    assert "8 steps: equal" in printed
    # All gathers and scatters are ours.
    assert "gs ops, others: []" in printed


def test_decoding_without_torch() -> None:
    hide = "import runpy, sys; sys.modules['torch'] = None; runpy.run_path(sys.argv[1])['main']()"
    printed = _run("-c", hide, str(EXAMPLE.parent / "decoding" / "decode.py"))
    assert printed.startswith("left out: torch is not installed")
