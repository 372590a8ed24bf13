"""What `--dump-pass-pipeline` prints of an import is a pipeline that runs again."""

import subprocess
import sys

import pytest

TEXT = "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n"


def opt(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mlir_gs.tools.gs_opt", *arguments]
    return subprocess.run(command, input=TEXT, capture_output=True, text=True, check=True)


@pytest.mark.parametrize("name", ["gs-bufferize", "gs-import-stablehlo", "gs-import-torch",
 "gs-import-tosa"])  # fmt: skip
def test_it_runs_again(name: str) -> None:
    shown = opt(f"--{name}", "--dump-pass-pipeline")
    again = opt(f"--pass-pipeline={shown.stderr.strip()}")
    assert again.stdout == shown.stdout
    assert again.stderr == ""
