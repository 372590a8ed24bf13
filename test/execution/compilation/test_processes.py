"""Processes that fork after compiling, and subinterpreters."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parents[1] / "support"
FORKS = SUPPORT / "forks.py"
STAGES = SUPPORT / "fork_stages.py"
INTERRUPTS = SUPPORT / "interrupted_compile.py"


def run_forks(*arguments: str) -> None:
    found = subprocess.run(
        [sys.executable, str(FORKS), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (found.returncode, found.stdout) == (0, "done\n"), found.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_child_calls_and_compiles(threads: int, called: bool) -> None:
    run_forks("call", str(threads), str(called))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_while_another_thread_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    run_forks("compiling")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("arguments", [["--locks"], ["--count", "2", "--seed", "5"]])
def test_a_fork_waits_for_every_lock(arguments: list[str]) -> None:
    command = [sys.executable, str(STAGES), *arguments]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert told.returncode == 0, told.stdout + told.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_interrupts_while_a_kernel_is_compiled() -> None:
    command = [sys.executable, str(INTERRUPTS), "--count", "6", "--seed", "2"]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert told.returncode == 0, told.stdout + told.stderr


def test_subinterpreters_are_refused() -> None:
    module = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    if sys.implementation.name != "cpython":
        pytest.skip("CPython's")
    script = f"""
import {module} as interpreters
one = interpreters.create()
found = interpreters.run_string(one, '''
for name in ("mlir_gs", "mlir_gs.dialect", "mlir_gs.execution"):
    try:
        __import__(name)
    except ImportError as error:
        print(error)
''')
import mlir_gs.dialect
print("fine")
"""
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    refused = "mlir_gs cannot be used in a subinterpreter: import it in the main one"
    assert found.stdout.splitlines() == [refused, refused, refused, "fine"], found.stderr
