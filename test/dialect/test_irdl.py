"""The exported IRDL file: current, in the package, and enough for the stock tools."""

import re
import shutil
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import mlir_gs.dialect
import pytest
from mlir_gs.dialect._bindings import module
from mlir_gs.frontend.parse import parse

FILE = Path(mlir_gs.dialect.__file__).with_name("gs.irdl.mlir")
OP = re.compile(r'^(?!// CHECK).*("gs\.\w+")\(', re.MULTILINE)
TESTS = sorted(Path(__file__).parent.glob("*/ops.mlir"))


@pytest.fixture(scope="module")
def stock_opt() -> str:
    """The provider's own opt tool, which knows nothing of gs."""
    folder = Path(module("_mlir_libs").__file__).parent
    for found in (shutil.which("torch-mlir-opt", path=str(folder)), shutil.which("mlir-opt")):
        if found:
            return found
    pytest.skip("the bindings come without an opt tool")


def run(stock_opt: str, *arguments: Any, source: str | None = None) -> Any:
    command = [stock_opt, *map(str, arguments)]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=False)


def test_file_is_current() -> None:
    assert FILE.read_text(encoding="utf-8") == mlir_gs.dialect.irdl_text(), (
        "python -m mlir_gs.tools.gen_docs writes it anew"
    )


# IRDL cannot say that gs.yield ends a block, so a stock tool's verifier refuses bodies.
UNVERIFIED = ("--mlir-very-unsafe-disable-verifier-on-parsing", "--verify-each=false")


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.parent.name)
def test_stock_tool_parses_and_prints(path: Path, stock_opt: str) -> None:
    written = str(parse(path.read_bytes()))
    assert run(stock_opt, source=written).returncode != 0, "without the file gs is not known"
    flags = [f"--irdl-file={FILE}", *(UNVERIFIED if "gs.yield" in written else ())]
    first = run(stock_opt, *flags, source=written)
    assert first.returncode == 0, first.stderr
    assert run(stock_opt, *flags, source=first.stdout).stdout == first.stdout
    assert OP.findall(first.stdout) == OP.findall(written) != []


def test_stock_tool_checks_the_structure(stock_opt: str) -> None:
    source = 'func.func @f(%a: tensor<4xf32>) { "gs.gather"(%a) {gather_dims = array<i64: 0>} : '
    result = run(stock_opt, f"--irdl-file={FILE}", source=source + "(tensor<4xf32>) -> () return }")
    assert result.returncode != 0
    assert "operands" in result.stderr


def test_file_is_in_the_wheel() -> None:
    project = Path(__file__).parents[2] / "pyproject.toml"
    data = tomllib.loads(project.read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]
    assert any(fnmatch(FILE.name, pattern) for pattern in data["*"])
