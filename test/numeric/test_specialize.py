"""Some of what fuzz_specialize.py runs by the thousand, and what it found."""

import numpy as np
from fuzz_specialize import check
from harness import parsed
from mlir_gs import execution, lowering
from program import Program

SCALAR = """
func.func @f(%u: tensor<?xf32>, %i: tensor<i64>, %y: tensor<40xf32>) -> tensor<40xf32> {
  %r = gs.generic (d0) [s0 = %i[]] ins(%u[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<?xf32>, tensor<i64>, tensor<40xf32>) -> tensor<40xf32> {
  ^bb0(%a: f32, %o: f32):
    gs.yield %a : f32
  }
  return %r : tensor<40xf32>
}
"""


def test_forms_of_named_ops() -> None:
    found = [check(seed) for seed in range(160)]
    assert not any(wrong for _, wrong in found), [wrong for _, wrong in found if wrong]
    names = {name for name, _ in found}
    assert {"gather", "scatter", "gather_elements", "scatter_elements", "strided_slice"} <= names


def test_a_scalar_index_has_no_named_op() -> None:
    program = Program("gs.generic", "", SCALAR, (), lambda: (), True)
    module = parsed([program])
    lowering.run_pipeline(module, "builtin.module(gs-specialize)")
    kernel = execution.compile(str(module), threads=1)
    y = kernel(np.arange(3, dtype=np.float32), np.array(7), np.zeros(40, np.float32))
    assert y[7] == 2
    assert np.count_nonzero(y) == 1
