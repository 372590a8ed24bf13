"""Kernels that travel, loaded by tvm-ffi."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from aot_support import HISTOGRAM, ROWS, c_compiler, compile_to, x86_linux
from mlir_gs.execution.disk import link
from mlir_gs.execution.generated import tvm


@x86_linux
@pytest.mark.parametrize("linker", ["cc", "builtin"])
def test_tvm_ffi_loads_the_library(linker: str, tmp_path: Path) -> None:
    if linker == "cc":
        c_compiler()
    library = tmp_path / f"kernel{link.SUFFIX}"
    compile_to(tmp_path, ROWS + HISTOGRAM, "--linker", linker, "-o", str(library))
    loaded = tvm.ffi().load_module(str(library))
    table = np.arange(24, dtype=np.float32).reshape(6, 4)
    ids, out = np.array([[5], [0]]), np.empty((2, 4), np.float32)
    loaded["rows"](table, ids, out)
    assert (out == table[[5, 0]]).all()
    loaded["rows"](table[::-1], ids, out)
    assert (out == table[::-1][[5, 0]]).all()
    with pytest.raises(IndexError, match=r"kernel.mlir:4:8: 'gs.gather' op.*coordinate 7 at"):
        loaded["rows"](table, ids + 2, out)
    with pytest.raises(TypeError, match=r"argument 0 \(table\): expected float32"):
        loaded["rows"](ids, ids, out)
    sums, bins = loaded["bins"](np.ones(3, np.int64), np.array([[2], [1], [2]]))
    found = zip(np.from_dlpack(bins)[:, 0], np.from_dlpack(sums), strict=True)
    assert sorted((int(k), int(n)) for k, n in found) == [(1, 1), (2, 2)]


@x86_linux
def test_tvm_ffi_in_c_plus_plus(tmp_path: Path) -> None:
    program = r"""
    #include <cstdio>
    #include <tvm/ffi/container/tensor.h>
    #include <tvm/ffi/extra/module.h>
    int main(int, char **given) {
      tvm::ffi::Module loaded = tvm::ffi::Module::LoadFromFile(given[1]);
      tvm::ffi::Function rows = loaded->GetFunction("rows").value();
      float table[8] = {0, 1, 2, 3, 4, 5, 6, 7}, out[4];
      int64_t id = 1, shape[2] = {2, 4}, one[2] = {1, 1}, row[2] = {1, 4};
      DLTensor t{table, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, nullptr, 0};
      DLTensor i{&id, {kDLCPU, 0}, 2, {kDLInt, 64, 1}, one, nullptr, 0};
      DLTensor r{out, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, row, nullptr, 0};
      rows(&t, &i, &r);
      std::printf("%g\n", out[3]);
      id = 2;
      try {
        rows(&t, &i, &r);
      } catch (const tvm::ffi::Error &error) {
        std::printf("%s\n", error.kind().c_str());
      }
    }
    """
    command = link.shutil.which("c++")
    if command is None:
        pytest.skip("no C++ compiler, which builds a program on tvm-ffi")
    library, source, binary = (tmp_path / name for name in ("kernel.so", "p.cpp", "p"))
    compile_to(tmp_path, ROWS, "-o", str(library))
    source.write_text(program)
    info = tvm.ffi().libinfo
    paths = [f"-I{path}" for path in (info.find_include_path(), info.find_dlpack_include_path())]
    folder = Path(info.find_libtvm_ffi()).parent
    linked = [f"-L{folder}", "-ltvm_ffi", f"-Wl,-rpath,{folder}"]
    build = [command, "-std=c++17", *paths, str(source), *linked, "-o", str(binary)]
    subprocess.run(build, check=True)
    run = [str(binary), str(library)]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert done.stdout == "7\nIndexError\n"


IN_PLACE = """
func.func @"add.to"(%m: memref<?xf32, strided<[?], offset: ?>>, %i: memref<?xi32>,
                    %u: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %i, %c0 : memref<?xi32>
  scf.for %k = %c0 to %n step %c1 {
    %r32 = memref.load %i[%k] : memref<?xi32>
    %r = arith.index_cast %r32 : i32 to index
    %a = memref.load %m[%r] : memref<?xf32, strided<[?], offset: ?>>
    %b = memref.load %u[%k] : memref<?xf32>
    %s = arith.addf %a, %b : f32
    memref.store %s, %m[%r] : memref<?xf32, strided<[?], offset: ?>>
  }
  return
}
func.func private @helper(%t: tensor<?xf32>) -> tensor<?xf32> {
  return %t : tensor<?xf32>
}
"""


@x86_linux
def test_functions_on_memory_write_their_arguments(tmp_path: Path) -> None:
    library = tmp_path / "kernel.so"
    compile_to(tmp_path, IN_PLACE, "--linker", "builtin", "-o", str(library))
    header = (tmp_path / "kernel.h").read_text()
    assert "int32_t add_to(" in header
    assert "argument 0: float32[?], written" in header
    assert "helper" not in header
    memory, ids = np.zeros(8, np.float32), np.array([0, 2, 0], np.int32)
    updates = np.array([1, 2, 4], np.float32)
    tvm.ffi().load_module(str(library))["add_to"](memory[::-2], ids, updates)
    assert memory.tolist() == [0, 0, 0, 2, 0, 0, 0, 5]
