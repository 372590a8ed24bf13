"""What gs-run makes up for a function keeps what its ops promise."""

from pathlib import Path

import pytest
from mlir_gs.tools.gs_run import main

TOSA = """
func.func @f(%s: tensor<3x7x5xf32>, %i: tensor<3x6xi32>, %u: tensor<3x6x5xf32>)
    -> tensor<3x7x5xf32> {
  %r = tosa.scatter %s, %i, %u
      : (tensor<3x7x5xf32>, tensor<3x6xi32>, tensor<3x6x5xf32>) -> tensor<3x7x5xf32>
  return %r : tensor<3x7x5xf32>
}
"""
# Tuples in rows that a view has apart, and one by one in a view of a row.
TUPLES = """
func.func @f(%u: tensor<12xf32>, %d: tensor<3x5xf32>, %i: tensor<4x3x2xi64>) -> tensor<3x5xf32> {
  %rows = tensor.collapse_shape %i [[0, 1], [2]] : tensor<4x3x2xi64> into tensor<12x2xi64>
  %r = gs.scatter %u into %d[%rows] scatter_dims([0, 1]) unique
      : (tensor<12xf32>, tensor<3x5xf32>, tensor<12x2xi64>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
"""
SPLIT = """
func.func @f(%u: tensor<2x3x?xf32>, %d: tensor<9x?xf32>, %i: tensor<6xi32>) -> tensor<9x?xf32> {
  %rows = tensor.expand_shape %i [[0, 1, 2]] output_shape [2, 3, 1]
      : tensor<6xi32> into tensor<2x3x1xi32>
  %r = gs.scatter %u into %d[%rows] scatter_dims([0]) unique
      : (tensor<2x3x?xf32>, tensor<9x?xf32>, tensor<2x3x1xi32>) -> tensor<9x?xf32>
  return %r : tensor<9x?xf32>
}
"""


UNSIGNED = """
func.func @f(%t: tensor<300xf32>, %i: tensor<5x1xui8>) -> tensor<5xf32> {
  %r = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1>}> : (tensor<300xf32>, tensor<5x1xui8>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
"""


def test_unsigned_arguments_of_stablehlo(tmp_path: Path) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(UNSIGNED)
    assert main([str(path), "--quiet", "--isolate=false", "--check"]) == 0


SHAPE = """
func.func @f(%x: tensor<?xf32>, %s: tensor<2xi32>, %n: index) -> (tensor<?x?xf32>, tensor<?xf32>) {
  %b = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1]
      : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %part = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %b, %part : tensor<?x?xf32>, tensor<?xf32>
}
"""


def test_arguments_that_are_sizes(tmp_path: Path) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(SHAPE)
    assert main([str(path), "--quiet", "--isolate=false", "--size", "30", "--check"]) == 0


@pytest.mark.parametrize("text", [TOSA, TUPLES, SPLIT], ids=["tosa", "tuples", "split"])
def test_coordinates_that_are_seen_through_views(text: str, tmp_path: Path) -> None:
    path = tmp_path / "f.mlir"
    path.write_text(text)
    for more in ("--check", "--sanitize"):
        assert main([str(path), "--quiet", "--isolate=false", more]) == 0
