// RUN: gs-opt %s --gs-bufferize --canonicalize | filecheck %s

// Two sums start from one fill, which is read as well: each fills memory of its own.
// CHECK-LABEL: func.func @sums
// CHECK-NOT: memref.copy
// CHECK-COUNT-3: linalg.fill
// CHECK-NOT: memref.copy
func.func @sums(%x: tensor<4x8xf32>, %zero: f32) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.reduce {arith.addf} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  %s = linalg.reduce {arith.maximumf} ins(%x : tensor<4x8xf32>) outs(%f : tensor<4xf32>) dimensions = [1]
  return %r, %s, %f : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
