"""CMake: `find_package(mlir-gs)`, `gs_add_kernel`, and the example in C++."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CMAKE = shutil.which("cmake")
if CMAKE is None:
    pytest.skip("no cmake", allow_module_level=True)
if not any(shutil.which(name) for name in ("c++", "g++", "clang++")):
    pytest.skip("no C++ compiler", allow_module_level=True)

PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(test LANGUAGES C)
find_package(mlir-gs REQUIRED CONFIG)
gs_add_kernel(kernels SOURCES sub/one.mlir PREFIX k_ ENTRIES f)
add_executable(program main.c)
target_link_libraries(program PRIVATE kernels)
gs_add_kernel(program SOURCES two.mlir MCPU native)
"""
MAIN = """
#include <stdio.h>
#include "one.h"
int main(void) {
  int32_t x[1] = {3}, y[1] = {0};
  int64_t n[1] = {1};
  gs_tensor a = gs_array(x, GS_INT(32), 1, n), r = gs_array(y, GS_INT(32), 1, n);
  gs_error error;
  int code = k_f(&a, &r, &error);
  printf("%d %d\\n", code, y[0]);
  return 0;
}
"""


def kernel(op: str, name: str = "f") -> str:
    return f"""
func.func @{name}(%x: tensor<?xi32>) -> tensor<?xi32> {{
  %r = arith.{op} %x, %x : tensor<?xi32>
  return %r : tensor<?xi32>
}}
"""


def _folder() -> str:
    command = [sys.executable, "-P", "-m", "mlir_gs", "--cmakedir"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def cmake(*arguments: str) -> str:
    done = subprocess.run([str(CMAKE), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def configure(source: Path, build: Path, python: str = sys.executable) -> list[str]:
    given = [f"-Dmlir-gs_DIR={_folder()}", f"-DMLIR_GS_PYTHON={python}"]
    return ["-S", str(source), "-B", str(build), *given]


def test_the_example_builds_and_runs(tmp_path: Path) -> None:
    cmake(*configure(ROOT / "examples/cpp", tmp_path))
    cmake("--build", str(tmp_path))
    run = subprocess.run(
        [str(tmp_path / "karate"), str(ROOT / "examples/karate/karate.json")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == (
        "78 friendships, 33 of 34 members join the side that they joined\n"
        "10 steps, the same bits as a loop\n"
    )


def test_kernels_of_a_library_are_compiled_again_when_they_change(tmp_path: Path) -> None:
    source, build = tmp_path / "source", tmp_path / "build"
    (source / "sub").mkdir(parents=True)
    (source / "CMakeLists.txt").write_text(PROJECT)
    (source / "main.c").write_text(MAIN)
    (source / "sub/one.mlir").write_text(kernel("addi") + kernel("subi", "unused"))
    (source / "two.mlir").write_text(kernel("muli", "g"))

    def run() -> str:
        program = build / "program"
        return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout

    cmake(*configure(source, build))
    cmake("--build", str(build))
    assert run() == "0 6\n"
    assert "gs-compile" not in cmake("--build", str(build))
    (source / "sub/one.mlir").write_text(kernel("muli"))
    assert "gs-compile sub/one.mlir" in cmake("--build", str(build))
    assert run() == "0 9\n"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("gs_add_kernel(k SOURCE a.mlir)", "gs_add_kernel(k): unknown: SOURCE;a.mlir"),
        ("gs_add_kernel(k SOURCES a.mlir MCPUS native)", "gs_add_kernel(k): unknown: MCPUS"),
        ("gs_add_kernel(k SOURCES a.mlir PREFIX)", "gs_add_kernel(k): no value for PREFIX"),
        ("gs_add_kernel(k)", "gs_add_kernel(k): SOURCES names no file"),
        ("gs_add_kernel(k SOURCES a.mlir b/a.mlir)", "gs_add_kernel(k): two files are called a"),
    ],
)
def test_wrong_calls(call: str, said: str, tmp_path: Path) -> None:
    head = PROJECT.partition("gs_add_kernel")[0]
    (tmp_path / "CMakeLists.txt").write_text(head + call)
    done = subprocess.run(
        [str(CMAKE), *configure(tmp_path, tmp_path / "build")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert said in " ".join(done.stderr.split())


def test_a_python_without_the_package_is_named(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    done = subprocess.run(
        [str(CMAKE), *configure(tmp_path, tmp_path / "build", "/no/such/python")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "'/no/such/python' has no mlir-gs: set MLIR_GS_PYTHON" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "code"), [(["--version"], 0), (["--help"], 0), ([], 1), (["--nope"], 1)]
)
def test_the_command_of_the_package(arguments: list[str], code: int) -> None:
    command = [sys.executable, "-P", "-m", "mlir_gs", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert done.stdout if code == 0 else done.stderr.startswith("usage:")
