"""The start of a test suite, `examples/testing/`, works where it is copied to, and can fail."""

import shutil
import subprocess
import sys
from pathlib import Path

TESTING = Path(__file__).parents[2] / "examples" / "testing"


def run_lit(folder: Path) -> "subprocess.CompletedProcess[str]":
    lit = [sys.executable, "-P", "-c", "from lit.main import main; main()"]
    command = [*lit, "-v", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_wrong_expectation_fails(tmp_path: Path) -> None:
    """That the copy passes as it is, `docs/testing.md` shows."""
    folder = shutil.copytree(TESTING, tmp_path / "tests")
    for file, right, wrong in (
        ("diagnostics/invalid.mlir", "found f32}}", "found f64}}"),
        ("rows.mlir", "tensor.extract %[[TABLE]]", "tensor.extract %[[IDS]]["),
        ("sums.mlir", "[4. 0. 2.]", "[4. 0. 3.]"),
    ):
        text = (folder / file).read_text(encoding="utf-8")
        assert right in text
        (folder / file).write_text(text.replace(right, wrong), encoding="utf-8")
    run = run_lit(folder)
    assert run.returncode == 1
    assert "Failed: 3" in run.stdout
