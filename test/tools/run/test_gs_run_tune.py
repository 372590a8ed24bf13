"""gs-run --tune: what was tried is printed, and results are right."""

from pathlib import Path

import pytest
from mlir_gs.execution.compilation import tuned
from mlir_gs.lowering.scf.policy import Policy
from mlir_gs.lowering.scf.targets import machine
from mlir_gs.tools import gs_run

ROWS = """
func.func @rows(%t: tensor<?x4xf32>, %i: tensor<?x1xi64>) -> tensor<?x4xf32> {
  %r = gs.gather %t[%i] gather_dims([0]) : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""


def test_what_was_tried(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLIR_GS_CACHE", str(tmp_path / "kernels"))
    monkeypatch.setattr(tuned, "_TURN", 0)
    source = tmp_path / "rows.mlir"
    source.write_text(ROWS)
    command = [str(source), "--tune", "--check", "--quiet", "--target=generic:disable=streaming"]
    assert gs_run.main(command) == 0
    said = capfd.readouterr().out
    lines = [line.split() for line in said.splitlines() if line.startswith("tune: ")]
    assert len(lines) > 3
    for _, _, unit, target in lines:
        assert unit == "ms"
        assert "streaming" in machine(target).disabled
    assert "check: equal to the reference" in said
    assert gs_run.main(command) == 0
    assert capfd.readouterr().out == said


def test_every_choice_is_a_target() -> None:
    for choice in tuned.choices(Policy(), ordered=True):
        assert machine(tuned._with("generic:row-ahead=64:disable=strips", choice))
