"""Single f16 elements, read without waiting for what was computed in their register."""

import numpy as np
import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import compile
from mlir_gs.execution.compilation import lower
from mlir_gs.frontend.parse import parse

ADD = """
func.func @add(%updates: tensor<?xf16>, %dest: tensor<?xf16>, %ids: tensor<?x1xi64>)
    -> tensor<?xf16> {{
  %sums = gs.scatter %updates into %dest[%ids] scatter_dims([0])
      : (tensor<?xf16>, tensor<?xf16>, tensor<?x1xi64>) -> tensor<?xf16> {{
  ^bb0(%current: f16, %update: f16):
    %new = arith.{op} %current, %update : f16
    gs.yield %new : f16
  }}
  return %sums : tensor<?xf16>
}}
"""


def _asm(op: str) -> int:
    """How many values go through a register for integers."""
    module = lower.lowered(parse(ADD.format(op=op), dialect.context()), "add", threads=1)
    with module.context, ir.Location.unknown():
        assert module.operation.verify()
    return str(module).count("llvm.inline_asm")


@pytest.mark.parametrize(("op", "apart"), [("addf", True), ("mulf", True), ("maximumf", False)])
def test_elements_that_are_computed_with(monkeypatch, op, apart):
    monkeypatch.setattr(lower, "target_features", lambda **_: "+f16c,-avx512fp16")
    assert (_asm(op) > 0) == apart


@pytest.mark.parametrize("features", ["+prefer-no-gather", None])
def test_a_cpu_that_computes_with_halves(monkeypatch, features):
    monkeypatch.setattr(lower, "target_features", lambda **_: features)
    assert _asm("addf") == 0


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 1000])
def test_sums_are_those_of_the_loop(count):
    rng = np.random.default_rng(count)
    updates = rng.standard_normal(count).astype(np.float16)
    dest = rng.standard_normal(7).astype(np.float16)
    ids = rng.integers(0, 7, (count, 1))
    expected = dest.copy()
    for update, place in zip(updates, ids[:, 0], strict=True):
        expected[place] += update
    found = compile(ADD.format(op="addf"))(updates, dest, ids)
    assert found.tobytes() == expected.tobytes()
