"""Digests of loops: one for each machine and number of threads, and what is said of two sets."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TEXTS = {
    "rows": """
func.func @f(%t: tensor<?x64xf32>, %i: tensor<?x1xi64>) -> tensor<?x64xf32> {
  %r = gs.gather %t[%i] gather_dims([0])
      : (tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}""",
    "wrong": "func.func @f() -> tensor<4xf32> {",
}


@pytest.fixture
def digests(load: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch) -> Any:
    module = load("digests")
    monkeypatch.setattr(module, "inputs", lambda: iter(TEXTS.items()))
    return module


def test_one_for_each_machine_and_number_of_threads(digests: Any) -> None:
    found = digests.digests(None)
    assert found.pop("wrong any any").startswith("refused ")
    # Loops of each machine, and the LLVM IR of one.
    assert len(found) == (len(digests.MACHINES) + 1) * len(digests.THREADS)
    assert found["rows zen4 1"] != found["rows zen4 2"]
    assert found["rows zen4 1"] != found["rows cascade-lake 1"]
    assert found == {k: v for k, v in digests.digests(None).items() if k in found}


def test_what_a_change_touches(
    digests: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def run(*arguments: str) -> int:
        monkeypatch.setattr("sys.argv", ["digests.py", *arguments])
        return digests.main()

    before, after = str(tmp_path / "before"), str(tmp_path / "after")
    assert run(before, "--ir", str(tmp_path / "ir")) == 0
    assert "memref.load" in (tmp_path / "ir" / "rows_zen4_1.mlir").read_text()
    assert run(after, "--against", before) == 0
    monkeypatch.setitem(TEXTS, "rows", TEXTS["rows"].replace("f32", "f64"))
    monkeypatch.setitem(TEXTS, "more", TEXTS["wrong"])
    assert run(after, "--against", before) == 1
    told = capsys.readouterr().out
    assert "changed rows zen4 1\n" in told
    assert "new more any any\n" in told
    assert "wrong" not in told
