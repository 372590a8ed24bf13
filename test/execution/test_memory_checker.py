"""Kernels under valgrind: no byte outside of arrays is touched, none is used that was not written.

Valgrind knows AVX2 and no AVX-512, so these are kernels ahead of time for x86-64-v3.
"""

import shutil
import subprocess
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from aot_support import build_c, compile_to, x86_linux
from guarded_kernels import PARTS, Case, gather

_TYPES = {"f": "GS_FLOAT", "i": "GS_INT"}
_PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernel.h"

static void *next(FILE *file, size_t bytes) {
  void *data = malloc(bytes);
  if (fread(data, 1, bytes, file) != bytes) exit(3);
  return data;
}

int main(int count, char **arguments) {
  FILE *file = fopen(arguments[count - 1], "rb");
  int wrong = 0;
%s
  fclose(file);
  return wrong;
}
"""


def _cases() -> Iterator[Case]:
    """Some widths of each kind of kernel."""
    rng = np.random.default_rng(0)
    for name, part in PARTS.items():
        yield from islice(part(rng), 0, None, 1 if name == "filling" else 9)


def _array(name: str, array: np.ndarray) -> str:
    kind = f"{_TYPES[array.dtype.kind]}({array.dtype.itemsize * 8})"
    shape = ", ".join(map(str, array.shape))
    return (
        f"    void *{name}_data = next(file, {array.nbytes});\n"
        f"    int64_t {name}_shape[] = {{{shape}}};\n"
        f"    gs_tensor {name} = gs_array({name}_data, {kind}, {array.ndim}, {name}_shape);\n"
    )


def _call(function: str, case: Case) -> tuple[str, bytes]:
    """A block of C that runs a case, and the arrays that it reads."""
    text, arguments, expected = case
    names = [f"a{n}" for n in range(len(arguments))]
    code = "".join(map(_array, names, arguments))
    data = b"".join(array.tobytes() for array in arguments)
    written = "a1" if "bufferization.writable" in text else "out"
    if written == "out":
        # Memory that was never written, so that what a kernel leaves out is found.
        code += _array("out", expected).replace(
            f"next(file, {expected.nbytes})", f"malloc({expected.nbytes})"
        )
        names.append("out")
    given = ", ".join(f"&{name}" for name in names)
    code += (
        f"    void *expected = next(file, {expected.nbytes});\n"
        f"    if ({function}({given}, NULL) != 0) return 4;\n"
        f"    wrong |= memcmp({written}_data, expected, {expected.nbytes}) != 0;\n"
        "    free(expected);\n"
    )
    code += "".join(f"    free({name}_data);\n" for name in names)
    return f"  {{\n{code}  }}\n", data + expected.tobytes()


def _checked(place: Path, cases: Iterable[Case]) -> subprocess.CompletedProcess[str]:
    """A run of a program that calls kernels for all `cases`."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        pytest.skip("no valgrind, under which the kernels run")
    functions: dict[str, str] = {}
    calls, data = [], []
    for case in cases:
        function = functions.setdefault(case[0], f"f{len(functions)}")
        call, bytes_ = _call(function, case)
        calls.append(call)
        data.append(bytes_)
    module = "\n".join(text.replace("@f(", f"@{name}(") for text, name in functions.items())
    kernels = compile_to(place, module, "--mcpu", "x86-64-v3")
    (place / "arrays").write_bytes(b"".join(data))
    program = build_c(place, _PROGRAM % "".join(calls), kernels)
    flags = ["--quiet", "--leak-check=full", "--error-exitcode=9"]
    command = [valgrind, *flags, str(program), str(place / "arrays")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@x86_linux
def test_kernels_under_valgrind(tmp_path: Path) -> None:
    found = _checked(tmp_path, _cases())
    assert found.returncode == 0, found.stderr[:4000]
    assert found.stderr == ""


@x86_linux
def test_valgrind_finds_a_broken_promise(tmp_path: Path) -> None:
    table, rows = np.ones((5, 3), np.float32), np.array([[4], [5]], np.int32)
    found = _checked(tmp_path, [(gather("f32", "?"), [table, rows], table[[4, 4]])])
    assert found.returncode == 9
    assert "Invalid read" in found.stderr
