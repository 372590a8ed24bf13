"""Processes that fork after compiling, and subinterpreters."""

import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from mlir_gs.execution import compile
from sources import GATHER, scatter_add

TABLE = np.random.default_rng(0).standard_normal((1000, 64)).astype(np.float32)
IDS = np.random.default_rng(1).integers(0, 1000, 50_000)


def in_child(work: Callable[[], None], seconds: float = 60) -> None:
    """Run `work` in a fork of this process, which has to end well and in time."""
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert status == 0
            return
        time.sleep(0.01)
    os.kill(child, 9)
    os.waitpid(child, 0)
    pytest.fail("the child hangs")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("called", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_child_calls_and_compiles(threads: int, called: bool) -> None:
    kernel = compile(GATHER, threads=threads)
    expected = TABLE[IDS]

    def use() -> None:
        for _ in range(4):
            assert np.array_equal(kernel(TABLE, IDS), expected)
        with pytest.raises(ValueError, match=r"expected float32\[\?, 64\]"):
            kernel(TABLE[:, :3], IDS)

    def use_and_compile() -> None:
        use()
        another = compile(scatter_add(), threads=threads)
        assert another(TABLE, IDS[:5, None], TABLE[:5]).shape == TABLE.shape

    if called:
        # The runtime has threads then, which a child does not get.
        use()
    in_child(use_and_compile)
    use()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_while_another_thread_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    with ThreadPoolExecutor(1) as pool:
        for number in range(3):
            text = GATHER.replace("@rows", f"@rows{number}")
            compiling = pool.submit(compile, text)
            in_child(lambda text=text: assert_compiles(text))
            compiling.result()


def assert_compiles(text: str) -> None:
    assert np.array_equal(compile(text)(TABLE, IDS[:5]), TABLE[IDS[:5]])


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
