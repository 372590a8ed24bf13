"""Objects for other machines: they are for these, and give the bits that this machine's give.

The programs run where Debian's cross compiler and qemu's user emulation are installed, as
gcc-aarch64-linux-gnu and qemu-user-static; those for x86-64 run on x86-64.
"""

import sys
from pathlib import Path

import pytest
from aot_support import commands_for, compile_to, run_c, run_elsewhere
from mlir_gs.dialect._bindings import dialect, ir
from mlir_gs.execution.aot import cross
from mlir_gs.execution.signature.dtypes import named
from mlir_gs.tools.gs_compile import main

EXAMPLES = Path(__file__).parents[3] / "examples"

HEAD = r"""
#include <stdio.h>
#include <string.h>
#include "kernel.h"
static float x[40][24], out[40][24];
static int64_t wide[64];
static int32_t from[64], to[64];
static void show(int count) {
  uint32_t bits[40 * 24];
  memcpy(bits, out, sizeof bits);
  for (int k = 0; k < count; ++k) printf("%08x%c", bits[k], k % 8 == 7 ? '\n' : ' ');
}
int main(void) {
  for (int k = 0; k < 40 * 24; ++k) x[k / 24][k % 24] = (float)((k * 7919) % 1009) / 1013;
  for (int k = 0; k < 64; ++k) {
    wide[k] = (k * 37) % 40;
    from[k] = (k * 11) % 40;
    to[k] = k % 7;
  }
  gs_error error;
  int64_t rows_of[] = {40, 24}, ids_of[] = {40, 1}, edges[] = {64, 1}, many[] = {960};
"""
PROGRAMS = {
    "rows.mlir": """
  gs_tensor t = gs_array(x, GS_FLOAT(32), 2, rows_of), i = gs_array(wide, GS_INT(64), 2, ids_of);
  gs_tensor o = gs_array(out, GS_FLOAT(32), 2, rows_of);
  int code = rows(&t, &i, &o, &error);
""",
    "sums.mlir": """
  int64_t few[] = {64};
  gs_tensor t = gs_array(x, GS_FLOAT(32), 1, many), i = gs_array(wide, GS_INT(64), 2, edges);
  gs_tensor v = gs_array(x[9], GS_FLOAT(32), 1, few), o = gs_array(out, GS_FLOAT(32), 1, many);
  int code = sums(&t, &i, &v, &o, &error);
  show(960);
  wide[5] = 960;
  printf("%d ", sums(&t, &i, &v, &o, &error));
  puts(error.message);
""",
    "karate/message_passing.mlir": """
  gs_tensor t = gs_array(x, GS_FLOAT(32), 2, rows_of), i = gs_array(from, GS_INT(32), 2, edges);
  gs_tensor j = gs_array(to, GS_INT(32), 2, edges), o = gs_array(out, GS_FLOAT(32), 2, rows_of);
  int code = step(&t, &i, &j, &o, &error);
""",
}
TAIL = """
  show(960);
  (void)many, (void)edges, (void)ids_of, (void)rows_of;
  return code;
}
"""
NUMBERS = {
    "f16": ("0.1", "0x7C01", "0x7E00", "0xFE01", "0xFC00", "6.0e-8", "65504.0", "0x3C01"),
    "bf16": ("0.1", "0x7F81", "0x7FC0", "0xFFC1", "0xFF80", "1.0e-40", "1.0e30", "0x3F81"),
    "f32": ("0.1", "0x7F800001", "0x7FC00000", "0xFFC12345", "0xFF800000", "1.0e-45", "16777217.0"),
    "f64": ("0.1", "0x7FF0000000000001", "0xFFF8000000000010", "0x7FF0000000000000", "4.6e18"),
}
# In an object: what it is, and the number of its architecture.
HEADS = {
    "x86_64-linux-gnu": (b"\x7fELF\x02\x01", 62),
    "aarch64-linux-gnu": (b"\x7fELF\x02\x01", 183),
    "riscv64-linux-gnu": (b"\x7fELF\x02\x01", 243),
    "arm64-apple-macosx11": (b"\xcf\xfa\xed\xfe\x0c\x00\x00\x01", None),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_bits(name: str, tmp_path: Path, needs) -> None:
    needs("llvmlite")
    source, program = (EXAMPLES / name).read_text(), HEAD + PROGRAMS[name] + TAIL
    own = run_c(tmp_path, program, compile_to(tmp_path, source))
    assert len({word for line in own for word in line.split()}) > 100
    for triple, (head, machine) in HEADS.items():
        made = compile_to(tmp_path, source, "--triple", triple)
        assert made.read_bytes().startswith(head)
        assert machine in (None, int.from_bytes(made.read_bytes()[18:20], "little"))
        if commands_for(triple):
            assert run_elsewhere(tmp_path, made, triple) == own, triple


@pytest.mark.parametrize("element", NUMBERS)
def test_floats_keep_their_bits(element: str, needs) -> None:
    """Older releases of LLVM read the numbers that MLIR's LLVM writes."""
    needs("llvmlite")
    values, size = NUMBERS[element], len(NUMBERS[element])
    with ir.Context(), ir.Location.unknown():
        data = f"dense<[{', '.join(values)}]> : tensor<{size}x{element}>"
        module = ir.Module.parse(
            f"llvm.mlir.global external @g({data}) : !llvm.array<{size} x {element}>"
        )
        text = dialect("llvm").translate_module_to_llvmir(module.operation)
    kind = named({"bf16": "bfloat16"}.get(element, element.replace("f", "float")))
    bits = [
        int(value, 16).to_bytes(kind.itemsize, "little")
        if value.startswith("0x")
        else kind.type(float(value)).tobytes()
        for value in values
    ]
    made = cross.object_code(cross.readable(text), "aarch64-linux-gnu", "generic")
    assert b"".join(bits) in made


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("%5 = fadd half %1, 9.997550e-02", "%5 = fadd half %1, 0xH2E66"),
        ("%6 = fcmp ogt bfloat %2, -inf", "%6 = fcmp ogt bfloat %2, 0xRFF80"),
        ("%p = phi float [ 1.0, %1 ], [ f0x4B800000, %2 ]",
         "%p = phi float [ 0x3FF0000000000000, %1 ], [ 0x4170000000000000, %2 ]"),
        ('call void @float.1(i64 2, half 0.0, ptr @"1.0, double")',
         'call void @float.1(i64 2, half 0xH0000, ptr @"1.0, double")'),
    ],
)  # fmt: skip
def test_each_number_is_of_the_type_before_it(before: str, after: str) -> None:
    assert cross.readable(before) == after


WRONG = [
    (["--triple", "pdp11-none"], "'pdp11-none': expected a triple that LLVM knows"),
    (["--triple", "armv7-linux-gnueabi"], "expected a little-endian machine with 64-bit pointers"),
    (["--triple", "s390x-linux-gnu"], "expected a little-endian machine with 64-bit pointers"),
    (["--triple", "aarch64-linux-gnu", "--mcpu", "native"], "native is the CPU of this machine"),
    (["--triple", "aarch64-linux-gnu", "--mcpu", "no-such"], "'no-such': expected LLVM's name"),
    (["--triple", "x86_64-linux-gnu", "--mcpu", "pdp-11"], "'pdp-11': expected native, x86-64"),
    (["--triple", "aarch64-linux-gnu", "--mcpu", "a,b"], "several CPUs: expected some of x86-64"),
]


@pytest.mark.parametrize(("options", "said"), WRONG, ids=[" ".join(each) for each, _ in WRONG])
def test_what_it_says(
    options: list[str], said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], needs
) -> None:
    needs("llvmlite")
    target = tmp_path / "rows.o"
    assert main([str(EXAMPLES / "rows.mlir"), *options, "-o", str(target)]) == 1
    told = capfd.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not target.exists()


def test_without_llvmlite(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("llvmlite", "llvmlite.binding"):
        monkeypatch.setitem(sys.modules, name, None)
    command = [str(EXAMPLES / "rows.mlir"), "--triple", "aarch64-linux-gnu"]
    assert main([*command, "-o", str(tmp_path / "rows.o")]) == 1
    assert "pip install llvmlite, or '.[cross]' in a clone" in capfd.readouterr().err
