"""The model in examples/onnx: against what onnxruntime recorded, and onnxruntime itself."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

EXAMPLE = Path(__file__).parents[3] / "examples" / "onnx"


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


def test_recorded_sessions(needs: Callable[..., Any]) -> None:
    needs("onnx")
    hide = (
        "import runpy, sys; sys.modules['onnxruntime'] = None; "
        "runpy.run_path(sys.argv[1])['main']()"
    )
    printed = _run("-c", hide, str(EXAMPLE / "recommend.py"))
    assert "14 gs ops after the import" in printed
    assert printed.count("equal") == printed.count("recorded") == 2
    assert "left out: onnxruntime is not installed" in printed


def test_onnxruntime_itself(needs: Callable[..., Any]) -> None:
    needs("onnx")
    needs("onnxruntime")
    assert "runtime  40 x 30 items: equal" in _run(str(EXAMPLE / "recommend.py"))


def test_without_onnx() -> None:
    """Nothing to read the model with: said, and no failure."""
    hide = "import runpy, sys; sys.modules['onnx'] = None; runpy.run_path(sys.argv[1])['main']()"
    assert "left out: onnx is not installed" in _run("-c", hide, str(EXAMPLE / "recommend.py"))
