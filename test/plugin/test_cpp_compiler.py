"""`find_package(MlirGs)` and examples/cpp_compiler, from CMake to numbers."""

import subprocess
from pathlib import Path

from stock import ROOT, Stock, cmake, python

QUICK = ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0")


def test_the_example_compiler(stock: Stock, tmp_path: Path) -> None:
    found = f"-DMlirGs_DIR={stock.build}"
    made = cmake("-S", ROOT / "examples/cpp_compiler", "-B", tmp_path, found, *QUICK)
    assert made.returncode == 0, made.stderr
    made = cmake("--build", tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    done = subprocess.run(
        [tmp_path / "cpp_compiler"], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "24000 of 24000 numbers are as in a loop\n"


def test_the_package_is_for_its_llvm(stock: Stock, tmp_path: Path) -> None:
    """Beside another LLVM it is not found, with a sentence."""
    (tmp_path / "mlir").mkdir()
    (tmp_path / "mlir/MLIRConfig.cmake").write_text('set(LLVM_PACKAGE_VERSION "5.0.1")')
    (tmp_path / "CMakeLists.txt").write_text("""
cmake_minimum_required(VERSION 3.20)
project(other LANGUAGES NONE)
find_package(MlirGs REQUIRED CONFIG)
""")
    other = f"-DMLIR_DIR={tmp_path}/mlir"
    made = cmake("-S", tmp_path, "-B", tmp_path / "b", f"-DMlirGs_DIR={stock.build}", other)
    assert made.returncode != 0
    assert "MlirGs was built for LLVM" in made.stderr
    assert "and this is 5.0.1" in " ".join(made.stderr.split())


def test_it_installs(stock: Stock, tmp_path: Path) -> None:
    made = cmake("--install", stock.build, "--prefix", tmp_path)
    assert made.returncode == 0, made.stderr
    found = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert found >= {"libMlirGs.so", "MlirGs.h", "MlirGsConfig.cmake", "MlirGsTargets.cmake"}


def test_the_cmake_of_the_repository_builds_it_when_asked(stock: Stock, tmp_path: Path) -> None:
    where = f"-DMLIR_DIR={stock.cmake}"
    made = cmake("-S", ROOT, "-B", tmp_path, python(), where, "-DMLIR_GS_PLUGIN=ON")
    assert made.returncode == 0, made.stderr
    assert "MlirGsPlugin" in cmake("--build", tmp_path, "--target", "help").stdout
    assert "MlirGsPlugin" not in (
        cmake(tmp_path, "-DMLIR_GS_PLUGIN=OFF").stdout
        + cmake("--build", tmp_path, "--target", "help").stdout
    )
