"""Dumps around some passes: as they happen, in order with diagnostics, and before a crash."""

import subprocess
import sys
from pathlib import Path

import pytest
from mlir_gs.tools.opt.ir_dumps import Wanted, chosen

SOURCE = """func.func @f(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %a, %a : i32
  return %0 : i32
}
"""
# gs-opt with a pass that does as it is told.
TOOL = """
import os, signal, sys, time
from dataclasses import dataclass
from typing import ClassVar
from mlir_gs.lowering import fail, register_pass
from mlir_gs.tools import gs_opt

@register_pass
@dataclass(frozen=True)
class Act:
    '''Act.'''
    name: ClassVar[str] = "act"
    how: str = ""

    def run(self, module):
        if self.how == "wait":
            time.sleep(100)
        if self.how == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        fail(module, "acted")

sys.exit(gs_opt.main())
"""


def command(source: Path, how: str) -> list[str]:
    source.write_text(SOURCE)
    passes = ["--canonicalize", f"--act=how={how}", "--mlir-print-ir-after=canonicalize"]
    return [sys.executable, "-c", TOOL, str(source), *passes]


def test_dumps_come_as_they_happen(tmp_path: Path) -> None:
    with subprocess.Popen(
        command(tmp_path / "a.mlir", "wait"), stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        try:
            assert "IR Dump After Canonicalizer" in process.stderr.readline()
            # The pass that waits has begun, and not ended.
            assert process.poll() is None
        finally:
            process.terminate()


def test_a_crash_loses_no_dump(tmp_path: Path) -> None:
    source = tmp_path / "a.mlir"
    found = subprocess.run(command(source, "crash"), capture_output=True, text=True, check=False)
    assert found.returncode == 70
    lines = found.stderr.splitlines()
    assert "IR Dump After Canonicalizer" in lines[0]
    assert "IR Dump" not in "".join(lines[1:])
    assert "func.func @f" in found.stderr
    # The tool has waited for the last line of the dump.
    assert lines[-1].startswith(f"gs-opt: {source}: MLIR ended with SIGSEGV while running passes")


def test_diagnostics_keep_their_place(tmp_path: Path) -> None:
    source = tmp_path / "a.mlir"
    found = subprocess.run(command(source, ""), capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "\0" not in found.stderr
    assert found.stderr.index("func.func @f") < found.stderr.index("error: acted")


BANNER = b"// -----// IR Dump %s //----- //\n"


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        (Wanted(frozenset({"cse"})), [0, 1, 2, 7]),
        (Wanted(None, frozenset({"cse"})), [0, 1, 2, 3, 4, 7]),
        (Wanted(frozenset(), frozenset({"canonicalize"})), [0, 5, 6, 7]),
    ],
)
def test_what_is_chosen(wanted: Wanted, kept: list[int]) -> None:
    lines = [
        b"first\n",
        BANNER % b"Before CSE: cse",
        b"a\n",
        BANNER % b"After CSE: cse",
        b"b\n",
        BANNER % b"After Canonicalizer: canonicalize{max-iterations=2}",
        b"c\n",
        b"\0error\n",
    ]
    expected = [lines[number] for number in kept]
    assert list(chosen(lines, wanted)) == expected


def test_dumps_are_in_the_assembly_form(tmp_path: Path) -> None:
    source = tmp_path / "a.mlir"
    source.write_text("""func.func @f(%t: tensor<8xf32>, %i: tensor<4x1xi64>) -> tensor<4xf32> {
  %0 = gs.gather %t[%i] gather_dims([0]) : (tensor<8xf32>, tensor<4x1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
""")
    command = [
        sys.executable,
        "-m",
        "mlir_gs.tools.gs_opt",
        str(source),
        "--cse",
        "--mlir-print-ir-after-all",
    ]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "= gs.gather %arg0[%arg1] gather_dims([0])" in found.stderr
    command.append("--mlir-print-op-generic")
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert '"gs.gather"(%arg0, %arg1)' in found.stderr
