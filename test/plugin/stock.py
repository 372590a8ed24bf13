"""The plugin, built once, and a stock mlir-opt that loads it."""

import fcntl
import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Stock:
    """An MLIR: `cmake` is the folder of its MLIRConfig.cmake, `build` where the plugin was built
    for it."""

    cmake: Path
    build: Path

    @property
    def plugin(self) -> Path:
        return self.build / "libMlirGs.so"

    @property
    def prefix(self) -> Path:
        return self.cmake.parents[2]

    def command(self, *arguments: str) -> list[str]:
        """mlir-opt with the plugin."""
        loads = [f"--load-{kind}-plugin={self.plugin}" for kind in ("dialect", "pass")]
        return [str(self.prefix / "bin/mlir-opt"), *loads, *arguments]

    def opt(
        self, text: str, *arguments: str, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """mlir-opt on a text; `arguments` are flags, or first the pipeline's inside."""
        flags = [
            each if each.startswith("-") else f"--pass-pipeline=builtin.module({each})"
            for each in arguments
        ]
        return subprocess.run(
            self.command(*flags),
            input=text,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={**os.environ, **environment},
        )


def cmake(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """CMake with the Python that runs the tests."""
    command = ["cmake", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


def python() -> str:
    return f"-DPython3_EXECUTABLE={sys.executable}"


def pypi() -> Path:
    """Where xtc-mlir-dev lays MLIRConfig.cmake."""
    return Path(sysconfig.get_path("platlib")) / "mlir/lib/cmake/mlir"


def build(mlir: Path, folder: Path) -> Stock:
    """The plugin for an MLIR; processes that test the same take turns, and the first one builds."""
    folder.mkdir(parents=True, exist_ok=True)
    stock = Stock(mlir, folder / "build")
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / "built").exists():
            return stock
        generator = ["-GNinja"] if shutil.which("ninja") else []
        quick = ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"]
        where = [] if mlir == pypi() else [f"-DMLIR_DIR={mlir}"]
        made = cmake("-S", ROOT / "plugin", "-B", stock.build, python(), *generator, *quick, *where)
        assert made.returncode == 0, made.stdout + made.stderr
        made = cmake("--build", stock.build, "--parallel", "2")
        assert made.returncode == 0, made.stdout + made.stderr
        (folder / "built").touch()
    return stock
