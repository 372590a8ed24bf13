// RUN: gs-opt %s --verify-roundtrip | gs-opt | filecheck %s
// RUN: gs-opt %s --emit-bytecode | gs-opt | filecheck %s

// CHECK-LABEL: func.func @strides_of_both_signs
// CHECK-SAME: %[[SOURCE:[^:]*]]:
// CHECK: gs.strided_slice %[[SOURCE]][0, 1] [4, 3] [-2, 2]
// CHECK-SAME: (tensor<6x5xf32>) -> tensor<2x2xf32>
func.func @strides_of_both_signs(%source: tensor<6x5xf32>) -> tensor<2x2xf32> {
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 2] : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// Fewer elements than the window allows, and as many as it allows without saying so.
// CHECK-LABEL: func.func @result_sizes
// CHECK: (tensor<9xi1>) -> tensor<2xi1>
// CHECK: (tensor<9xi1>) -> tensor<?xi1>
func.func @result_sizes(%source: tensor<9xi1>) -> (tensor<2xi1>, tensor<?xi1>) {
  %0 = gs.strided_slice %source[0] [9] [3] : (tensor<9xi1>) -> tensor<2xi1>
  %1 = gs.strided_slice %source[0] [9] [3] : (tensor<9xi1>) -> tensor<?xi1>
  return %0, %1 : tensor<2xi1>, tensor<?xi1>
}

// CHECK-LABEL: func.func @dynamic_source
// CHECK: (tensor<?xf32>) -> tensor<4xf32>
func.func @dynamic_source(%source: tensor<?xf32>) -> tensor<4xf32> {
  %0 = gs.strided_slice %source[5] [4] [-1] : (tensor<?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @rank_0
// CHECK: gs.strided_slice %{{.*}}[] [] [] :
func.func @rank_0(%source: tensor<f32>) -> tensor<f32> {
  %0 = gs.strided_slice %source[] [] [] : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
