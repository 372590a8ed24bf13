"""Limits hold: time, sizes of real models, terms that would be large written out."""

import os
import time

import pytest

pytest.importorskip("z3")

import numpy as np
import z3
from mlir_gs.dialect import context
from mlir_gs.frontend.parse import parse
from mlir_gs.prove.prove import Answer, prove
from mlir_gs.prove.solver import ended

_SECONDS = 3
# One op of the reference may be in the middle of it.
_SLACK = 3

DOUBLED = "\n".join(f"  %a{n + 1} = arith.addf %a{n}, %a{n} : f32" for n in range(40))
DOUBLED = f"func.func @f(%a0: f32) -> f32 {{\n{DOUBLED}\n  return %a40 : f32\n}}\n"
LONG = """func.func @f(%x: tensor<?xi32>, %k: i32) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<?xi32>) {
    %v = tensor.extract %t[%c0] : tensor<?xi32>
    %w = arith.addi %v, %k : i32
    %u = tensor.insert %w into %t[%c0] : tensor<?xi32>
    scf.yield %u : tensor<?xi32>
  }
  return %r : tensor<?xi32>
}
"""
EMBEDDING = """func.func @f(%x: tensor<30522x384xf32>, %i: tensor<8x128x1xi32>)
    -> tensor<8x128x384xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<30522x384xf32>, tensor<8x128x1xi32>) -> tensor<8x128x384xf32>
  %z = arith.constant dense<2.0> : tensor<8x128x384xf32>
  %s = arith.mulf %r, %z : tensor<8x128x384xf32>
  return %s : tensor<8x128x384xf32>
}
"""
HUGE = """func.func @f(%x: tensor<65536x65536xf32>) -> tensor<65536x65536xf32> {
  %r = arith.addf %x, %x : tensor<65536x65536xf32>
  return %r : tensor<65536x65536xf32>
}
"""
CUT = """func.func @f(%x: tensor<?xi32>, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : index
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %y) -> (i32) {
    %v = tensor.extract %x[%i] : tensor<?xi32>
    %w = arith.maxsi %t, %v : i32
    scf.yield %w : i32
  }
  return %r : i32
}
"""
WIDE = """func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %i: index, %w: vector<256xi32>) {
  %a = vector.load %x[%i] : memref<?xi32>, vector<256xi32>
  %b = vector.load %y[%i] : memref<?xi32>, vector<256xi32>
  %c = arith.muli %a, %b : vector<256xi32>
  %d = arith.addi %c, %w : vector<256xi32>
  vector.store %d, %y[%i] : memref<?xi32>, vector<256xi32>
  return
}
"""
BRANCH = """
  %n{0} = arith.constant {0} : i32
  %c{0} = arith.cmpi slt, %a{0}, %n{0} : i32
  %a{1} = scf.if %c{0} -> (i32) {{
    %p = arith.addi %a{0}, %k : i32
    scf.yield %p : i32
  }} else {{
    %q = arith.muli %a{0}, %k : i32
    scf.yield %q : i32
  }}"""
BRANCHES = "".join(BRANCH.format(n, n + 1) for n in range(60))
BRANCHES = f"func.func @f(%a0: i32, %k: i32) -> i32 {{{BRANCHES}\n  return %a60 : i32\n}}\n"


def _answer(before: str, old: str, new: str) -> Answer:
    assert old in before
    with context():
        start = time.monotonic()
        answer = prove(parse(before), parse(before.replace(old, new)), "f", _SECONDS)
        assert time.monotonic() - start < _SECONDS + _SLACK
        return answer


def test_terms_are_graphs() -> None:
    once = "%a8 = arith.addf %a7, %a7"
    assert _answer(DOUBLED, once, f"{once} fastmath<none>").status == "proved"
    assert _answer(DOUBLED, once, once.replace("add", "mul")).status == "refuted"


def test_a_loop_of_many_steps() -> None:
    assert _answer(LONG, "arith.addi %v, %k", "arith.addi %k, %v").status == "proved"
    assert _answer(LONG, "arith.addi", "arith.subi").status == "unknown"


@pytest.mark.parametrize("change", [(" mode(clip)", ""), ("arith.mulf", "arith.addf")])
def test_sizes_of_a_model(change: tuple[str, str]) -> None:
    answer = _answer(EMBEDDING, *change)
    assert answer.status == "refuted"
    assert answer.counterexample.arguments[0].shape == (30522, 384)
    assert answer.counterexample.arguments[1].shape == (8, 128, 1)


def test_right_at_sizes_of_a_model() -> None:
    assert _answer(EMBEDDING, "arith.mulf %r, %z", "arith.mulf %z, %r").status == "proved"


def test_sizes_that_nothing_holds() -> None:
    """Smaller functions tell what is wrong, which is no counterexample."""
    answer = _answer(HUGE, "arith.addf", "arith.subf")
    assert answer.status == "unknown"
    found = answer.counterexample
    assert found.is_of_small_sizes
    assert not np.array_equal(found.before.arrays[0], found.after.arrays[0])


def test_a_size_of_eight() -> None:
    """No number of the text but 7, as what is lost begins behind it."""
    cut = "  %m = arith.minsi %n, %seven : index\n  %r = scf"
    changed = CUT.replace("%c0 to %n", "%c0 to %m").replace("  %r = scf", cut)
    assert _answer(CUT, CUT, changed).status == "refuted"


def test_lanes_that_no_small_argument_holds() -> None:
    assert _answer(WIDE, "arith.muli %a, %b", "arith.muli %b, %a").status == "proved"
    assert _answer(WIDE, "arith.addi %c, %w", "arith.subi %c, %w").status == "refuted"


def test_branches_in_a_row() -> None:
    assert _answer(BRANCHES, "arith.muli %a30, %k", "arith.muli %k, %a30").status == "proved"
    assert _answer(BRANCHES, "slt, %a30", "ult, %a30").status != "proved"


def test_questions_after_a_fork() -> None:
    assert ended(lambda: z3.unsat, _SECONDS) == z3.unsat
    child = os.fork()
    if not child:
        found = None
        try:
            found = ended(lambda: z3.sat, _SECONDS)
        finally:
            os._exit(found != z3.sat)
    assert os.waitpid(child, 0)[1] == 0
