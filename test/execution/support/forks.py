"""Forks of a process that has compiled: run by test_processes.py in a process of its own.

A fork of pytest's process would be a fork of JAX and torch too, which do not survive one.
"""

import faulthandler
import os
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import mlir_gs
import numpy as np
import pytest
from sources import GATHER, scatter_add

TABLE = np.random.default_rng(0).standard_normal((1000, 64)).astype(np.float32)
IDS = np.random.default_rng(1).integers(0, 1000, 50_000)


def in_child(
    work: Callable[[], None], seconds: float = 60, after: Callable[[], None] | None = None
) -> None:
    """Run `work` in a fork of this process, which has to end well and in time; `after` here."""
    child = os.fork()
    if child == 0:
        # It says where it hangs.
        faulthandler.dump_traceback_later(seconds)
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    if after is not None:
        after()
    until = time.monotonic() + seconds + 1
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert status == 0
            return
        time.sleep(0.01)
    os.kill(child, 9)
    os.waitpid(child, 0)
    raise AssertionError("the child hangs")


def refuses(kernel: Callable[..., object]) -> None:
    with pytest.raises(ValueError, match=r"expected float32\[\?, 64\]"):
        kernel(TABLE[:, :3], IDS)


def call_and_compile(threads: int, called: bool) -> None:
    """The child calls its parent's kernel and compiles one; the parent goes on afterwards."""
    kernel = mlir_gs.compile(GATHER, threads=threads)
    expected = TABLE[IDS]

    def use() -> None:
        for _ in range(4):
            assert np.array_equal(kernel(TABLE, IDS), expected)
        refuses(kernel)

    def use_and_compile() -> None:
        use()
        another = mlir_gs.compile(scatter_add(), threads=threads)
        assert another(TABLE, IDS[:5, None], TABLE[:5]).shape == TABLE.shape

    if called:
        # The runtime has threads then, which a child does not get.
        use()
    in_child(use_and_compile)
    use()


def while_another_thread_compiles() -> None:
    def compiles(text: str) -> None:
        assert np.array_equal(mlir_gs.compile(text)(TABLE, IDS[:5]), TABLE[IDS[:5]])

    with ThreadPoolExecutor(1) as pool:
        for number in range(3):
            text = GATHER.replace("@rows", f"@rows{number}")
            compiling = pool.submit(mlir_gs.compile, text)
            in_child(lambda text=text: compiles(text))
            compiling.result()


if __name__ == "__main__":
    if sys.argv[1] == "call":
        call_and_compile(threads=int(sys.argv[2]), called=sys.argv[3] == "True")
    else:
        while_another_thread_compiles()
    print("done")
