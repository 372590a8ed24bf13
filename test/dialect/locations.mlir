// RUN: not gs-opt %s 2>&1 | filecheck %s

// A diagnostic stands at the op's name: file, line and column, then the op.

func.func @third_line_of_function(%source: tensor<4xf32>, %indices: tensor<7x1xi32>) {
  %size = arith.constant 0 : index
  // CHECK: locations.mlir:[[# @LINE + 1]]:11: error: 'gs.gather' op operand 'source' must be
  %rows = gs.gather %size[%indices] gather_dims([0]) : (index, tensor<7x1xi32>) -> tensor<7xf32>
  return
}
