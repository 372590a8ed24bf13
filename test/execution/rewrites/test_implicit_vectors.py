"""Functions in which LLVM is told to look for no vectors, and those in which it may."""

from typing import Any

import pytest
from mlir_gs.execution.compilation.lower import lowered
from mlir_gs.execution.compilation.source import parse
from mlir_gs.execution.rewrites.lowered_ops import defined, symbol

SUMS = """
func.func @f(%updates: tensor<?xf32>, %dest: tensor<?xf32>, %ids: tensor<?x1xi64>)
    -> tensor<?xf32> {
  %r = "gs.scatter"(%updates, %dest, %ids) ({
  ^bb0(%current: f32, %update: f32):
    %new = arith.addf %current, %update FASTMATH : f32
    "gs.yield"(%new) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>}
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
"""

ROWS = """
func.func @f(%table: tensor<?xWIDTHxf32>, %ids: tensor<?x1xi32>) -> tensor<?xWIDTHxf32> {
  %r = "gs.gather"(%table, %ids) {gather_dims = array<i64: 0>}
      : (tensor<?xWIDTHxf32>, tensor<?x1xi32>) -> tensor<?xWIDTHxf32>
  return %r : tensor<?xWIDTHxf32>
}
"""

ELEMENTS = ROWS.replace("xWIDTH", "")

BESIDE_LINALG = """
func.func @f(%table: tensor<?xf32>, %ids: tensor<?x1xi32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %r = "gs.gather"(%table, %ids) {gather_dims = array<i64: 0>}
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %s = linalg.exp ins(%x : tensor<?xf32>) outs(%r : tensor<?xf32>) -> tensor<?xf32>
  return %s : tensor<?xf32>
}
"""

PATTERN = """
func.func @f(%table: tensor<?xf64>) -> tensor<4xf64> {
  %ids = arith.constant dense<[[0], [24], [25], [27]]> : tensor<4x1xi64>
  %r = "gs.gather"(%table, %ids) {gather_dims = array<i64: 0>}
      : (tensor<?xf64>, tensor<4x1xi64>) -> tensor<4xf64>
  return %r : tensor<4xf64>
}
"""


def _told(text: str, threads: int) -> dict[str, bool]:
    """Of each function that is not of the call path, whether it is told."""
    module: Any = lowered(parse(text), "f", threads=threads)
    return {
        symbol(function): "passthrough" in function.attributes
        and "noimplicitfloat" in str(function.attributes["passthrough"])
        for function in defined(module)
    }


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("fastmath", ["", "fastmath<reassoc>"])
def test_elements_at_coordinates(fastmath: str, threads: int) -> None:
    told = _told(SUMS.replace("FASTMATH", fastmath), threads)
    kernels = {name for name in told if name.startswith("gs_kernel")}
    assert bool(kernels) == (threads > 1 or fastmath != "")
    assert all(told[name] for name in kernels or {"__gs_kernel_f"})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ELEMENTS, True),
        # Rows of 256 bytes, which LLVM copies in vectors.
        (ROWS.replace("WIDTH", "64"), False),
        # Loops of upstream's, of which LLVM makes vectors.
        (BESIDE_LINALG, False),
        # Neighbours are known.
        (PATTERN, False),
    ],
)
def test_functions(text: str, told: bool) -> None:
    assert any(_told(text, 1).values()) == told
