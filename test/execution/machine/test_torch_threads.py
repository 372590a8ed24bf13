"""Kernels on torch's threads, each in a process of its own: which runtime is taken stays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.skipif(
        not sys.platform.startswith("linux"), reason="torch ships LLVM's OpenMP for other systems"
    ),
    pytest.mark.usefixtures("openmp_runtime"),
]

_BEGIN = """
import os, sys, threading
import numpy as np, mlir_gs
from mlir_gs.execution.machine import openmp

x = np.arange(1 << 21, dtype=np.float32).reshape(-1, 8)
ids = np.random.default_rng(0).integers(0, len(x), 1 << 17)

def check():
    assert np.array_equal(mlir_gs.take(x, ids, axis=0), x[ids])

def threads():
    return len(os.listdir("/proc/self/task"))

def where():
    return "torch" if openmp._begun else "llvm" if openmp._loaded() else "none"
"""


def _told(program: str, folder: Path | str = "off", **environment: str) -> list[str]:
    """What the program prints, which begins with `_BEGIN` after imports of its own."""
    pytest.importorskip("torch")
    given = {"OMP_NUM_THREADS": "2", "MLIR_GS_CACHE": str(folder), **environment}
    first, _, rest = program.partition("...\n")
    command = [sys.executable, "-P", "-c", first + _BEGIN + rest]
    run = {"capture_output": True, "text": True, "timeout": 300, "check": True}
    return subprocess.run(command, env={**os.environ, **given}, **run).stdout.split()


def test_torch_first_and_last(tmp_path: Path) -> None:
    first = "import torch\n...\ncheck(); print(where())"
    last = "...\ncheck(); import torch; check(); print(where())"
    alone = "...\ncheck(); print(where())"
    # What one has kept, another finds.
    for program, expected in [(alone, "llvm"), (first, "torch"), (last, "llvm")] * 2:
        assert _told(program, tmp_path) == [expected]
        assert _told(program) == [expected]


def test_kept_kernels_of_torchs_threads_need_no_compiler(tmp_path: Path) -> None:
    program = "import torch\n...\ncheck(); print(where(), 'torch_mlir' in sys.modules)"
    program = program.replace("'torch_mlir'", "'mlir_gs.execution.compilation.engine'")
    assert _told(program, tmp_path) == ["torch", "True"]
    assert _told(program, tmp_path) == ["torch", "False"]


def test_kernels_are_kept_whole_where_nothing_was_kept_before(tmp_path: Path) -> None:
    program = f"""import torch
...
from mlir_gs.execution.disk import keeping
check()
os.environ["MLIR_GS_CACHE"] = {str(tmp_path / "kernels")!r}
mlir_gs.compile('''{_ADDED}'''); keeping.write_all()
from mlir_gs.execution.compilation import build
build.build = None
mlir_gs.compile('''{_ADDED}''')
print(where())
"""
    assert _told(program) == ["torch"]


_ADDED = """
func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x1xi64>) -> tensor<?x8xf32> {
  %0 = tensor.gather %x[%i] gather_dims([0])
      : (tensor<?x8xf32>, tensor<?x1xi64>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}"""


def test_one_pool() -> None:
    program = """import torch
...
torch.set_num_threads(2)
y = torch.ones(1 << 20)
(y + y).sum()
before = threads()
check()
print(threads() - before)
"""
    assert _told(program) == ["0"]


@pytest.mark.parametrize(("torchs", "ours"), [(1, 3), (3, 2), (4, 7), (2, 1)])
def test_other_numbers_of_threads(torchs: int, ours: int) -> None:
    program = f"""import torch
...
torch.set_num_threads({torchs})
source = '''
func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xindex>) -> tensor<?xf32> {{
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<?xf32>, tensor<?x1xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}}'''
kernel = mlir_gs.compile(source, threads={ours})
v = x.reshape(-1)
for n in (0, 1, 2, {ours} - 1, 1000, 100003):
    at = ids[np.arange(n) % len(ids), None]
    for _ in range(3):
        assert np.array_equal(kernel(v, at), v[at[:, 0]])
        assert float(torch.ones(1 << 17).sum()) == 1 << 17
print(torch.get_num_threads())
"""
    assert _told(program) == [str(torchs)]


def test_sums_of_loops_stay_on_llvms_runtime(tmp_path: Path) -> None:
    program = """import torch
...
source = '''
func.func @f(%x: memref<?xf64>, %o: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%z) -> f64 {
    %v = memref.load %x[%i] : memref<?xf64>
    scf.reduce(%v : f64) {
    ^bb0(%a: f64, %b: f64):
      %s = arith.addf %a, %b : f64
      scf.reduce.return %s : f64
    }
  }
  memref.store %r, %o[%c0] : memref<1xf64>
  return
}'''
check()
out = np.zeros(1)
mlir_gs.compile(source)(np.arange(1000.0), out)
check()
print(where(), out[0], openmp._loaded() is not None)
"""
    for _ in range(2):
        assert _told(program, tmp_path) == ["torch", "499500.0", "True"]


def test_children_have_threads_of_their_own() -> None:
    program = """import torch
...
y = torch.ones(1 << 20)
for _ in range(3):
    check()
    child = os.fork()
    if child == 0:
        check()
        assert float((y + y).sum()) == 1 << 21
        os._exit(threads())
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    check()
"""
    assert _told(program) == ["2", "2", "2"]


def test_many_threads_at_once() -> None:
    program = """import torch
...
y = torch.ones(1 << 18)
def work():
    for _ in range(20):
        check()
        assert float((y + y).sum()) == 1 << 19
        check()
    done.append(1)
done = []
every = [threading.Thread(target=work) for _ in range(6)]
[one.start() for one in every]
[one.join() for one in every]
print(len(done), where())
"""
    assert _told(program) == ["6", "torch"]


_NESTED = """
import ctypes
work = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
gnu, wrong = openmp.torch_runtime(), []
check()
@work
def in_a_region(_):
    for _ in range(5):
        try:
            check()
        except Exception as error:
            wrong.append(error)
gnu.GOMP_parallel(in_a_region, None, 3, 0)
check()
print(len(wrong), where())
"""


def test_in_a_parallel_region_of_another() -> None:
    assert _told("import torch\n...\n" + _NESTED) == ["0", "torch"]
    assert _told("import torch\n...\n" + _NESTED, OMP_MAX_ACTIVE_LEVELS="3") == ["0", "torch"]


def test_a_runtime_of_llvms_that_is_loaded_stays(openmp_runtime: str) -> None:
    program = f"import ctypes, torch\nctypes.CDLL({openmp_runtime!r})\n...\ncheck(); print(where())"
    assert _told(program) == ["llvm"]
