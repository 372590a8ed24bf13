"""What only a built wheel would show: the list of packages, the entry points, the version."""

import importlib
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

import mlir_gs
import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]
# Folders that hold no package of ours, whatever Python files they hold.
OUTSIDE = {"test", "examples", "benchmarks", "docs", "build", "dist", "python"}


def test_every_folder_with_code_is_a_listed_package() -> None:
    found = {"mlir_gs"}
    environments = {path.parent.name for path in ROOT.glob("*/pyvenv.cfg")}
    # A folder without __init__.py imports here, and is missing in a wheel.
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT).parent.parts
        if not parts or parts[0] in OUTSIDE | environments:
            continue
        if not any(part.startswith(".") for part in parts):
            found.add(".".join(["mlir_gs", *parts]))
    assert set(SETUPTOOLS["packages"]) == found


def test_every_package_is_mapped_to_its_folder() -> None:
    # Packages within these are in the folders of their names.
    top = {name for name in SETUPTOOLS["packages"] if name.count(".") < 2}
    assert set(SETUPTOOLS["package-dir"]) == top
    for name, folder in SETUPTOOLS["package-dir"].items():
        assert (ROOT / folder / "__init__.py").is_file()
        if name != "mlir_gs":
            assert name == f"mlir_gs.{folder.replace('/', '.')}"


def test_the_package_is_typed() -> None:
    assert (ROOT / "python/mlir_gs/py.typed").is_file()


@pytest.mark.parametrize("script", PROJECT["project"]["scripts"])
def test_entry_points_exist(script: str) -> None:
    module, _, function = PROJECT["project"]["scripts"][script].partition(":")
    assert callable(getattr(importlib.import_module(module), function))


def test_a_source_distribution_holds_docs_examples_and_tests(tmp_path: Path) -> None:
    # In a folder of its own, so that no list of an earlier one is read.
    commands = ["egg_info", "--egg-base", str(tmp_path), "sdist", "--dist-dir", str(tmp_path)]
    setup = "from setuptools import setup; setup()"
    command = [sys.executable, "-W", "ignore", "-c", setup, *commands]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    folders = ("docs", "examples", "test", "benchmarks", "plugin", "dialect", "lowering")
    kinds = {".py", ".mlir", ".md", ".svg", ".cpp", ".h", ".toml"}
    wanted = [path for folder in folders for path in (ROOT / folder).rglob("*.*")]
    names = {str(p.relative_to(ROOT)) for p in wanted if p.suffix in kinds and p.is_file()}
    assert names - held == set()
    assert {"CMakeLists.txt", "CONTRIBUTING.md", "SECURITY.md", ".ci/run"} <= held


def test_versions_agree() -> None:
    assert PROJECT["project"]["version"] == mlir_gs.__version__


def test_licence_file_is_there() -> None:
    for name in PROJECT["project"]["license-files"]:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "Apache License" in text
        assert "LLVM Exceptions" in text


def test_test_folders_are_no_packages() -> None:
    assert not list((ROOT / "test").rglob("__init__.py"))


def test_every_tool_ends_at_ctrl_c() -> None:
    assert set(mlir_gs._TOOLS) == set(PROJECT["project"]["scripts"])
