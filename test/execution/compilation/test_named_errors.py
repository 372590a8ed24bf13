"""What upstream's passes say of the ops that they make is said of the op of the source."""

import mlir_gs
import numpy as np
import pytest
from mlir_gs import dialect
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import CompileError

NO_ATOMIC = """
func.func @main(%m: memref<3xi4>, %x: i4) {
  %i = arith.constant 1 : index
  %y = memref.atomic_rmw xori %x, %m[%i] : (i4, memref<3xi4>) -> i4
  return
}
"""
NAMED = "-:4:8: error: 'memref.atomic_rmw' op cannot be lowered: 'llvm.atomicrmw' op"


def test_text() -> None:
    with pytest.raises(CompileError, match="^" + NAMED):
        mlir_gs.compile(NO_ATOMIC)


def test_module() -> None:
    with dialect.context() as context, ir.Location.unknown():
        module = ir.Module.parse(NO_ATOMIC, context)
    with pytest.raises(CompileError, match="^" + NAMED):
        mlir_gs.compile(module)


# The op is named once where the message already has its name.
def test_a_name_is_not_repeated() -> None:
    text = "func.func @main(%x: vector<2xi8>) { vector.print %x : vector<2xi8> return }"
    with pytest.raises(CompileError) as caught:
        mlir_gs.compile(text)
    assert "cannot be lowered" not in str(caught.value)


# A memref without a rank is passed between casts.
def test_unranked_memrefs() -> None:
    kernel = mlir_gs.compile("""
func.func @main(%a: memref<?xf32>, %b: memref<?xf32>) {
  %u = memref.cast %a : memref<?xf32> to memref<*xf32>
  %m = memref.cast %u : memref<*xf32> to memref<?xf32>
  memref.copy %m, %b : memref<?xf32> to memref<?xf32>
  return
}
""")
    a, b = np.arange(3, dtype=np.float32), np.zeros(3, np.float32)
    kernel(a, b)
    np.testing.assert_array_equal(b, a)
