"""Vectors of a size that is the CPU's are refused: LLVM would end the process."""

import mlir_gs
import pytest
from mlir_gs.execution import CompileError

SIZE = """
func.func @main(%m: memref<index>) {
  %n = vector.vscale
  memref.store %n, %m[] : memref<index>
  return
}
"""
VECTOR = """
func.func @main(%m: memref<4xf32>, %x: f32) {
  %z = arith.constant 0 : index
  %v = vector.broadcast %x : f32 to vector<[4]xf32>
  %r = vector.scalable.extract %v[0] : vector<4xf32> from vector<[4]xf32>
  vector.store %r, %m[%z] : memref<4xf32>, vector<4xf32>
  return
}
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SIZE, "-:3:8: error: 'vector.vscale' op gives the size of scalable vectors"),
        (VECTOR, "-:4:8: error: 'vector.broadcast' op has scalable vectors"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        mlir_gs.compile(text)
    assert str(caught.value).startswith(message)
