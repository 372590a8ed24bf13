"""The target that a user gives: to `compile`, to gs-run and to gs-compile."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from aot_support import ROWS
from mlir_gs.execution import CompileError, compile, lowered
from mlir_gs.execution.aot import aot
from mlir_gs.execution.compilation.source import parse
from mlir_gs.execution.disk import cached
from mlir_gs.execution.machine import cpu, host
from mlir_gs.lowering import ConvertGsToScf
from mlir_gs.tools import gs_compile, gs_run

TABLE = np.arange(24, dtype=np.float32).reshape(6, 4)
IDS = np.array([[5], [0], [5]])
UNKNOWN = "no target 'genric'; did you mean 'generic'?; a file's name ends in .json"


@pytest.fixture
def targets(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What loops were made for since."""
    found: list[str] = []
    real = ConvertGsToScf.run

    def noted(instance: ConvertGsToScf, module: Any) -> None:
        found.append(instance.target)
        real(instance, module)

    monkeypatch.setattr(ConvertGsToScf, "run", noted)
    return found


def test_compile(targets: list[str], place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(host.VARIABLE, "neon")
    for given in ("generic:stream-scattered=false", None):
        np.testing.assert_array_equal(compile(ROWS, target=given)(TABLE, IDS), TABLE[IDS[:, 0]])
    native = ":".join(["generic", *host.native()])
    # The code for strided arrays is compiled when one comes.
    kernel = compile(ROWS, target="native:read-ahead=64")
    np.testing.assert_array_equal(kernel(TABLE[::-1], IDS), TABLE[::-1][IDS[:, 0]])
    assert targets == ["generic:stream-scattered=false", "neon", *[f"{native}:read-ahead=64"] * 2]


def test_a_file(targets: list[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('{"facts": {"vector_bytes": 32}}')
    np.testing.assert_array_equal(compile(ROWS, target=f"{path}")(TABLE, IDS), TABLE[IDS[:, 0]])
    assert targets == [str(path)]


def test_kernels_on_the_disk(place: Path, builds: Callable[[], int]) -> None:
    for given, count in (
        ("generic", 1),
        ("generic", 1),
        ("generic:stream-scattered=false", 2),
        (None, 3),
    ):
        compile(ROWS, target=given)
        assert builds() == count
    assert cached.key(ROWS, None, False, 1, target="generic") == cached.key(
        ROWS, None, False, 1, target="generic:stream-scattered=true"
    )


@pytest.mark.parametrize("cache", ["", "off"])
def test_one_that_there_is_not(cache: str, monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    monkeypatch.setenv("MLIR_GS_CACHE", cache or str(place))
    with pytest.raises(CompileError, match=r"^target: no target 'genric'; did you mean 'generic'"):
        compile(ROWS, target="genric")
    with pytest.raises(CompileError, match=r"^target: a target has no 'stream-scatter'; did you"):
        compile(ROWS, target="native:stream-scatter=true")
    with pytest.raises(CompileError, match=r"^target: no target ''"):
        lowered(parse(ROWS), "rows", target="")


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ([], "portable"),
        (["--mcpu=native"], "native"),
        (["--target=zen4"], "zen4"),
        (
            ["--mcpu=x86-64-v2,x86-64-v4", "--target=zen4:stream-scattered=true"],
            "zen4:stream-scattered=true",
        ),
    ],
)
def test_gs_compile(
    options: list[str], wanted: str, targets: list[str], tmp_path: Path, monkeypatch: Any
) -> None:
    if "v4" in str(options) and not aot.default_cpus()[0].startswith("x86"):
        pytest.skip("the CPU levels of gs-compile are for x86-64")
    monkeypatch.setenv(host.VARIABLE, "cascade-lake")
    source = tmp_path / "rows.mlir"
    source.write_text(ROWS)
    assert gs_compile.main([str(source), "-o", str(tmp_path / "rows.o"), *options]) == 0
    spelled = {"portable": host.portable(cpu.is_x86()), "native": "cascade-lake"}.get(
        wanted, wanted
    )
    assert set(targets) == {spelled}


def test_gs_run(targets: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "rows.mlir"
    source.write_text(ROWS)
    assert (
        gs_run.main([str(source), "--target=generic:stream-scattered=false", "--check", "--time=1"])
        == 0
    )
    assert "check: equal to the reference" in capfd.readouterr().out
    assert set(targets[:1] + targets[-1:]) == {"generic:stream-scattered=false"}


@pytest.mark.parametrize("tool", [gs_run, gs_compile], ids=["gs-run", "gs-compile"])
def test_tools_say_it(tool: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "rows.mlir"
    source.write_text(ROWS)
    outputs = ["-o", str(tmp_path / "rows.o")] if tool is gs_compile else []
    assert tool.main([str(source), "--target=genric", *outputs]) == 1
    name = tool.__name__.rpartition(".")[2].replace("_", "-")
    assert capfd.readouterr().err == f"{name}: target: {UNKNOWN}\n"
    with pytest.raises(SystemExit):
        tool.main(["--help"])
    helped = capfd.readouterr().out
    assert " --target=" in helped.partition("examples:")[2]
