"""Kernels that call themselves, or that what they call calls."""

import mlir_gs
import numpy as np
import pytest

FACTORIAL = """func.func @f(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %b = arith.cmpi sle, %n, %c1 : i32
  %r = scf.if %b -> i32 {
    scf.yield %c1 : i32
  } else {
    %m = arith.subi %n, %c1 : i32
    %q = func.call @CALLEE(%m) : (i32) -> i32
    %p = arith.muli %q, %n : i32
    scf.yield %p : i32
  }
  return %r : i32
}
"""
THROUGH = """func.func private @f_0(%n: i32) -> i32 {
  %r = func.call @f(%n) : (i32) -> i32
  return %r : i32
}
"""
COUNT = """func.func @f(%x: TYPE, %i: index) -> TYPE {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : TYPE
  %b = arith.cmpi slt, %i, %n : index
  %r = scf.if %b -> TYPE {
    %v = arith.index_cast %i : index to i32
    %y = tensor.insert %v into %x[%i] : TYPE
    %j = arith.addi %i, %c1 : index
    %q = func.call @f(%y, %j) : (TYPE, index) -> TYPE
    scf.yield %q : TYPE
  } else {
    scf.yield %x : TYPE
  }
  return %r : TYPE
}
""".replace("TYPE", "tensor<?xi32>")


@pytest.mark.parametrize("callee", ["f", "f_0"])
def test_of_numbers(callee: str) -> None:
    text = FACTORIAL.replace("CALLEE", callee) + (THROUGH if callee == "f_0" else "")
    assert mlir_gs.compile(text, entry="f")(np.int32(6)) == 720


def test_through_an_address() -> None:
    call = "%a = func.constant @f : (i32) -> i32\n  %q = func.call_indirect %a(%m)"
    text = FACTORIAL.replace("%q = func.call @CALLEE(%m)", call)
    assert mlir_gs.compile(text)(np.int32(6)) == 720


def test_of_tensors() -> None:
    given = np.zeros(5, np.int32)
    np.testing.assert_array_equal(mlir_gs.compile(COUNT)(given, 2), [0, 0, 2, 3, 4])
    assert not given.any()


def test_an_error_inside_is_refused() -> None:
    text = COUNT.replace("  %r = scf.if", '  cf.assert %b, "no"\n  %r = scf.if', 1)
    with pytest.raises(mlir_gs.CompileError, match="can raise an error and cannot be inlined"):
        mlir_gs.compile(text)
