"""What gs-compile says about command lines and modules that it cannot follow."""

from pathlib import Path

import pytest
from aot_support import ROWS, x86_linux
from mlir_gs.tools.gs_compile import main

WRONG = [
    (["-o", "kernel.exe"], "kernel.exe: expected a file name that ends in .o"),
    (["-o", "k.o", "--mcpu", "pdp-11"], "'pdp-11': expected native, x86-64"),
    (["-o", "k.o", "--mcpu", "x86-64-v3,znver3"], "several CPUs: expected some of x86-64"),
    (["-o", "k.o", "--mcpu", "x86-64-v3,x86-64"], "expected the order x86-64,x86-64-v3"),
    (["-o", "k.o", "--entry", "no"], "no function 'no' with a body: the module has rows"),
    (["-o", "k.o", "--prefix", "9"], "'9rows' is no name in C"),
    (["-o", "k.o", "--threads", "0"], "expected a number above 0"),
    (["-o", "no/such/folder/k.o"], "No such file or directory"),
    (["-o", "k.so", "--linker", "no-such-command"], "no-such-command: No such file"),
    (["-o", "k.so", "--linker", "false"], "k.so: false: failed"),
    ([], "the following arguments are required: -o"),
]


@x86_linux
@pytest.mark.parametrize(("options", "said"), WRONG, ids=[said for _, said in WRONG])
def test_what_it_says(
    options: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rows.mlir").write_text(ROWS)
    assert main(["rows.mlir", *options]) == 1
    told = capfd.readouterr().err
    assert said in told
    assert told.startswith("gs-compile: ")
    assert told.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.mlir"]
