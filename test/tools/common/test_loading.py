"""--load of each tool: files that register what is theirs, and what is said of those that fail."""

from pathlib import Path

import pytest
from mlir_gs.tools import gs_opt, gs_run
from mlir_gs.tools.common.loading import VARIABLE, split_load

PASS = '''from dataclasses import dataclass
from typing import ClassVar

from mlir_gs.lowering import register_pass


@register_pass
@dataclass(frozen=True)
class Named{number}:
    """Says that it ran."""

    name: ClassVar[str] = "say-{number}"

    def run(self, module):
        print("ran {number}")
'''
TEXT = "func.func @f(%x: f32) -> f32 {\n  return %x : f32\n}\n"


@pytest.fixture
def text(tmp_path: Path) -> str:
    (tmp_path / "a.mlir").write_text(TEXT)
    return str(tmp_path / "a.mlir")


def _pass(folder: Path, number: int) -> str:
    file = folder / f"loaded_by_test_{number}.py"
    file.write_text(PASS.format(number=number))
    return str(file)


def test_flag(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _pass(tmp_path, 1)
    assert gs_opt.main([f"--load={file}", "--load", file, text, "--say-1"]) == 0
    assert "ran 1" in capsys.readouterr().out


def test_variable(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, _pass(tmp_path, 2))
    assert gs_run.main([text, "--args", "2.0", "--pass-pipeline", "say-2"]) == 0
    assert "ran 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("x = 1\ny = x / 0\n", "wrong.py:2: ZeroDivisionError: division by zero"),
        ("def f(:\n", "wrong.py:1: SyntaxError"),
        ("import nothing_of_that_name\n", "wrong.py:1: ModuleNotFoundError"),
        (None, "wrong.py: no such file"),
    ],
)
def test_wrong_files(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, said: str
) -> None:
    if body is not None:
        (tmp_path / "wrong.py").write_text(body)
    assert gs_opt.main(["--load", str(tmp_path / "wrong.py"), text]) == 1
    found = capsys.readouterr().err
    assert said in found
    assert "Traceback" not in found


def test_a_name_that_is_taken(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "json.py").write_text("")
    assert gs_opt.main(["--load", str(tmp_path / "json.py"), text]) == 1
    assert "there is a module 'json' already" in capsys.readouterr().err


def test_words_behind_the_end_of_flags() -> None:
    assert split_load(["a", "--load=b", "--", "--load", "c"]) == (["a", "--", "--load", "c"], ["b"])
