"""The Rust example as its first lines say, against NumPy."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from mlir_gs.execution.disk import link
from mlir_gs.tools.gs_compile import main

FOLDER = Path(__file__).parents[2] / "examples" / "rust"


def test_a_kernel_is_called_from_rust(tmp_path: Path) -> None:
    compiler = shutil.which("rustc")
    if compiler is None:
        pytest.skip("no rustc, which compiles the example")
    about = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    if about.returncode != 0 and "rustup could not choose a version" in about.stderr:
        # rustup installs a command of this name, and compilers apart from it (`rustup default`).
        pytest.skip("no rustc behind rustup's command, which compiles the example")
    assert about.returncode == 0, about.stderr
    if link.compiler() is None:
        pytest.skip("no C compiler, by which rustc links")
    kernel, program = tmp_path / "rows.o", tmp_path / "main"
    assert main([str(FOLDER / "rows.mlir"), "-o", str(kernel)]) == 0
    command = [compiler, "--edition", "2021", "-D", "warnings", "-o", str(program)]
    command += ["-C", f"link-arg={kernel}", "-C", "link-arg=-lm", str(FOLDER / "main.rs")]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    run = subprocess.run([program], capture_output=True, text=True, check=True)
    first, second = run.stdout.splitlines()
    rows = (np.arange(12, dtype=np.float32) / 2).reshape(4, 3)[[2, 0, 2]]
    assert first == f"{list(rows.shape)} {rows.flatten().tolist()}"
    assert second.startswith("error 3: ")
    assert "coordinate 4" in second
    assert "out of bounds for size 4" in second
    readme = (FOLDER.parent / "README.md").read_text("utf-8")
    assert f"\n{first}\n" in readme
    assert second.replace(str(FOLDER / "rows.mlir"), "rows.mlir") in readme
