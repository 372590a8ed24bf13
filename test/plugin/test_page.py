"""The command of docs/plugin.md for mlir-opt, and its table of versions."""

import os
import re
import subprocess
import sysconfig
from pathlib import Path

from stock import ROOT, Stock

PAGE = (ROOT / "docs/plugin.md").read_text("utf-8")
ROWS = (ROOT / "examples/rows.mlir").read_text("utf-8")


def test_the_command_for_mlir_opt(stock: Stock) -> None:
    found = re.search(r"test_page.py -->\n```sh\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    command = found[1].replace("plugin=build/plugin/libMlirGs.so", f"plugin={stock.plugin}")
    path = os.pathsep.join([str(stock.prefix / "bin"), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed = done.stdout.splitlines()
    assert [each for each in found[2].splitlines() if each not in (*printed, "...")] == []


def test_who_reads_whose_bytecode(stock: Stock) -> None:
    """As the page has it."""
    major = stock.opt("", "--version").stdout.partition("LLVM version ")[2].partition(".")[0]
    row = re.search(rf"^\| {major}\.\d \| 24 \| read \| (\w+)", PAGE, re.MULTILINE)
    assert row is not None
    opt = str(stock.prefix / "bin/mlir-opt")
    gs_opt = str(Path(sysconfig.get_path("scripts"), "gs-opt"))

    def through(*commands: list[str]) -> int:
        data = ROWS.encode()
        for command in commands:
            done = subprocess.run(command, input=data, capture_output=True, check=False)
            data = done.stdout
        return done.returncode

    assert through([opt, "--emit-bytecode"], [gs_opt]) == (row[1] != "read")
    passes = ["--convert-tensor-to-gs", "--gs-generalize", "--convert-gs-to-linalg"]
    assert through([gs_opt, "--emit-bytecode", *passes], [opt]) != 0
    assert through([gs_opt, "--mlir-print-op-generic"], [opt]) == 0
    assert through([opt, "--mlir-print-op-generic"], [gs_opt]) == 0
