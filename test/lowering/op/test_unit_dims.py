"""Coordinates into dimensions of size 1, and iteration spaces of nothing."""

import ml_dtypes
import numpy as np
from mlir_gs import execution


def test_a_coordinate_into_a_dim_of_one_is_still_dropped() -> None:
    kernel = execution.compile("""
func.func @f(%u: tensor<2x3xf32>, %d: tensor<3x1xf32>, %i: tensor<2x1xi64>) -> tensor<3x1xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([1]) mode(drop)
      : (tensor<2x3xf32>, tensor<3x1xf32>, tensor<2x1xi64>) -> tensor<3x1xf32>
  return %r : tensor<3x1xf32>
}""")
    updates = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
    dest = np.zeros((3, 1), np.float32)
    found = kernel(updates, dest, np.array([[4], [-1]]))
    assert not found.any()
    found = kernel(updates, dest, np.array([[0], [1]]))
    assert found[:, 0].tolist() == [1, 2, 3]


def test_a_coordinate_into_a_dim_of_one_is_still_filled() -> None:
    kernel = execution.compile("""
func.func @f(%s: tensor<3x1xf32>, %i: tensor<2x1xi64>) -> tensor<2x3xf32> {
  %r = gs.gather %s[%i] gather_dims([1]) mode(fill) fill_value(7.000000e+00 : f32)
      : (tensor<3x1xf32>, tensor<2x1xi64>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}""")
    source = np.array([[1], [2], [3]], np.float32)
    found = kernel(source, np.array([[0], [1]]))
    assert found.tolist() == [[1, 2, 3], [7, 7, 7]]


def test_nothing_is_read_of_an_empty_table() -> None:
    kernel = execution.compile("""
func.func @f(%s: tensor<0x1xf32>, %i: tensor<2x1xi64>) -> tensor<2x1xf32> {
  %r = gs.gather %s[%i] gather_dims([0]) mode(fill) fill_value(7.000000e+00 : f32)
      : (tensor<0x1xf32>, tensor<2x1xi64>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}""")
    found = kernel(np.zeros((0, 1), np.float32), np.array([[0], [1]]))
    assert found.tolist() == [[7], [7]]


def test_nothing_is_written_into_an_empty_slice() -> None:
    kernel = execution.compile("""
func.func @f(%u: tensor<2x0x4xf32>, %d: tensor<3x0x4xf32>, %i: tensor<2x1xi64>)
    -> tensor<3x0x4xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0])
      : (tensor<2x0x4xf32>, tensor<3x0x4xf32>, tensor<2x1xi64>) -> tensor<3x0x4xf32>
  return %r : tensor<3x0x4xf32>
}""")
    empty = np.zeros((2, 0, 4), np.float32)
    found = kernel(empty, np.zeros((3, 0, 4), np.float32), np.array([[0], [1]]))
    assert found.shape == (3, 0, 4)


def test_rows_of_no_elements_are_read_nowhere() -> None:
    kernel = execution.compile("""
func.func @f(%s: tensor<?x?xf32>, %i: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %r = gs.gather_elements %s[%i] dim(1) : (tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}""")
    found = kernel(np.zeros((4, 3), np.float32), np.zeros((4, 0), np.int64))
    assert found.shape == (4, 0)


def test_bf16_is_moved_bit_for_bit() -> None:
    kernel = execution.compile("""
func.func @f(%s: tensor<?xbf16>, %i: tensor<?x1xi64>) -> tensor<?xbf16> {
  %r = gs.gather %s[%i] gather_dims([0]) mode(fill)
      : (tensor<?xbf16>, tensor<?x1xi64>) -> tensor<?xbf16>
  return %r : tensor<?xbf16>
}""")
    # Every pattern: denormals, infinities and all NaNs.
    source = np.arange(1 << 16, dtype=np.uint16)
    found = kernel(source.view(ml_dtypes.bfloat16), np.arange((1 << 16) + 1)[:, None])
    assert (found.view(np.uint16)[:-1] == source).all()
    assert found.view(np.uint16)[-1] == 0x7FC0
