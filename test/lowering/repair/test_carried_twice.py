"""Loops that carry one value twice, one of which is written over in the next iteration."""

import mlir_gs
import numpy as np
import pytest

BODY = """
  %w = tensor.insert %y into %p[%c0] : tensor<?xf32>
  %x = tensor.extract %w[%i] : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %z = gs.generic (d0) ins(%q[d0]) outs(%e[d0]) iterators(d0 = parallel)
      : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%u: f32, %o: f32):
    %s = arith.addf %u, %x : f32
    gs.yield %s : f32
  }"""
HEAD = """
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>, %y: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>"""
FOR = f"""
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %q = INIT)
      -> (tensor<?xf32>, tensor<?xf32>) {{ {BODY}
    SAME
    scf.yield %same, %z : tensor<?xf32>, tensor<?xf32>
  }}
  return %r#0 : tensor<?xf32>
}}"""
LOOPS = {
    "for": FOR.replace("SAME", "").replace("%same", "%z"),
    "for, as a view": FOR.replace(
        "SAME",
        """
    %cast = tensor.cast %z : tensor<?xf32> to tensor<8xf32>
    %view = tensor.expand_shape %cast [[0, 1]] output_shape [2, 4]
        : tensor<8xf32> into tensor<2x4xf32>
    %row = tensor.collapse_shape %view [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    %same = tensor.cast %row : tensor<8xf32> to tensor<?xf32>""",
    ),
    "for, of a branch": FOR.replace(
        "SAME",
        """
    %late = arith.cmpi sge, %i, %c0 : index
    %same = scf.if %late -> tensor<?xf32> {
      scf.yield %z : tensor<?xf32>
    } else {
      scf.yield %z : tensor<?xf32>
    }""",
    ),
    "while": f"""
  %r:3 = scf.while (%k = %c0, %g = %a, %h = INIT)
      : (index, tensor<?xf32>, tensor<?xf32>) -> (index, tensor<?xf32>, tensor<?xf32>) {{
    %more = arith.cmpi slt, %k, %c3 : index
    scf.condition(%more) %k, %g, %h : index, tensor<?xf32>, tensor<?xf32>
  }} do {{
  ^bb0(%i: index, %p: tensor<?xf32>, %q: tensor<?xf32>): {BODY}
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %z, %z : index, tensor<?xf32>, tensor<?xf32>
  }}
  return %r#1 : tensor<?xf32>
}}""",
    "condition": f"""
  %r:3 = scf.while (%k = %c0, %g = INIT)
      : (index, tensor<?xf32>) -> (index, tensor<?xf32>, tensor<?xf32>) {{
    %more = arith.cmpi slt, %k, %c3 : index
    scf.condition(%more) %k, %g, %g : index, tensor<?xf32>, tensor<?xf32>
  }} do {{
  ^bb0(%i: index, %p: tensor<?xf32>, %q: tensor<?xf32>): {BODY}
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %z : index, tensor<?xf32>
  }}
  return %r#1 : tensor<?xf32>
}}""",
}


@pytest.mark.parametrize("init", ["%a", "%b"])
@pytest.mark.parametrize("loop", LOOPS)
def test_carried_twice(loop: str, init: str) -> None:
    a, b = np.arange(3, 11, dtype=np.float32), np.arange(8, dtype=np.float32) * 7
    p, q = a, a if init == "%a" else b
    if loop == "condition":
        p = q
    for i in range(3):
        written = p.copy()
        written[0] = 500
        p = q = q + written[i]
    text = HEAD + LOOPS[loop].replace("INIT", init)
    for options in ({"threads": 1}, {"threads": 2, "optimize": False}, {"sanitize": True}):
        np.testing.assert_array_equal(mlir_gs.compile(text, **options)(a, b, 500.0), p)
