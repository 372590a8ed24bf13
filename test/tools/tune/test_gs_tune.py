"""gs-tune: what it prints, and where it writes."""

import json
from pathlib import Path

import pytest
from mlir_gs.execution.tuning import measure
from mlir_gs.lowering.scf.policy import NUMBERS
from mlir_gs.lowering.scf.targets import machine
from mlir_gs.tools import gs_tune


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Arrays are small and measured once, which finds out nothing."""
    monkeypatch.setattr(measure, "_ELEMENTS", 1 << 16)
    monkeypatch.setattr(measure, "_ROUNDS", 1)
    monkeypatch.setattr(measure, "_LEAST", 0)
    monkeypatch.setattr(measure, "_LARGEST", 1 << 22)
    monkeypatch.setenv("MLIR_GS_CACHE", str(tmp_path / "kernels"))


def test_it_prints_and_keeps(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert gs_tune.main([]) == 0
    said = capfd.readouterr().out
    assert all(f" {one.name.replace('_', '-')} " in said for one in NUMBERS)
    (kept,) = (tmp_path / "kernels").glob("target-*.json")
    assert f"kept in {kept}" in said


def test_a_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.json"
    assert gs_tune.main(["-o", str(path)]) == 0
    assert f"kept in {path}" in capfd.readouterr().out
    assert json.loads(path.read_text())["facts"]
    machine(str(path))
    assert not list(tmp_path.glob("kernels/target-*.json"))


@pytest.mark.parametrize(
    ("arguments", "cache", "message"),
    [
        (["-o", "mine.txt"], None, "mine.txt: expected a file name that ends in .json"),
        (["-o", "none/mine.json"], None, "none/mine.json: No such file or directory"),
        (["x"], None, "unrecognized arguments: x (gs-tune --help)"),
        ([], "off", "MLIR_GS_CACHE is off: -o names a file instead"),
        ([], "/dev/null/x", "/dev/null/x: Not a directory: -o names a file instead"),
    ],
)
def test_what_cannot_be_done(
    arguments: list[str],
    cache: str | None,
    message: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    if cache is not None:
        monkeypatch.setenv("MLIR_GS_CACHE", cache)
    assert gs_tune.main(arguments) == 1
    assert capfd.readouterr().err == f"gs-tune: {message}\n"
