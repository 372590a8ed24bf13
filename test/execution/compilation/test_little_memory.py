"""Kernels in a process whose address space comes to its end: a MemoryError, and no end of it."""

import os
import subprocess
import sys

import pytest

_FILL = """
import resource
from pathlib import Path
import mlir_gs, numpy as np

text = '''func.func @f(%t: tensor<?xf32>, %i: tensor<?x1xi64>) -> tensor<?xf32> {
  %c = arith.constant NUMBER.0 : f32
  %r = gs.gather %t[%i] gather_dims([0]) : (tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}'''
x, i = np.arange(4, dtype=np.float32), np.array([[3], [0]])
kernels = [mlir_gs.compile(text.replace("NUMBER", "0"), threads=1)]
assert kernels[0](x, i).tolist() == [3, 0]
pages = int(Path("/proc/self/statm").read_text().split()[0])
most = pages * resource.getpagesize() + (96 << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
try:
    for number in range(1, 1000):
        kernels.append(mlir_gs.compile(text.replace("NUMBER", str(number)), threads=1))
        kernels[-1](x, i)
except MemoryError as error:
    print(len(kernels) > 1, error)
# What there is still runs.
assert kernels[0](x, i).tolist() == [3, 0]
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits an address space")
def test_an_address_space_that_is_full() -> None:
    told = subprocess.run(
        [sys.executable, "-c", _FILL],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={**os.environ, "MLIR_GS_CACHE": "off"},
    )
    wanted = "True there is no memory left to compile a kernel in\n"
    assert (told.returncode, told.stdout) == (0, wanted), told.stderr[-2000:]
