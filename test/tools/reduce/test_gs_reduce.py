"""gs-reduce: what is left is what the script asks for."""

import subprocess
import sys
from pathlib import Path

import pytest
from mlir_gs.tools import gs_reduce
from mlir_gs.tools.reduce.steps import minimized, reduce_text

SOURCE = """
func.func private @other(tensor<4xf32>)
func.func @unrelated(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  return %0 : f32
}
func.func @f(%t: tensor<64x16xf32>, %r: tensor<32x1xi32>, %s: f32) -> (tensor<32x16xf32>, f32) {
  %a = arith.mulf %s, %s : f32
  %0 = gs.gather %t[%r] gather_dims([0]) unique mode(clip)
      : (tensor<64x16xf32>, tensor<32x1xi32>) -> tensor<32x16xf32>
  %b = arith.addf %a, %s : f32
  %1 = arith.negf %0 : tensor<32x16xf32>
  return %1, %b : tensor<32x16xf32>, f32
}
"""


def test_a_module_with_ops_defined_in_python() -> None:
    def interesting(text: str) -> bool:
        return "gs.gather %" in text and "mode(clip)" in text

    found = reduce_text(SOURCE, interesting)
    assert interesting(found)
    for gone in ("@unrelated", "@other", "mulf", "addf", "negf", "unique", "<64", "<32", "x16"):
        assert gone not in found
    assert len(found.splitlines()) <= 7


def test_a_text_that_does_not_parse() -> None:
    text = "\n".join(["func.func @a() {", "  return", "}", "func.func @b( {", "  return", "}"])
    found = reduce_text(text, lambda candidate: "@b(" in candidate)
    assert found.strip() == "func.func @b( {"


def test_what_can_go_goes() -> None:
    needed = {3, 17, 18, 40}
    gone = minimized(50, lambda without: not needed & without)
    assert gone == set(range(50)) - needed


def script(path: Path, body: str) -> Path:
    path.write_text(f"#!{sys.executable}\nimport sys\ntext = open(sys.argv[1]).read()\n{body}\n")
    path.chmod(0o755)
    return path


def test_the_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mlir").write_text(SOURCE)
    test = script(tmp_path / "test.py", "sys.exit('arith.negf' in text)")
    target = tmp_path / "b.mlir"
    assert gs_reduce.main([str(tmp_path / "a.mlir"), f"--test={test}", "-o", str(target)]) == 0
    assert "arith.negf" in target.read_text()
    assert "gs.gather" not in target.read_text()
    assert "lines to" in capsys.readouterr().err


def test_stdin(tmp_path: Path) -> None:
    test = script(tmp_path / "test.py", "sys.exit('arith.negf' in text)")
    command = [sys.executable, "-m", "mlir_gs.tools.gs_reduce", "-", f"--test={test}"]
    found = subprocess.run(command, input=SOURCE, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    assert "arith.negf" in found.stdout
    assert "gs.gather" not in found.stdout


@pytest.mark.parametrize(
    ("body", "name", "message"),
    [
        ("sys.exit(0)", "a.mlir", "is not interesting"),
        ("sys.exit(1)", "missing.mlir", "cannot open input file"),
    ],
)
def test_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, name: str, message: str
) -> None:
    (tmp_path / "a.mlir").write_text(SOURCE)
    test = script(tmp_path / "test.py", body)
    assert gs_reduce.main([str(tmp_path / name), f"--test={test}"]) == 1
    assert message in capsys.readouterr().err


def test_no_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.mlir").write_text(SOURCE)
    assert gs_reduce.main([str(tmp_path / "a.mlir"), "--test=/nowhere"]) == 1
    assert "no script that can be run" in capsys.readouterr().err


# The tool as a command, where MLIR crashes as soon as the module has no arith.negf.
CRASHING = """
import os, signal, sys
from mlir_gs.tools import gs_reduce
from mlir_gs.tools.reduce import steps as reduce_steps

printed = reduce_steps._printed

def crash(module):
    if "arith.negf" not in str(module):
        os.kill(os.getpid(), signal.SIGSEGV)
    return printed(module)

reduce_steps._printed = crash
sys.exit(gs_reduce.main())
"""


def test_a_crash_of_mlir_costs_a_candidate(tmp_path: Path) -> None:
    (tmp_path / "a.mlir").write_text(SOURCE)
    test = script(tmp_path / "test.py", "sys.exit('func.func @f' in text)")
    found = subprocess.run(
        [sys.executable, "-c", CRASHING, str(tmp_path / "a.mlir"), f"--test={test}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert "arith.negf" in found.stdout
    assert "gs.gather" not in found.stdout
    assert "@unrelated" not in found.stdout


def test_arguments_of_one_type_do_not_take_turns():
    text = """func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {
  %0 = arith.addf %b, %c : f32
  %1 = arith.mulf %0, %b : f32
  return %1 : f32
}
"""
    tried: list[str] = []

    def interesting(candidate: str) -> bool:
        tried.append(candidate)
        assert len(tried) < 200, "it does not end"
        return "arith.mulf" in candidate

    found = reduce_text(text, interesting)
    assert "arith.addf" not in found
    assert "%arg1" not in found
