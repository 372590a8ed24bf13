"""Quotients of the least number, which has no opposite."""

import numpy as np
import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.dialect.reference.run import run

LEAST = -(2**63)
WANTED = {
    "divsi": [LEAST // 2, 0, -2, 2],
    "ceildivsi": [LEAST // 2, 0, -2, 3],
    "floordivsi": [LEAST // 2, -1, -3, 2],
}


@pytest.mark.parametrize("op", WANTED)
def test_quotients(op: str) -> None:
    text = f"""
func.func @f(%a: tensor<4xi64>, %b: tensor<4xi64>) -> tensor<4xi64> {{
  %0 = arith.{op} %a, %b : tensor<4xi64>
  return %0 : tensor<4xi64>
}}
"""
    with dialect.context() as context, ir.Location.unknown():
        module = ir.Module.parse(text, context)
        (found,) = run(module, "f", [np.array([LEAST, 1, -5, 5]), np.array([2, LEAST, 2, 2])])
    assert found.tolist() == WANTED[op]
