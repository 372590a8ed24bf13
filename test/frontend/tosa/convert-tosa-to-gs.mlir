// RUN: gs-opt %s --convert-tosa-to-gs --cse --canonicalize --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func @gather
// CHECK-SAME: %[[V:.+]]: tensor<13x21x3xf32>, %[[I:.+]]: tensor<13x26xi32>
func.func @gather(%v: tensor<13x21x3xf32>, %i: tensor<13x26xi32>) -> tensor<13x26x3xf32> {
  // CHECK: %[[T:.+]] = tensor.expand_shape %[[I]]
  // CHECK-SAME: into tensor<13x26x1xi32>
  // CHECK: gs.gather %[[V]][%[[T]]] gather_dims([1]) batch_dims(1)
  // CHECK-SAME: -> tensor<13x26x3xf32>
  %r = tosa.gather %v, %i : (tensor<13x21x3xf32>, tensor<13x26xi32>) -> tensor<13x26x3xf32>
  return %r : tensor<13x26x3xf32>
}

// The result may say less of its sizes than the operands do.
// CHECK-LABEL: func @gather_dynamic
func.func @gather_dynamic(%v: tensor<?x21x3xbf16>, %i: tensor<13x?xi64>) -> tensor<?x?x?xbf16> {
  // CHECK: %[[G:.+]] = gs.gather %
  // CHECK-SAME: -> tensor<13x?x3xbf16>
  // CHECK: tensor.cast %[[G]] : tensor<13x?x3xbf16> to tensor<?x?x?xbf16>
  %r = tosa.gather %v, %i : (tensor<?x21x3xbf16>, tensor<13x?xi64>) -> tensor<?x?x?xbf16>
  return %r : tensor<?x?x?xbf16>
}

// CHECK-LABEL: func @scatter
// CHECK-SAME: %[[V:.+]]: tensor<13x52x3xf32>, %[[I:.+]]: tensor<13x26xi32>, %[[U:.+]]: tensor<13x26x3xf32>
func.func @scatter(%v: tensor<13x52x3xf32>, %i: tensor<13x26xi32>, %u: tensor<13x26x3xf32>)
    -> tensor<13x52x3xf32> {
  // CHECK: %[[T:.+]] = tensor.expand_shape %[[I]]
  // CHECK: gs.scatter %[[U]] into %[[V]][%[[T]]]
  // CHECK-SAME: scatter_dims([1]) unique batch_dims(1) :
  %r = tosa.scatter %v, %i, %u
      : (tensor<13x52x3xf32>, tensor<13x26xi32>, tensor<13x26x3xf32>) -> tensor<13x52x3xf32>
  return %r : tensor<13x52x3xf32>
}

// CHECK-LABEL: func @row_gather
func.func @row_gather(%v: tensor<13x21x3xf32>, %i: tensor<13x26xi32>) -> tensor<13x52x3xf32> {
  // CHECK: %[[W:.+]] = gs.generic (d0, d1, d2, d3) [s0 = %{{.+}}[d0, d1]{{.*}}] ins(%{{.+}}[d0, d2 + s0, d3])
  // CHECK-SAME: -> tensor<13x26x2x3xf32>
  // CHECK: tensor.collapse_shape %[[W]] {{\[\[}}0], [1, 2], [3]]
  %two = "tosa.const"() {values = dense<2> : tensor<1xi32>} : () -> tensor<1xi32>
  %r = tosa.row_gather %v, %i, %two
      : (tensor<13x21x3xf32>, tensor<13x26xi32>, tensor<1xi32>) -> tensor<13x52x3xf32>
  return %r : tensor<13x52x3xf32>
}
