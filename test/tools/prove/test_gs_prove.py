"""gs-prove: its answers, its exit codes, and what it says without the solver."""

import builtins
from pathlib import Path
from typing import Any

import pytest
from mlir_gs.dialect import context
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering import PassFailure
from mlir_gs.tools import gs_opt, gs_prove
from mlir_gs.tools.common import prover
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.opt.proofs import Proofs

BEFORE = """func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""
WRONG = BEFORE.replace(" mode(clip)", "")
# A call has no meaning for the solver, nor a run in the reference.
UNREAD = (
    "func.func private @g(f32) -> f32\n"
    + """func.func @f(%x: f32) -> f32 {
  %r = func.call @g(%x) : (f32) -> f32
  return %r : f32
}
"""
)


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


def test_proved(file: Any, needs: Any, capsys: pytest.CaptureFixture[str]) -> None:
    needs("z3")
    assert gs_prove.main(["--pass=gs-generalize", file("a.mlir", BEFORE)]) == 0
    assert "@f: proved" in capsys.readouterr().out


def test_refuted(file: Any, needs: Any, capsys: pytest.CaptureFixture[str]) -> None:
    needs("z3")
    assert gs_prove.main([file("a.mlir", BEFORE), file("b.mlir", WRONG)]) == 1
    found = capsys.readouterr().out
    assert "@f: refuted by these arguments:\n  argument 0: float32" in found
    assert "after: no meaning: " in found


def test_two_parts_of_one_file(file: Any, needs: Any, capsys: pytest.CaptureFixture[str]) -> None:
    needs("z3")
    assert gs_prove.main([file("a.mlir", f"{BEFORE}// -----\n{WRONG}")]) == 1
    assert "a.mlir:8:8: 'gs.gather' coordinate" in capsys.readouterr().out
    assert gs_prove.main([file("a.mlir", BEFORE)]) == 1
    assert "expected two files" in capsys.readouterr().err


def test_unknown(file: Any, needs: Any, capsys: pytest.CaptureFixture[str]) -> None:
    needs("z3")
    other = UNREAD.replace("return %r", "%s = arith.negf %r : f32\n  return %s")
    assert gs_prove.main([file("a.mlir", UNREAD), file("b.mlir", other)]) == 2
    assert "a.mlir:3:8: a call of @g, which is no function of one block" in capsys.readouterr().out


def test_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    load = builtins.__import__

    def without(name: str, *others: Any, **more: Any) -> Any:
        if name == "mlir_gs.prove":
            raise ModuleNotFoundError("no", name="z3")
        return load(name, *others, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UsageError, match=r"pip install 'mlir-gs\[prove\]'"):
        prover.prover()


def test_after_each_pass(file: Any, needs: Any, capsys: pytest.CaptureFixture[str]) -> None:
    needs("z3")
    given = file("a.mlir", BEFORE)
    assert gs_opt.main(["--prove", given, "--gs-generalize", "--gs-specialize", "--cse"]) == 0
    found = capsys.readouterr().err
    assert "gs-generalize: @f: proved" in found
    assert "gs-specialize: @f: proved" in found


def test_after_a_wrong_pass(needs: Any) -> None:
    needs("z3")
    lines: list[str] = []
    with context():
        before, after = parse(BEFORE), parse(WRONG)
        proofs = Proofs(lines.append)
        proofs.begin(before)
        with pytest.raises(PassFailure, match="'wrong' changed what @f means"):
            proofs.check(after.operation, "wrong")
    assert "wrong: @f: refuted by these arguments:" in lines[0]
