"""JAX's gathers and scatters to gs and back to StableHLO, which XLA runs: the values are JAX's.

`python test/frontend/stablehlo/test_jax_to_stablehlo.py 10` runs every tenth program, `1` all.
"""

import sys

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("jax.extend")

from jax_indexing import Case, cases  # noqa: E402  (after importorskip)
from mlir_gs import dialect, parse, run_pipeline  # noqa: E402  (after importorskip)

BACK = "builtin.module(convert-stablehlo-to-gs,gs-specialize,convert-gs-to-stablehlo)"


def check(case: Case) -> str:
    """What is wrong with a program; empty if nothing is."""
    arguments = [jax.numpy.asarray(each) for each in case.arguments]
    lowered = jax.jit(case.function, keep_unused=True).lower(*arguments)
    wanted = jax.tree.leaves(jax.jit(case.function)(*arguments))
    with dialect.context():
        module = parse(lowered.as_text())
        try:
            run_pipeline(module, BACK)
        except Exception as error:
            return str(error).partition("error: ")[2].partition("\n")[0]
        text = str(module)
    if any(f"{name}." in text for name in ("gs", "tensor", "linalg", "arith", "scf")):
        return f"ops of other dialects are left: {text}"
    found = _run(text, arguments)
    pairs = zip(found, wanted, strict=True)
    same = all(np.array_equal(a, b, equal_nan=b.dtype.kind in "fc") for a, b in pairs)
    return "" if same else f"{found}, expected {wanted}"


def _run(text: str, arguments: list) -> list:
    """By XLA; JAX has no public way to it for a text."""
    from jax._src.interpreters import mlir
    from jax._src.lib import xla_client
    from jaxlib.mlir import ir

    backend = jax.extend.backend.get_backend("cpu")
    devices = xla_client.DeviceList(tuple(backend.local_devices()[:1]))
    with mlir.make_ir_context():
        module = ir.Module.parse(text)
    made = backend.compile_and_load(module, devices, xla_client.CompileOptions())
    results = made.execute_sharded(arguments).disassemble_into_single_device_arrays()
    return [np.asarray(one) for (one,) in results]


@pytest.mark.parametrize("case", list(cases())[::61], ids=lambda case: case.name)
def test_jax_comes_back(case: Case) -> None:
    with jax.enable_x64(True):
        assert check(case) == ""


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    every = list(cases())[:: int(sys.argv[1])]
    wrong = 0
    for number, case in enumerate(every, 1):
        why = check(case)
        wrong += bool(why)
        if why:
            print(f"{case.name}: {why}", flush=True)
        if number % 50 == 0 or number == len(every):
            print(f"{number} programs, {number - wrong} equal", flush=True)
    sys.exit(bool(wrong))
