// RUN: gs-opt %s --gs-import-stablehlo | filecheck %s

// A function of an operand is computed once for each of its elements, not for each of the product.
// CHECK-LABEL: func.func @operand_of_product
// CHECK: %[[Y:.*]] = linalg.generic
// CHECK: math.tanh
// CHECK: gs.generic
// CHECK-SAME: ins(%[[Y]][d0, d1, d4], %arg1[d4, d2, d3])
// CHECK-NOT: math.tanh
// CHECK: return
func.func @operand_of_product(%x: tensor<8x64x32xf32>, %w: tensor<32x4x16xf32>)
    -> tensor<8x64x4x16xf32> {
  %y = stablehlo.tanh %x : tensor<8x64x32xf32>
  %r = stablehlo.dot_general %y, %w, contracting_dims = [2] x [0]
      : (tensor<8x64x32xf32>, tensor<32x4x16xf32>) -> tensor<8x64x4x16xf32>
  return %r : tensor<8x64x4x16xf32>
}
