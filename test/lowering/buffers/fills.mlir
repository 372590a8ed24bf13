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

// A user that writes over nothing keeps the fill that it reads.
// CHECK-LABEL: func.func @parts
// CHECK-COUNT-1: linalg.fill
// CHECK-NOT: linalg.fill
func.func @parts(%zero: f32, %i: index) -> (tensor<2x4xf32>, f32, f32) {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %a = tensor.extract %f[%i] : tensor<8xf32>
  %b = tensor.expand_shape %f [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %c = tensor.extract %f[%i] : tensor<8xf32>
  return %b, %a, %c : tensor<2x4xf32>, f32, f32
}
