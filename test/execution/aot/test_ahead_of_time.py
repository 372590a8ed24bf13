"""Kernels that travel: their C functions, their tvm-ffi functions, and what gs-compile says."""

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest
from aot_support import HISTOGRAM, ROWS, c_compiler, compile_to, run_c, x86_linux
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import compile
from mlir_gs.execution.compilation.engine import travelling_code
from mlir_gs.execution.disk import link
from mlir_gs.execution.disk.elf_object import ObjectError, read_object
from mlir_gs.execution.generated import support, tvm
from mlir_gs.frontend.parse import parse

SCALARS = """
func.func @mix(%a: i1, %b: i8, %c: ui16, %d: i32, %e: i64, %f: f32, %g: f64, %n: index,
               %h: complex<f32>, %q: i4) -> (i64, f64, tensor<?xi32>, complex<f32>) {
  %b64 = arith.extsi %b : i8 to i64
  %c16 = builtin.unrealized_conversion_cast %c : ui16 to i16
  %c64 = arith.extui %c16 : i16 to i64
  %d64 = arith.extsi %d : i32 to i64
  %s0 = arith.addi %b64, %c64 : i64
  %s1 = arith.addi %s0, %d64 : i64
  %s3 = arith.addi %s1, %e : i64
  %q64 = arith.extsi %q : i4 to i64
  %s2 = arith.addi %s3, %q64 : i64
  %no = arith.constant 0 : i64
  %sum = arith.select %a, %s2, %no : i64
  %f64 = arith.extf %f : f32 to f64
  %both = arith.addf %f64, %g : f64
  %t = tensor.empty(%n) : tensor<?xi32>
  %filled = linalg.fill ins(%d : i32) outs(%t : tensor<?xi32>) -> tensor<?xi32>
  %hh = complex.add %h, %h : complex<f32>
  return %sum, %both, %filled, %hh : i64, f64, tensor<?xi32>, complex<f32>
}
"""

ROWS_IN_C = r"""
#include <stdio.h>
#include "kernel.h"
int main(void) {
  float table[24], out[12];
  int64_t ids[3] = {5, 0, 5}, shape[2] = {6, 4}, count[2] = {3, 1}, sizes[2] = {-1, -1};
  for (int k = 0; k < 24; ++k) table[k] = (float)k;
  gs_tensor t = gs_array(table, GS_FLOAT(32), 2, shape), i = gs_array(ids, GS_INT(64), 2, count);
  gs_error error;
  int code = rows_sizes(&t, &i, sizes, &error);
  printf("%d %d %d\n", code, (int)sizes[0], (int)sizes[1]);
  gs_tensor r = gs_array(out, GS_FLOAT(32), 2, sizes);
  code = rows(&t, &i, &r, &error);
  printf("%d %g %g %g\n", code, out[0], out[4], out[11]);
  out[0] = -1;
  ids[2] = 6;
  code = rows(&t, &i, &r, &error);
  printf("%d %d %g %s\n", code, error.code, out[0], error.message);
  printf("%d\n", rows(&t, &i, &r, 0));
  ids[2] = 1;
  t.dtype.bits = 64;
  code = rows(&t, &i, &r, &error);
  printf("%d %s\n", code, error.message);
  t.dtype.bits = 32;
  code = rows(&t, 0, &r, &error);
  printf("%d %s\n", code, error.message);
  sizes[0] = 2;
  code = rows(&t, &i, &r, &error);
  printf("%d %s\n", code, error.message);
  sizes[0] = 3;
  r.data = table;
  code = rows(&t, &i, &r, &error);
  printf("%d %s\n", code, error.message);
  r.data = out;
  int64_t backwards[2] = {-4, 1};
  t.strides = backwards;
  t.data = table + 20;
  code = rows(&t, &i, &r, &error);
  printf("%d %g %g\n", code, out[0], out[4]);
  sizes[0] = sizes[1] = -1;
  code = rows_sizes(&t, &i, sizes, &error);
  printf("%d %d %d\n", code, (int)sizes[0], (int)sizes[1]);
  t.ndim = 1;
  code = rows_sizes(&t, &i, sizes, &error);
  printf("%d %s\n", code, error.code ? error.message : "");
  t.ndim = 2;
  i.ndim = 1;
  code = rows_sizes(&t, &i, sizes, &error);
  printf("%d %s\n", code, error.message);
  return 0;
}
"""
ROWS_SAID = [
    "0 3 4",
    "0 20 0 23",
    "3 3 -1 {place}: 'gs.gather' op, into dimension 0 of 'source': coordinate 6 at position [2, 0]"
    " is out of bounds for size 6",
    "3",
    "1 argument 0 (table): expected float32[?, 4], found float64[6, 4]",
    "1 argument 1 (ids): expected int64[?, 1], found None",
    "2 result 0: expected float32[?, 4], found float32[2, 4]; with these arguments it is"
    " float32[3, 4]",
    "2 result 0 and argument 0 (table) share memory",
    "0 0 20",
    "0 3 4",
    "2 argument 0 (table): expected float32[?, 4], found float32[6]",
    "2 argument 1 (ids): expected int64[?, 1], found int64[3]",
]


@pytest.mark.parametrize("linked", ["object", "cc", pytest.param("builtin", marks=x86_linux)])
def test_a_program_in_c(linked: str, tmp_path: Path) -> None:
    c_compiler()
    library = tmp_path / f"libkernel{link.SUFFIX}"
    options = [] if linked == "object" else ["-o", str(library)]
    if linked == "builtin":
        options += ["--linker", "builtin"]
    code = compile_to(tmp_path, ROWS, *options)
    place = f"{tmp_path / 'kernel.mlir'}:4:8"
    said = run_c(tmp_path, ROWS_IN_C, code if linked == "object" else library)
    assert said == [line.format(place=place) for line in ROWS_SAID]


@pytest.mark.parametrize("language", ["c -std=c99", "c -std=c17", "c++ -std=c++17"])
def test_the_header_is_c_and_c_plus_plus(language: str, tmp_path: Path) -> None:
    command = c_compiler()
    compile_to(tmp_path, ROWS + HISTOGRAM + SCALARS)
    (tmp_path / "use.x").write_text('#include "kernel.h"\n#include "kernel.h"\n')
    flags = f"-Wall -Wextra -Werror -pedantic -fsyntax-only -x {language}".split()
    done = subprocess.run([*command, *flags, str(tmp_path / "use.x")], check=False)
    if done.returncode and language.startswith("c++"):
        probe = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "/dev/null"], check=False)
        if probe.returncode:
            pytest.skip("no C++ compiler, which reads the header")
    assert done.returncode == 0


def test_results_that_the_function_allocates(tmp_path: Path) -> None:
    program = r"""
    #include <stdio.h>
    #include "kernel.h"
    int main(void) {
      int64_t ones[5] = {1, 1, 1, 1, 1}, where[5] = {3, 1, 3, 3, 1}, n[1] = {5}, m[2] = {5, 1};
      gs_tensor x = gs_array(ones, GS_INT(64), 1, n), y = gs_array(where, GS_INT(64), 2, m);
      gs_managed_tensor *sums, *bins;
      gs_error error;
      int code = bins_(&x, &y, &sums, &bins, &error);
      printf("%d %d %d\n", code, (int)sums->dl_tensor.shape[0], bins->dl_tensor.ndim);
      for (int k = 0; k < 2; ++k)
        printf("%d: %d\n", (int)((int64_t *)bins->dl_tensor.data)[k],
               (int)((int64_t *)sums->dl_tensor.data)[k]);
      sums->deleter(sums);
      bins->deleter(bins);
      return 0;
    }
    """
    code = compile_to(tmp_path, HISTOGRAM.replace("@bins", "@bins_"))
    said = run_c(tmp_path, program, code)
    assert said[0] == "0 2 2"
    assert sorted(said[1:]) == ["1: 2", "3: 3"]


def test_scalars(tmp_path: Path) -> None:
    program = r"""
    #include <stdio.h>
    #include "kernel.h"
    int main(void) {
      int64_t sum, sizes[1];
      double both;
      int32_t filled[3];
      float h[2] = {1, -2}, hh[2];
      gs_tensor s = gs_array(&sum, GS_INT(64), 0, 0), b = gs_array(&both, GS_FLOAT(64), 0, 0);
      gs_tensor z = gs_array(h, GS_COMPLEX(64), 0, 0), zz = gs_array(hh, GS_COMPLEX(64), 0, 0);
      gs_error error;
      int code = mix_sizes(2, -3, 60000, -70000, 1LL << 40, 1.5f, 0.25, 3, &z, 7, sizes, &error);
      printf("%d %d\n", code, (int)sizes[0]);
      gs_tensor f = gs_array(filled, GS_INT(32), 1, sizes);
      code = mix(2, -3, 60000, -70000, 1LL << 40, 1.5f, 0.25, 3, &z, -8, &s, &b, &f, &zz, &error);
      printf("%d %lld %g %d %g %g\n", code, (long long)sum, both, filled[2], hh[0], hh[1]);
      code = mix(0, -3, 60000, -70000, 1LL << 40, 1.5f, 0.25, 3, &z, -8, &s, &b, &f, &zz, &error);
      printf("%d %lld\n", code, (long long)sum);
      return 0;
    }
    """
    said = run_c(tmp_path, program, compile_to(tmp_path, SCALARS))
    assert said == ["0 3", f"0 {(1 << 40) - 10011} 1.75 -70000 2 -4", "0 0"]


def test_two_kernels_in_one_program(tmp_path: Path) -> None:
    program = r"""
    #include <stdio.h>
    #include "one.h"
    #include "two.h"
    int main(void) {
      float x[1] = {1}, y[1] = {0};
      int64_t n[1] = {1};
      gs_tensor a = gs_array(x, GS_FLOAT(32), 1, n), r = gs_array(y, GS_FLOAT(32), 1, n);
      int first = one_f(&a, &r, 0);
      printf("%d %g\n", first, y[0]);
      int second = two_f(&a, &r, 0);
      printf("%d %g\n", second, y[0]);
      return 0;
    }
    """
    objects = []
    for name, op in (("one", "addf"), ("two", "subf")):
        text = f"""
        func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {{
          %r = arith.{op} %x, %x : tensor<?xf32>
          return %r : tensor<?xf32>
        }}"""
        objects.append(compile_to(tmp_path, text, "--prefix", f"{name}_", name=name))
    assert run_c(tmp_path, program, *objects) == ["0 2", "0 0"]


def test_a_library_runs_without_python_and_tvm_ffi(tmp_path: Path) -> None:
    c_compiler()
    library = tmp_path / f"kernel{link.SUFFIX}"
    compile_to(tmp_path, ROWS, "-o", str(library))
    ids = ctypes.CDLL(str(library))
    assert ids.rows
    tool = link.shutil.which("ldd")
    if tool is None:
        pytest.skip("no ldd, which tells what a library needs")
    listed = subprocess.run([tool, str(library)], capture_output=True, text=True, check=True)
    for name in ("python", "tvm", "MLIR", "mlir", "omp", "stdc++"):
        assert name not in listed.stdout.replace(str(tmp_path), "")


@x86_linux
def test_versions_are_chosen_by_what_the_cpu_is(tmp_path: Path) -> None:
    from mlir_gs.execution.machine import cpu

    flags = set((cpu.identity() or "").split())
    wanted = 1
    for needed in (
        {"popcnt", "ssse3", "sse4_2"},
        {"avx2", "fma", "bmi2"},
        {"avx512vl", "avx512bw"},
    ):
        if not needed <= flags:
            break
        wanted += 1
    # The choice by itself: in an object it is internal.
    with ir.Context(), ir.Location.unknown():
        code = travelling_code(parse(support.text("cpu")), "__gs_cpu_level", parallel=False)
    library = tmp_path / "level.so"
    library.write_bytes(link.link_library(code, "level.so", ["__gs_cpu_level"], ["libc.so.6"]))
    assert ctypes.CDLL(str(library)).__getattr__("__gs_cpu_level")() == wanted


@x86_linux
def test_a_cpu_that_is_too_old_is_an_error_and_no_crash(tmp_path: Path) -> None:
    c_compiler()
    program = r"""
    #include <stdio.h>
    #include "kernel.h"
    int main(void) {
      float t[4] = {1, 2, 3, 4}, out[4];
      int64_t ids[1] = {0}, shape[2] = {1, 4}, count[2] = {1, 1};
      gs_tensor a = gs_array(t, GS_FLOAT(32), 2, shape), i = gs_array(ids, GS_INT(64), 2, count);
      gs_tensor r = gs_array(out, GS_FLOAT(32), 2, shape);
      gs_error error;
      int code = rows(&a, &i, &r, &error);
      printf("%d %s\n", code, code ? error.message : "");
      return 0;
    }
    """
    code = compile_to(tmp_path, ROWS, "--mcpu", "x86-64-v4")
    said = run_c(tmp_path, program, code)
    assert said[0] in ("0 ", "4 this CPU is not an x86-64-v4")
    # The same object, where the function that reads the level finds that of an old CPU.
    code.write_bytes(_on_an_old_cpu(code.read_bytes()))
    assert run_c(tmp_path, program, code) == ["4 this CPU is not an x86-64-v4"]


def _on_an_old_cpu(data: bytes) -> bytes:
    """The object with `mov eax, 1; ret` as the code that reads the level."""
    parsed = read_object(data)
    (level,) = (symbol for symbol in parsed.symbols if symbol.name == "__gs_cpu_level")
    place = data.find(bytes(parsed.sections[level.section].data)) + level.value
    return data[:place] + b"\xb8\x01\x00\x00\x00\xc3" + data[place + 6 :]


@x86_linux
def test_threads(tmp_path: Path, openmp_runtime: str) -> None:
    library = tmp_path / "kernel.so"
    compile_to(tmp_path, ROWS, "--threads", "2", "--linker", "builtin", "-o", str(library))
    ctypes.CDLL(openmp_runtime)
    table = np.arange(4_000_000, dtype=np.float32).reshape(-1, 4)
    ids = np.random.default_rng(0).integers(0, len(table), (500_000, 1))
    out = np.empty((len(ids), 4), np.float32)
    tvm.ffi().load_module(str(library))["rows"](table, ids, out)
    assert (out == table[ids[:, 0]]).all()


@x86_linux
def test_sanitize(tmp_path: Path) -> None:
    library = tmp_path / "kernel.so"
    text = ROWS.replace(" mode(error)", "")
    compile_to(tmp_path, text, "--sanitize", "--linker", "builtin", "-o", str(library))
    rows = tvm.ffi().load_module(str(library))["rows"]
    with pytest.raises(IndexError, match=r"coordinate 9"):
        rows(np.zeros((6, 4), np.float32), np.array([[9]]), np.empty((1, 4), np.float32))


def test_llvm_ir_for_other_compilers(tmp_path: Path) -> None:
    compile_to(tmp_path, ROWS, "-o", str(tmp_path / "kernel.ll"))
    text = (tmp_path / "kernel.ll").read_text()
    assert "define i32 @rows(ptr" in text
    assert "define i32 @__tvm_ffi_rows(ptr" in text


@x86_linux
def test_the_same_bits_as_in_process(tmp_path: Path) -> None:
    text = """
    func.func @f(%u: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi64>) -> tensor<?xf32> {
      %r = gs.scatter %u into %d[%i] scatter_dims([0]) combine(add)
          : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
      return %r : tensor<?xf32>
    }
    """
    library = tmp_path / "kernel.so"
    compile_to(tmp_path, text, "--linker", "builtin", "-o", str(library), "--mcpu", "x86-64")
    rng = np.random.default_rng(0)
    u, d = rng.normal(size=1000).astype("f4"), rng.normal(size=7).astype("f4")
    i, out = rng.integers(0, 7, (1000, 1)), np.empty(7, np.float32)
    tvm.ffi().load_module(str(library))["f"](u, d, i, out)
    assert (out == compile(text)(u, d, i)).all()


def test_what_is_no_object_is_refused() -> None:
    for data in (b"", b"\x7fELF", b"x" * 200):
        with pytest.raises(ObjectError):
            read_object(data)


@x86_linux
def test_a_cpu_without_instructions_for_f16(tmp_path: Path) -> None:
    """The runtime of the program's C compiler converts: it need not be in this process."""
    text = """
    func.func @wide(%x: tensor<?xf16>) -> tensor<?xf32> {
      %r = arith.extf %x : tensor<?xf16> to tensor<?xf32>
      return %r : tensor<?xf32>
    }"""
    made = read_object(compile_to(tmp_path, text, "--mcpu", "x86-64").read_bytes())
    assert "__extendhfsf2" in {one.name for one in made.symbols if not one.section}
