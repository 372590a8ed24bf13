"""The examples of JAX's documentation of lax.gather, as JAX lowers them, with their numbers."""

import numpy as np
from stablehlo_harness import compiled, imported, referenced

# x[indices]: negative indices are wrapped in front of the gather.
INDEXED = """
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xi32>, %arg1: tensor<6xi32>)
      -> (tensor<6xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<6xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<6xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<6xi1>, tensor<6xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        indices_are_sorted = false, slice_sizes = array<i64: 1>}>
        : (tensor<3xi32>, tensor<6x1xi32>) -> tensor<6xi32>
    return %6 : tensor<6xi32>
  }
}"""

# lax.gather(x, indices[:, None], ..., indices_are_sorted=True, mode=PROMISE_IN_BOUNDS)
GATHERED = """
func.func public @main(%arg0: tensor<3xi32>, %arg1: tensor<6xi32>) -> tensor<6xi32> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<6xi32>) -> tensor<6x1xi32>
  %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      indices_are_sorted = true, slice_sizes = array<i64: 1>}>
      : (tensor<3xi32>, tensor<6x1xi32>) -> tensor<6xi32>
  return %1 : tensor<6xi32>
}"""


def test_documented_numbers() -> None:
    x, indices = np.array([10, 11, 12], np.int32), np.array([0, 1, 1, 2, 2, 2], np.int32)
    for text in (INDEXED, GATHERED):
        module = imported(text)
        for found in (compiled(module, [x, indices]), referenced(module, [x, indices])):
            np.testing.assert_array_equal(found[0], [10, 11, 11, 12, 12, 12])
