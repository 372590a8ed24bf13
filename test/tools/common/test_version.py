"""Every tool tells its version."""

import contextlib
import re

import mlir_gs
import pytest
from mlir_gs.tools import gs_compile, gs_explore, gs_opt, gs_reduce, gs_run

TOOLS = {
    **{"gs-opt": gs_opt, "gs-run": gs_run, "gs-compile": gs_compile, "gs-reduce": gs_reduce},
    "gs-explore": gs_explore,
}


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_tells_its_version_and_that_of_mlir(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    with contextlib.suppress(SystemExit):
        TOOLS[name].main(["--version"])
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{name} {mlir_gs.__version__}"
    assert re.fullmatch(r"MLIR \d+\.\d+\.\w+ \((torch-)?mlir.*\)", second)
