// RUN: not gs-opt %s --split-input-file 2>&1 | filecheck %s
// RUN: not gs-opt %s --split-input-file --mlir-print-op-on-diagnostic=false 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not gs-opt %s --split-input-file --mlir-disable-diagnostic-notes 2>&1 | filecheck %s --check-prefix=NONE
// NONE-NOT: note:

// As in mlir-opt: the op in the assembly form, without the line again; of our ops and of upstream's.

// CHECK: :[[# @LINE + 5]]:8: error: 'gs.gather' op attribute 'gather_dims' must hold dims in [0, 1), found 1
// CHECK-NEXT: %0 = gs.gather
// CHECK-NEXT: ^
// CHECK-NEXT: :[[# @LINE + 2]]:8: note: see current operation: %0 = gs.gather %arg0[%arg1] gather_dims([1]) : (tensor<8xf32>, tensor<4x1xi64>) -> tensor<4xf32>
func.func @ours(%t: tensor<8xf32>, %i: tensor<4x1xi64>) -> tensor<4xf32> {
  %0 = gs.gather %t[%i] gather_dims([1]) : (tensor<8xf32>, tensor<4x1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-NEXT: :[[# @LINE + 5]]:8: error: expected type to be 'tensor<9xf32>'
// CHECK-NEXT: %0 = tensor.extract_slice
// CHECK-NEXT: ^
// CHECK-NEXT: :[[# @LINE + 2]]:8: note: see current operation: %0 = "tensor.extract_slice"(%arg0)
func.func @upstreams(%t: tensor<8xf32>) -> tensor<4xf32> {
  %0 = tensor.extract_slice %t[0] [9] [1] : tensor<8xf32> to tensor<4xf32>
  return %0 : tensor<4xf32>
}
