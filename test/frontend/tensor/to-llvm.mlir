// All five forms of upstream's gather, and its scatter, down to the LLVM dialect.
// RUN: gs-opt %s --convert-tensor-to-gs --gs-generalize --gs-bufferize --convert-gs-to-scf \
// RUN:   --expand-strided-metadata --lower-affine --convert-scf-to-cf --convert-vector-to-llvm \
// RUN:   --finalize-memref-to-llvm --convert-arith-to-llvm --convert-index-to-llvm \
// RUN:   --convert-cf-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts \
// RUN:   | FileCheck %s

// CHECK-NOT: {{memref|tensor|gs\.}}
// CHECK: llvm.func @full_coordinates
func.func @full_coordinates(%s: tensor<4x4x4xf32>, %i: tensor<1x2x3xindex>) -> tensor<1x2xf32> {
  %r = tensor.gather %s[%i] gather_dims([0, 1, 2])
      : (tensor<4x4x4xf32>, tensor<1x2x3xindex>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// CHECK-NOT: {{memref|tensor|gs\.}}
// CHECK: llvm.func @one_dim
func.func @one_dim(%s: tensor<2x3x4xf32>, %i: tensor<5x6x1xi32>) -> tensor<5x6x2x4xf32> {
  %r = tensor.gather %s[%i] gather_dims([1])
      : (tensor<2x3x4xf32>, tensor<5x6x1xi32>) -> tensor<5x6x2x4xf32>
  return %r : tensor<5x6x2x4xf32>
}

// CHECK-NOT: {{memref|tensor|gs\.}}
// CHECK: llvm.func @non_contiguous_dims
func.func @non_contiguous_dims(%s: tensor<2x3x4xf32>, %i: tensor<5x6x2xindex>)
    -> tensor<5x6x3xf32> {
  %r = tensor.gather %s[%i] gather_dims([0, 2])
      : (tensor<2x3x4xf32>, tensor<5x6x2xindex>) -> tensor<5x6x3xf32>
  return %r : tensor<5x6x3xf32>
}

// CHECK-NOT: {{memref|tensor|gs\.}}
// CHECK: llvm.func @unit_dims_kept
func.func @unit_dims_kept(%s: tensor<2x3x4xf32>, %i: tensor<5x6x2xindex>)
    -> tensor<5x6x1x3x1xf32> {
  %r = tensor.gather %s[%i] gather_dims([0, 2])
      : (tensor<2x3x4xf32>, tensor<5x6x2xindex>) -> tensor<5x6x1x3x1xf32>
  return %r : tensor<5x6x1x3x1xf32>
}

// CHECK-NOT: {{memref|tensor|gs\.}}
// CHECK: llvm.func @dynamic_sizes
func.func @dynamic_sizes(%s: tensor<?x?xf16>, %i: tensor<?x1xi64>) -> tensor<?x?xf16> {
  %r = tensor.gather %s[%i] gather_dims([0]) unique
      : (tensor<?x?xf16>, tensor<?x1xi64>) -> tensor<?x?xf16>
  return %r : tensor<?x?xf16>
}

// CHECK-NOT: {{memref|tensor|gs\.}}
// CHECK: llvm.func @scatter
func.func @scatter(%u: tensor<5x6x3xf32>, %d: tensor<2x3x4xf32>, %i: tensor<5x6x2xi8>)
    -> tensor<2x3x4xf32> {
  %r = tensor.scatter %u into %d[%i] scatter_dims([0, 2]) unique
      : (tensor<5x6x3xf32>, tensor<2x3x4xf32>, tensor<5x6x2xi8>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}
// CHECK-NOT: {{memref|tensor|gs\.}}
