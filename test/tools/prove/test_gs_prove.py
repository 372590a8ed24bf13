"""gs-prove: its answers, its exit codes, and what it says without the solver."""

import builtins
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mlir_gs.dialect import context
from mlir_gs.frontend.parse import parse
from mlir_gs.lowering import PassFailure
from mlir_gs.tools import gs_opt, gs_prove, gs_run
from mlir_gs.tools.common import prover
from mlir_gs.tools.common.command_line import UsageError
from mlir_gs.tools.opt.proofs import ProofOptions, Proofs

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

# Too many steps to run.
UNREFUTED = """func.func @f(%x: i32, %k: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (i32) {
    %w = arith.addi %t, %k : i32
    scf.yield %w : i32
  }
  return %r : i32
}
"""


# The store moves behind a load that may be of the same element.
MOVED = """func.func @f(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 1.0 : f32
  memref.store %z, %x[%c0] : memref<?xf32>
  %b = memref.load %y[%c0] : memref<?xf32>
  memref.store %b, %x[%c1] : memref<?xf32>
  return
}
"""


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
    with pytest.raises(UsageError, match="pip install z3-solver"):
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
        proofs = Proofs(lines.append, ProofOptions())
        proofs.begin(before)
        with pytest.raises(PassFailure, match="'wrong' changed what @f means"):
            proofs.check(after.operation, "wrong")
    assert "wrong: @f: refuted by these arguments:" in lines[0]


def test_counterexample_as_files(
    file: Any, tmp_path: Path, needs: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """gs-run takes them; of elements that NumPy does not know, too."""
    needs("z3")
    before = BEFORE.replace("f32", "bf16")
    given = [file("a.mlir", before), file("b.mlir", before.replace("clip", "fill"))]
    saved = tmp_path / "saved"
    assert gs_prove.main([*given, f"--save-counterexample={saved}"]) == 1
    (line,) = (each for each in capsys.readouterr().out.splitlines() if "gs-run" in each)
    arguments = line.split()[1:]
    assert arguments[-2:] == [str(saved / "f.0.npy"), str(saved / "f.1.npy")]
    assert gs_run.main(arguments) == 0
    assert "bfloat16" in capsys.readouterr().out


def test_question_as_smt(file: Any, tmp_path: Path, needs: Any) -> None:
    """The solver answers the file as it answered the question."""
    needs("z3")
    z3 = pytest.importorskip("z3")
    given = [file("a.mlir", BEFORE), file("b.mlir", BEFORE.replace("clip", "fill"))]
    gs_prove.main([*given, "--timeout=2", f"--dump-smt={tmp_path}"])
    # Refuted before the solver was asked.
    assert not (tmp_path / "f.smt2").exists()
    other = UNREFUTED.replace("addi", "subi")
    gs_prove.main([file("a.mlir", UNREFUTED), file("b.mlir", other), f"--dump-smt={tmp_path}",
                   "--timeout=1"])  # fmt: skip
    text = (tmp_path / "f.smt2").read_text()
    solver = z3.Solver()
    solver.set("timeout", 500)
    solver.from_string(text)
    assert len(solver.assertions()) > 1
    assert solver.check() != z3.unsat


@pytest.mark.parametrize(("options", "code"), [("timeout=1", 0), ("timeout=1,fail-on-unknown", 1)])
def test_options_of_gs_opt(
    file: Any, needs: Any, capsys: pytest.CaptureFixture[str], options: str, code: int
) -> None:
    """A call of what has no body is unknown where its text changes."""
    needs("z3")
    text = UNREAD.replace("return %r", "%s = arith.addf %r, %r : f32\n  return %s")
    text = text.replace(
        "%r = func", "%z = arith.negf %x : f32\n  %y = arith.negf %z : f32\n  %r = func"
    )
    assert gs_opt.main([f"--prove={options}", file("a.mlir", text), "--canonicalize"]) == code
    found = capsys.readouterr().err
    assert "canonicalize: @f: unknown" in found
    assert ("is not proved" in found) == bool(code)


def test_wrong_options_of_gs_opt(file: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert gs_opt.main(["--prove=timeout=no", file("a.mlir", BEFORE)]) == 1
    assert "--prove: timeout: expected a number of seconds above 0" in capsys.readouterr().err
    assert gs_opt.main(["--prove=quickly", file("a.mlir", BEFORE)]) == 1
    assert "'quickly' is none of timeout=SECONDS, fail-on-unknown" in capsys.readouterr().err


def test_an_op_of_outside_the_package(file: Any, tmp_path: Path, needs: Any) -> None:
    """Its structure is its meaning."""
    needs("z3")
    toy = Path(__file__).parents[2] / "dialect" / "toy_ops.py"
    text = """func.func @f(%t: tensor<?x?xf32>, %i: tensor<?xi64>) -> tensor<?x?xf32> {
  %r = "toy.pick"(%t, %i) {mode = "clip"} : (tensor<?x?xf32>, tensor<?xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
    # In a process of its own: this one may have the dialect from another test.
    prove = [sys.executable, "-P", "-m", "mlir_gs.tools.gs_prove", f"--load={toy}"]
    given, other = file("a.mlir", text), file("b.mlir", text.replace('"clip"', '"fill"'))
    assert subprocess.run([*prove, given, "--pass=gs-generalize"], check=False).returncode == 0
    assert subprocess.run([*prove, given, other], check=False).returncode == 1


SOURCES = {
    "tensor": """func.func @f(%x: tensor<?x8xf32>, %i: tensor<?x1xindex>) -> tensor<?x1x8xf32> {
  %r = tensor.gather %x[%i] gather_dims([0])
      : (tensor<?x8xf32>, tensor<?x1xindex>) -> tensor<?x1x8xf32>
  return %r : tensor<?x1x8xf32>
}
""",
    "tosa": """func.func @f(%x: tensor<2x5x4xf32>, %i: tensor<2x3xi32>) -> tensor<2x3x4xf32> {
  %r = tosa.gather %x, %i : (tensor<2x5x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
""",
}


@pytest.mark.parametrize("language", SOURCES)
def test_source_forms(file: Any, needs: Any, language: str) -> None:
    needs("z3")
    given = file("a.mlir", SOURCES[language])
    assert gs_prove.main([f"--pass=convert-{language}-to-gs", given]) == 0


def test_to_memory_and_loops(file: Any, needs: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Of fewer points than would be taken in blocks."""
    needs("z3")
    text = BEFORE.replace(
        "gs.gather %x[%i] gather_dims([0]) mode(clip)",
        "gs.scatter %x into %x[%i] scatter_dims([0]) mode(drop)",
    )
    text = text.replace(
        "(tensor<?xf32>, tensor<?x1xi32>) ->", "(tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) ->"
    ).replace("?x", "9x")
    passes = ["--gs-generalize", "--gs-bufferize", "--convert-gs-to-scf"]
    assert gs_opt.main(["--prove=timeout=20", file("a.mlir", text), *passes]) == 0
    found = capsys.readouterr().err
    assert "gs-leave-bufferization: @f: proved" in found
    assert "convert-gs-to-scf: @f: proved" in found


def test_memory_that_arguments_may_share(
    file: Any, needs: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    needs("z3")
    lines = MOVED.splitlines(keepends=True)
    lines[4:6] = lines[5:3:-1]
    after = "".join(lines)
    two = [file("a.mlir", MOVED), file("b.mlir", after)]
    for files in (two, [file("c.mlir", MOVED + "// -----\n" + after)]):
        assert gs_prove.main(files) == 2
        assert "begins at element 0 of the memory of argument 0" in capsys.readouterr().out
    said = [text.replace("xf32>,", "xf32> {llvm.noalias},") for text in (MOVED, after)]
    said = [text.replace("xf32>)", "xf32> {llvm.noalias})") for text in said]
    assert gs_prove.main([file("a.mlir", said[0]), file("b.mlir", said[1])]) == 0
