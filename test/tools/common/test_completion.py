"""The completion scripts are read by the shells, and complete."""

import contextlib
import re
import shutil
import subprocess

import mlir_gs
import pytest
from mlir_gs.tools import gs_compile, gs_explore, gs_opt, gs_reduce, gs_run

SHELLS = [shell for shell in ("bash", "zsh", "fish") if shutil.which(shell)]


def script(capsys: pytest.CaptureFixture[str], tool, shell: str) -> str:
    try:
        code = tool.main([f"--completion={shell}"])
    except SystemExit as stop:
        code = stop.code or 0
    assert code == 0
    return capsys.readouterr().out


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


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_reads_the_script(capsys: pytest.CaptureFixture[str], tool, shell: str) -> None:
    text = script(capsys, tool, shell)
    assert "--completion" in text or "-l completion" in text
    if shell in SHELLS:
        subprocess.run([shell, "-n"], input=text, text=True, check=True)


@pytest.mark.skipif("bash" not in SHELLS, reason="no bash")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("gs-opt --gs-gen", {"--gs-generalize"}),
        (
            "gs-opt --mlir-print-ir-before",
            {"--mlir-print-ir-before=", "--mlir-print-ir-before-all"},
        ),
        ("gs-opt --verify-diagnostics=o", {"only-expected"}),
        ("gs-opt --verify-e", {"--verify-each"}),
    ],
)
def test_bash_completes(capsys: pytest.CaptureFixture[str], line: str, expected: set[str]) -> None:
    text = script(capsys, gs_opt, "bash")
    word = line.split()[-1]
    ask = f"""{text}
compopt() {{ :; }}
COMP_LINE={line!r} COMP_POINT={len(line)} COMP_WORDS=(gs-opt {word!r}) COMP_CWORD=1
_gs_opt
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    found = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
    assert set(found.stdout.split()) == expected


def test_wrong_shell(capsys: pytest.CaptureFixture[str]) -> None:
    assert gs_opt.main(["--completion=tcsh"]) == 1
    assert "tcsh" in capsys.readouterr().err
