"""Numbers of threads that are none, or more than there can be, by argument and by environment."""

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from mlir_gs.execution import compile
from mlir_gs.execution.machine import openmp
from mlir_gs.tools import gs_compile, gs_run
from sources import GATHER

TABLE = np.ones((4, 64), np.float32)
NO_INTEGERS = [1.5, 2.0, "2", b"2", True, False, np.True_, np.float32(2), [2], "x" * 5000]


@pytest.mark.parametrize("threads", NO_INTEGERS, ids=str)
def test_what_is_no_integer(threads: Any) -> None:
    with pytest.raises(TypeError, match=r"^threads: expected an integer, found [^\n]{1,100}$"):
        compile(GATHER, threads=threads)


@pytest.mark.parametrize("threads", [0, -1, np.int8(-1), -(1 << 70), -(10**5000)], ids=type)
def test_too_few(threads: Any) -> None:
    with pytest.raises(ValueError, match=r"^threads: expected 1 or more, found [^\n]{1,100}$"):
        compile(GATHER, threads=threads)


@pytest.mark.parametrize("threads", [1, np.int64(3), np.array(2), np.uint8(200)], ids=repr)
def test_integers(threads: Any) -> None:
    assert openmp.wanted_threads(threads) == int(threads)


@pytest.mark.parametrize("threads", [100_000, 2**31 - 1, 2**40, 2**64, 10**5000], ids=type)
def test_more_than_there_can_be(threads: int) -> None:
    assert openmp.wanted_threads(threads) == openmp.MOST_THREADS


RUN = f"""
import numpy as np
from mlir_gs.execution import compile
ids = np.arange(600_000) % 4
table = np.arange(256, dtype=np.float32).reshape(4, 64)
assert np.array_equal(compile('''{GATHER}''', threads=THREADS)(table, ids), table[ids])
"""


@pytest.mark.parametrize("mode", ["promise_in_bounds", "error"])
def test_kernels_of_more_threads_than_there_can_be(mode: str) -> None:
    text = f"""func.func @f(%t: tensor<?x2xf32>, %i: tensor<?x1xi64>) -> tensor<?x2xf32> {{
      %r = gs.gather %t[%i] gather_dims([0]) mode({mode})
          : (tensor<?x2xf32>, tensor<?x1xi64>) -> tensor<?x2xf32>
      return %r : tensor<?x2xf32>
    }}"""
    table, ids = np.arange(20, dtype=np.float32).reshape(10, 2), np.arange(600_000) % 10
    for threads in (100_000, 2**31 - 1, 2**40):
        kernel = compile(text, threads=threads)
        for count in (1, len(ids)):
            found = kernel(table, ids[:count, None])
            assert np.array_equal(found, table[ids[:count]])


VARIABLES = [
    "OMP_NUM_THREADS=100000",
    "OMP_NUM_THREADS=2147483647",
    "OMP_NUM_THREADS=99999999999999999999999",
    "OMP_NUM_THREADS=2,2147483647",
    "OMP_NUM_THREADS=" + "9" * 5000,
    "OMP_NUM_THREADS=1099511627776",
    "OMP_NUM_THREADS=1.5",
    "OMP_NUM_THREADS=-1",
    "OMP_NUM_THREADS=x",
    "OMP_THREAD_LIMIT=1",
    "OMP_STACKSIZE=100000G",
    "OMP_STACKSIZE=99999999999999999999",
    "KMP_STACKSIZE=900 gb",
    "KMP_STACKOFFSET=999G",
    "OMP_STACKSIZE=x",
]


@pytest.mark.parametrize("variable", VARIABLES, ids=lambda text: text[:40])
def test_a_kernel_runs(variable: str) -> None:
    threads = "None" if variable.startswith("OMP_NUM") else "2147483647"
    name, _, value = variable.partition("=")
    told = subprocess.run(
        [sys.executable, "-c", RUN.replace("THREADS", threads)],
        env={**os.environ, name: value},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "x", "", "9" * 5000, "²"], ids=lambda t: t[:9])
@pytest.mark.parametrize("tool", [gs_run, gs_compile])
def test_flags(tool: Any, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert tool.main(["nothing.mlir", "-o", "nothing.o", f"--threads={text}"]) == 1
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert "internal" not in told
