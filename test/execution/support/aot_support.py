"""For tests of kernels that travel: compiling, and programs in C around them."""

import platform
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mlir_gs.execution.disk import link
from mlir_gs.tools.gs_compile import main

x86_linux = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64",
    reason="the built-in linker and the CPU levels of gs-compile are for x86-64 Linux",
)

ROWS = """
func.func @rows(%t: tensor<?x4xf32> loc("table"), %i: tensor<?x1xi64> loc("ids"))
    -> tensor<?x4xf32> {
  %r = gs.gather %t[%i] gather_dims([0]) mode(error)
      : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""
HISTOGRAM = """
func.func @bins(%x: tensor<?xi64>, %y: tensor<?x1xi64>) -> (tensor<?xi64>, tensor<?x1xi64>) {
  %v, %i = gs.histogram %x at %y combine(add)
      : (tensor<?xi64>, tensor<?x1xi64>) -> (tensor<?xi64>, tensor<?x1xi64>)
  return %v, %i : tensor<?xi64>, tensor<?x1xi64>
}
"""


def c_compiler() -> list[str]:
    """The command of a C compiler; the test is left out where there is none."""
    found = link.compiler()
    if found is None:
        pytest.skip("no C compiler, which builds the programs around kernels")
    return found


def compile_to(place: Path, text: str, *options: str, name: str = "kernel") -> Path:
    """Run gs-compile on a text: `kernel.o`, `kernel.h` and what `options` ask for, in `place`."""
    source = place / f"{name}.mlir"
    source.write_text(text)
    outputs = ["-o", str(place / f"{name}.o"), "-o", str(place / f"{name}.h")]
    assert main([str(source), *outputs, *options]) == 0
    return place / f"{name}.o"


def build_c(place: Path, program: str, *objects: Path, flags: str = "-std=c11") -> Path:
    """A program in C with objects and libraries, built."""
    source, binary = place / "program.c", place / "program"
    source.write_text(program)
    warnings = ["-Wall", "-Wextra", "-Werror", "-pedantic"]
    command = [*c_compiler(), *shlex.split(flags), *warnings, "-I", str(place), "-o", str(binary)]
    command += [str(source), *map(str, objects), "-lm", f"-Wl,-rpath,{place}"]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return binary


def run_c(place: Path, program: str, *objects: Path, flags: str = "-std=c11") -> list[str]:
    """Build and run a program in C with objects and libraries; the lines of its output."""
    binary = build_c(place, program, *objects, flags=flags)
    run = subprocess.run([str(binary)], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, f"exit code {run.returncode}: {run.stdout}{run.stderr}"
    return run.stdout.splitlines()


def commands_for(triple: str) -> tuple[list[str], list[str]] | None:
    """What compiles C for a machine, and what runs that here; None without these."""
    if triple == f"{platform.machine()}-{sys.platform}-gnu":
        return c_compiler(), []
    name = triple.partition("-")[0]
    emulator = shutil.which(f"qemu-{name}-static") or shutil.which(f"qemu-{name}")
    if not emulator or not shutil.which(f"{triple}-gcc"):
        return None
    return [f"{triple}-gcc"], [emulator, "-L", f"/usr/{triple}"]


def run_elsewhere(place: Path, made: Path, triple: str) -> list[str]:
    """What the program that `run_c` has built prints for another machine, with an object for it."""
    compiler, runner = commands_for(triple) or ([], [])
    binary = place / "other"
    files = ["-I", str(place), str(place / "program.c"), str(made), "-lm"]
    subprocess.run([*compiler, "-std=c11", *files, "-o", str(binary)], check=True)
    run = subprocess.run([*runner, str(binary)], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()
