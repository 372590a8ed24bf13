"""`gs-run --check` names the strategy that a wrong result comes from."""

from collections.abc import Callable
from pathlib import Path

import pytest
from mlir_gs.dialect.generic import generic
from mlir_gs.lowering.ir.builders import arith
from mlir_gs.lowering.op.job import Job
from mlir_gs.lowering.scf.strategies.cuts import Cuts
from mlir_gs.lowering.scf.strategies.halo import Halos
from mlir_gs.lowering.scf.strategies.parts import emit_part
from mlir_gs.lowering.scf.targets import machine, without
from mlir_gs.tools.run import driver
from mlir_gs.tools.run.blame import blame

TAKE = """
func.func @take(%table: tensor<900x64xf32>, %rows: tensor<9000x1xi64>) -> tensor<9000x64xf32> {
  %r = gs.gather %table[%rows] gather_dims([0])
      : (tensor<900x64xf32>, tensor<9000x1xi64>) -> tensor<9000x64xf32>
  return %r : tensor<9000x64xf32>
}"""


@pytest.fixture
def check(tmp_path: Path, monkeypatch, capsys) -> Callable[[], tuple[int, list[str]]]:
    """The exit code of a check on two threads, and the lines that it prints of it."""
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    path = tmp_path / "take.mlir"
    path.write_text(TAKE, encoding="utf-8")

    def run() -> tuple[int, list[str]]:
        code = driver.run([str(path), "--check", "--threads=2", "--quiet"])
        lines = capsys.readouterr().out.splitlines()
        return code, [line for line in lines if line.startswith("check:")]

    return run


def _zeros(_, work, *rest) -> None:
    """Fills the output of the op with zeros."""
    output = work.job.structure.outputs[0].value
    zero = arith.constant(output.type.element_type, 0.0)
    op = generic([], [], [output], body=lambda _: zero)
    emit_part(Job.of(op), work.policy, None, [])
    op.erase()


def test_a_strategy_that_is_wrong(check, monkeypatch) -> None:
    monkeypatch.setattr(Cuts, "emit", _zeros)
    code, lines = check()
    assert code == 1
    assert lines[0].startswith("check: result 0: ")
    assert lines[1:] == ["check: equal without strategy 'cuts' of convert-gs-to-scf"]


def test_a_result_that_is_right(check) -> None:
    assert check() == (0, ["check: equal to the reference (1 result)"])


def test_what_is_said() -> None:
    assert "plain loops differ as well" in blame(lambda names: False)
    assert blame(lambda names: "cuts" in names) == (
        f"equal without strategy '{Cuts.name}' of convert-gs-to-scf"
    )
    two = {Cuts.name, Halos.name}
    assert "more than one strategy" in blame(lambda names: two <= set(names))


def test_targets_without_strategies() -> None:
    assert without("generic", []) == "generic"
    assert without("generic", ["cuts"]) == "generic:disable=cuts"
    both = without("generic:disable=halo:stream-scattered=false", ["cuts"])
    assert machine(both).disabled == ("halo", "cuts")
    assert not machine(both).policy(1).stream_scattered
