// RUN: gs-opt %s --convert-tensor-to-gs --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func @full_coordinates
// CHECK-SAME: %[[S:.+]]: tensor<4x4x4xf32>, %[[I:.+]]: tensor<1x2x3xindex>
func.func @full_coordinates(%s: tensor<4x4x4xf32>, %i: tensor<1x2x3xindex>) -> tensor<1x2xf32> {
  // CHECK: %[[R:.+]] = gs.gather %[[S]][%[[I]]] gather_dims([0, 1, 2])
  // CHECK-SAME: (tensor<4x4x4xf32>, tensor<1x2x3xindex>) -> tensor<1x2xf32>
  // CHECK: return %[[R]]
  %r = tensor.gather %s[%i] gather_dims([0, 1, 2])
      : (tensor<4x4x4xf32>, tensor<1x2x3xindex>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// CHECK-LABEL: func @one_dim
func.func @one_dim(%s: tensor<2x3x4xf32>, %i: tensor<5x6x1xi32>) -> tensor<5x6x2x4xf32> {
  // CHECK: gs.gather {{.*}} gather_dims([1])
  // CHECK-SAME: -> tensor<5x6x2x4xf32>
  %r = tensor.gather %s[%i] gather_dims([1])
      : (tensor<2x3x4xf32>, tensor<5x6x1xi32>) -> tensor<5x6x2x4xf32>
  return %r : tensor<5x6x2x4xf32>
}

// CHECK-LABEL: func @non_contiguous_dims
func.func @non_contiguous_dims(%s: tensor<2x3x4xf32>, %i: tensor<5x6x2xindex>)
    -> tensor<5x6x3xf32> {
  // CHECK: gs.gather {{.*}} gather_dims([0, 2])
  // CHECK-SAME: -> tensor<5x6x3xf32>
  %r = tensor.gather %s[%i] gather_dims([0, 2])
      : (tensor<2x3x4xf32>, tensor<5x6x2xindex>) -> tensor<5x6x3xf32>
  return %r : tensor<5x6x3xf32>
}

// CHECK-LABEL: func @unit_dims_kept
func.func @unit_dims_kept(%s: tensor<2x3x4xf32>, %i: tensor<5x6x2xindex>)
    -> tensor<5x6x1x3x1xf32> {
  // CHECK: gs.gather {{.*}} gather_dims([0, 2])
  // CHECK-SAME: -> tensor<5x6x1x3x1xf32>
  %r = tensor.gather %s[%i] gather_dims([0, 2])
      : (tensor<2x3x4xf32>, tensor<5x6x2xindex>) -> tensor<5x6x1x3x1xf32>
  return %r : tensor<5x6x1x3x1xf32>
}

// CHECK-LABEL: func @dynamic_sizes
func.func @dynamic_sizes(%s: tensor<?x?xf16>, %i: tensor<?x1xi64>) -> tensor<?x?xf16> {
  // CHECK: gs.gather {{.*}} gather_dims([0]) unique
  // CHECK-SAME: (tensor<?x?xf16>, tensor<?x1xi64>) -> tensor<?x?xf16>
  %r = tensor.gather %s[%i] gather_dims([0]) unique
      : (tensor<?x?xf16>, tensor<?x1xi64>) -> tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}

// CHECK-LABEL: func @scatter
// CHECK-SAME: %[[U:.+]]: tensor<5x6x3xf32>, %[[D:.+]]: tensor<2x3x4xf32>, %[[I:.+]]: tensor<5x6x2xi8>
func.func @scatter(%u: tensor<5x6x3xf32>, %d: tensor<2x3x4xf32>, %i: tensor<5x6x2xi8>)
    -> tensor<2x3x4xf32> {
  // CHECK: gs.scatter %[[U]] into %[[D]][%[[I]]]
  // CHECK-SAME: scatter_dims([0, 2]) unique : (tensor<5x6x3xf32>, tensor<2x3x4xf32>, tensor<5x6x2xi8>) -> tensor<2x3x4xf32>
  %r = tensor.scatter %u into %d[%i] scatter_dims([0, 2]) unique
      : (tensor<5x6x3xf32>, tensor<2x3x4xf32>, tensor<5x6x2xi8>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-LABEL: func @scatter_unit_dims
func.func @scatter_unit_dims(%u: tensor<?x1x?xi32>, %d: tensor<8x?xi32>, %i: tensor<?x1xindex>)
    -> tensor<8x?xi32> {
  // CHECK: gs.scatter %
  // CHECK-SAME: (tensor<?x1x?xi32>, tensor<8x?xi32>, tensor<?x1xindex>) -> tensor<8x?xi32>
  %r = tensor.scatter %u into %d[%i] scatter_dims([0]) unique
      : (tensor<?x1x?xi32>, tensor<8x?xi32>, tensor<?x1xindex>) -> tensor<8x?xi32>
  return %r : tensor<8x?xi32>
}

// In regions too, and what does not belong to this pass stays.
// CHECK-LABEL: func @nested
func.func @nested(%s: tensor<4xf32>, %i: tensor<1x1xindex>, %c: i1) -> tensor<?xf32> {
  // CHECK: scf.if
  // CHECK: %[[G:.+]] = gs.gather %
  // CHECK: tensor.cast %[[G]]
  // CHECK-NOT: tensor.gather
  %r = scf.if %c -> tensor<?xf32> {
    %g = tensor.gather %s[%i] gather_dims([0])
        : (tensor<4xf32>, tensor<1x1xindex>) -> tensor<1xf32>
    %t = tensor.cast %g : tensor<1xf32> to tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  } else {
    %t = tensor.cast %s : tensor<4xf32> to tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
