"""Finding an OpenMP runtime, and going on without one."""

import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from mlir_gs.execution import compile
from mlir_gs.execution.machine import openmp
from numpy._core import _multiarray_umath
from sources import identity


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which no runtime is found."""
    for name in ("_loaded", "_in_environment", "_packaged", "_installed"):
        monkeypatch.setattr(openmp, name, lambda: None)
    openmp.runtime.cache_clear()
    openmp._warn_once.cache_clear()
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    yield
    openmp.runtime.cache_clear()


@pytest.mark.usefixtures("without")
def test_without_a_runtime_kernels_run_on_one_thread_and_it_is_said_once() -> None:
    with pytest.warns(UserWarning, match="no OpenMP runtime was found"):
        kernel = compile(identity("tensor<?xf32>"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(identity("tensor<?xf32>"), threads=4)
    assert kernel(np.ones(3, np.float32)).sum() == 3


@pytest.mark.usefixtures("without")
def test_one_thread_needs_no_runtime() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(identity("tensor<?xf32>"), threads=1)


def test_a_runtime_that_is_loaded_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    openmp.runtime.cache_clear()
    monkeypatch.setattr(openmp, "_loaded", lambda: "/somewhere/libomp.so")
    assert openmp.runtime() == "/somewhere/libomp.so"
    openmp.runtime.cache_clear()


_LOAD = """
import ctypes, sys
from mlir_gs.execution.machine import openmp
before = openmp._loaded()
ctypes.CDLL(sys.argv[1])
print(before, openmp.runtime(), sep="|")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the system's loader has no dl_iterate_phdr")
def test_the_loader_says_what_is_loaded(tmp_path: Path) -> None:
    # Told by its name: any library will do.
    other = tmp_path / "libomp.so"
    shutil.copy(_multiarray_umath.__file__, other)
    command = [sys.executable, "-c", _LOAD, str(other)]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.strip() == f"None|{other}"


def test_one_beside_python_is_found_without_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert openmp._in_environment() is None
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "real.so").touch()
    (tmp_path / "lib" / "libomp.so").symlink_to("real.so")
    assert openmp._in_environment() == str(tmp_path / "lib" / "real.so")


@pytest.mark.skipif(sys.platform == "win32", reason="cmeel-libomp has no wheel for Windows")
def test_that_of_the_package_is_found() -> None:
    found = openmp._packaged()
    assert found is not None
    assert Path(found).name in openmp._LIBRARIES
    assert Path(found).is_file()


_BESIDE_TORCH = """
import sys
first, second = sys.argv[1:]
__import__(first), __import__(second)
import mlir_gs, numpy as np, torch
torch.set_num_threads(2)
x = np.arange(1 << 21, dtype=np.float32).reshape(-1, 8)
ids = np.random.default_rng(0).integers(0, len(x), 1 << 18)
rows, i = torch.from_numpy(x), torch.from_numpy(ids)
for _ in range(5):
    assert np.array_equal(mlir_gs.take(x, ids, axis=0), rows.index_select(0, i).numpy())
    assert torch.equal(mlir_gs.take(rows, i, axis=0), rows[i])
"""


@pytest.mark.usefixtures("openmp_runtime")
@pytest.mark.parametrize("order", [("torch", "mlir_gs.execution"), ("mlir_gs.execution", "torch")])
def test_beside_the_runtime_of_torch(order: tuple[str, str]) -> None:
    pytest.importorskip("torch")
    environment = {**os.environ, "OMP_NUM_THREADS": "2"}
    command = [sys.executable, "-P", "-c", _BESIDE_TORCH, *order]
    subprocess.run(command, env=environment, check=True, timeout=300)


@pytest.mark.usefixtures("openmp_runtime")
def test_threads_that_are_asked_for() -> None:
    assert openmp.thread_count(3) == 3
    assert openmp.thread_count(None) >= 1


def test_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openmp, "runtime", lambda: "libomp.so")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert openmp.thread_count(None) == openmp.cpu_count()
    for text, expected in [
        ("3", 3),
        ("5,2", 5),
        ("0", openmp.cpu_count()),
        ("x", openmp.cpu_count()),
    ]:
        monkeypatch.setenv("OMP_NUM_THREADS", text)
        assert openmp.thread_count(None) == expected
        assert openmp.thread_count(2) == 2
    with pytest.raises(ValueError, match="threads: expected 1 or more, found 0"):
        openmp.thread_count(0)


_WAIT = """
from mlir_gs.execution.machine import openmp
library = openmp.load(openmp.runtime())
import os
print(library.kmp_get_blocktime(), os.environ.get("KMP_BLOCKTIME"))
"""


@pytest.mark.usefixtures("openmp_runtime")
def test_threads_without_work_spin_for_a_short_while(monkeypatch: pytest.MonkeyPatch) -> None:
    def wait() -> str:
        command = [sys.executable, "-c", _WAIT]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    for name in ("KMP_BLOCKTIME", "OMP_WAIT_POLICY"):
        monkeypatch.delenv(name, raising=False)
    assert wait() == "1 None"
    monkeypatch.setenv("KMP_BLOCKTIME", "7")
    assert wait() == "7 7"
