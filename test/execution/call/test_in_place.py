"""Compiled code allocates and copies no more than the semantics ask for."""

import pytest
from mlir_gs.dialect._bindings import ir
from mlir_gs.execution import compile
from mlir_gs.lowering import ConvertGsToScf
from sources import GATHER, identity, scatter_add

COUNT_IN_FRESH = """
func.func @f(%ids: tensor<?x1xi64>, %n: index) -> tensor<?xi32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %ids, %c0 : tensor<?x1xi64>
  %e = tensor.empty(%n) : tensor<?xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %u = tensor.empty(%m) : tensor<?xi32>
  %ones = linalg.fill ins(%one : i32) outs(%u : tensor<?xi32>) -> tensor<?xi32>
  %r = gs.scatter %ones into %z[%ids] scatter_dims([0]) combine(add)
      : (tensor<?xi32>, tensor<?xi32>, tensor<?x1xi64>) -> tensor<?xi32>
  return %r : tensor<?xi32>
}
"""

USED_AGAIN = """
func.func @f(%d: tensor<?xf32> {bufferization.writable = true}, %i: index, %x: f32)
    -> (tensor<?xf32>, tensor<?xf32>) {
  %r = tensor.insert %x into %d[%i] : tensor<?xf32>
  return %r, %d : tensor<?xf32>, tensor<?xf32>
}
"""

PARTS = """
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %t = tensor.empty() : tensor<4xf32>
  %x = linalg.exp ins(%a : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %y = linalg.exp ins(%b : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %x into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %s = tensor.insert_slice %y into %r[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %s : tensor<8xf32>
}
"""


@pytest.mark.parametrize(
    ("source", "allocations", "copies"),
    [
        (GATHER, 0, 0),
        (scatter_add(), 0, 1),
        (scatter_add("error"), 0, 1),
        (scatter_add(donated=True), 0, 0),
        (COUNT_IN_FRESH, 1, 0),
        (identity("tensor<?xf32>"), 0, 1),
        (USED_AGAIN, 0, 1),
        (PARTS, 0, 0),
    ],
    ids=["gather", "scatter", "checked", "donated", "fresh", "identity", "used-again", "parts"],
)
def test_allocations_and_copies(
    source: str, allocations: int, copies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bufferized: list[str] = []
    monkeypatch.setenv("MLIR_GS_CACHE", "off")
    run = ConvertGsToScf.run

    def observed(instance: ConvertGsToScf, module: ir.Operation) -> None:
        bufferized.append(str(module))
        run(instance, module)

    monkeypatch.setattr(ConvertGsToScf, "run", observed)
    compile(source, threads=1)
    (text,) = bufferized
    assert (text.count("memref.alloc"), text.count("memref.copy")) == (allocations, copies), text
