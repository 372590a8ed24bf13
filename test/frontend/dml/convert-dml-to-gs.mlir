// RUN: gs-opt %s --verify-roundtrip --convert-dml-to-gs --cse --canonicalize \
// RUN:   --mlir-print-local-scope | FileCheck %s

// The examples of DML_GATHER_OPERATOR_DESC.
// CHECK-LABEL: func @example_1
// CHECK-SAME: %[[X:.+]]: tensor<4xf32>, %[[I:.+]]: tensor<5xui32>
func.func @example_1(%x: tensor<4xf32>, %i: tensor<5xui32>) -> tensor<5xf32> {
  // CHECK: %[[T:.+]] = tensor.expand_shape %[[I]]
  // CHECK: gs.gather %[[X]][%[[T]]] gather_dims([0]) mode(clip)
  // CHECK-SAME: (tensor<4xf32>, tensor<5x1xui32>) -> tensor<5xf32>
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<4xf32>, tensor<5xui32>) -> tensor<5xf32>
  return %y : tensor<5xf32>
}

// CHECK-LABEL: func @example_2
func.func @example_2(%x: tensor<3x2xf32>, %i: tensor<1x4xui32>) -> tensor<4x2xf32> {
  // CHECK: gs.gather %
  // CHECK-SAME: -> tensor<4x2xf32>
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<3x2xf32>, tensor<1x4xui32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// CHECK-LABEL: func @example_3
// CHECK-SAME: %[[X:.+]]: tensor<3x2xf32>, %[[I:.+]]: tensor<1x2xui32>
func.func @example_3(%x: tensor<3x2xf32>, %i: tensor<1x2xui32>) -> tensor<3x2xf32> {
  // CHECK: %[[C:.+]] = tensor.collapse_shape %[[I]]
  // CHECK-SAME: into tensor<2xui32>
  // CHECK: gs.generic (d0, d1) [s0 = %[[C]][d1] mode(clip)] ins(%[[X]][d0, s0]) outs(
  %y = "dml.gather"(%x, %i) {axis = 1 : i32, index_dimensions = 2 : i32}
      : (tensor<3x2xf32>, tensor<1x2xui32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// CHECK-LABEL: func @example_4
func.func @example_4(%x: tensor<1x3x3xf32>, %i: tensor<1x1x2xui32>) -> tensor<3x1x2xf32> {
  // CHECK: gs.generic (d0, d1, d2) [s0 = %{{.*}}[d1, d2]{{.*}}] ins(%{{.*}}[d0, s0])
  // CHECK-SAME: (tensor<3x3xf32>, tensor<1x2xui32>, tensor<3x1x2xf32>)
  %y = "dml.gather"(%x, %i) {axis = 2 : i32, index_dimensions = 2 : i32}
      : (tensor<1x3x3xf32>, tensor<1x1x2xui32>) -> tensor<3x1x2xf32>
  return %y : tensor<3x1x2xf32>
}

// CHECK-LABEL: func @example_5
func.func @example_5(%x: tensor<1x3x2xf32>, %i: tensor<1x2x2xui32>) -> tensor<2x2x2xf32> {
  // CHECK: gs.gather {{.*}} : (tensor<3x2xf32>, tensor<2x2x1xui32>) -> tensor<2x2x2xf32>
  %y = "dml.gather"(%x, %i) {axis = 1 : i32, index_dimensions = 2 : i32}
      : (tensor<1x3x2xf32>, tensor<1x2x2xui32>) -> tensor<2x2x2xf32>
  return %y : tensor<2x2x2xf32>
}

// CHECK-LABEL: func @signed_indices
func.func @signed_indices(%x: tensor<?x4xi8>, %i: tensor<1x?xi64>) -> tensor<?x4xi8> {
  // CHECK: gs.gather {{.*}} gather_dims([0]) mode(clip) wrap_negative
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<?x4xi8>, tensor<1x?xi64>) -> tensor<?x4xi8>
  return %y : tensor<?x4xi8>
}

// No index dims: the output is one dim short and gets a leading 1.
// CHECK-LABEL: func @scalar_index
func.func @scalar_index(%x: tensor<3x4xf16>, %i: tensor<1x1xi32>) -> tensor<1x4xf16> {
  // CHECK: %[[G:.+]] = gs.gather %
  // CHECK-SAME: -> tensor<4xf16>
  // CHECK: tensor.expand_shape %[[G]]
  // CHECK-SAME: into tensor<1x4xf16>
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 0 : i32}
      : (tensor<3x4xf16>, tensor<1x1xi32>) -> tensor<1x4xf16>
  return %y : tensor<1x4xf16>
}

// The example of DML_SLICE1_OPERATOR_DESC with negative strides.
// CHECK-LABEL: func @slice
func.func @slice(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  // CHECK: gs.strided_slice %{{.+}}[0, 0, 0, 1] [1, 1, 4, 3] [1, 1, -2, 2]
  // CHECK-SAME: (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  %y = "dml.slice1"(%x) {offsets = array<i64: 0, 0, 0, 1>, sizes = array<i64: 1, 1, 4, 3>,
                         strides = array<i64: 1, 1, -2, 2>}
      : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  return %y : tensor<1x1x2x2xf32>
}

// Fewer outputs than the window allows.
// CHECK-LABEL: func @smaller_output
func.func @smaller_output(%x: tensor<8xui16>) -> tensor<2xui16> {
  // CHECK: gs.strided_slice {{.*}} : (tensor<8xui16>) -> tensor<2xui16>
  %y = "dml.slice1"(%x) {offsets = array<i64: 1>, sizes = array<i64: 7>, strides = array<i64: 2>}
      : (tensor<8xui16>) -> tensor<2xui16>
  return %y : tensor<2xui16>
}
