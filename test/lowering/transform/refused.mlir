// RUN: not gs-opt %s --transform-interpreter 2>&1 | filecheck %s

// The reason comes first, at the op; then the place in the schedule.

// CHECK: refused.mlir:[[# @LINE + 9]]:8: error: 'gs_transform.tile' op takes gs.generic, found 'gs.gather': gs_transform.generalize comes first
// CHECK-NEXT: gs.gather %
// CHECK-NEXT: ^
// CHECK-NEXT: refused.mlir:[[# @LINE + 13]]:22: error: TransformOpInterfaceFallbackModel: silenceable failure
// CHECK-NEXT: gs_transform.tile %
// CHECK-NEXT: ^
// CHECK-NEXT: refused.mlir:[[# @LINE + 10]]:22: note: see current operation: %{{.*}}:2 = gs_transform.tile %
func.func @rows(%x: tensor<9xf32>, %i: tensor<5x1xi64>) -> tensor<5xf32> {
  // No gs.generic yet.
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi64>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %op = transform.structured.match ops{["gs.gather"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiled, %loops = gs_transform.tile %op sizes([2])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
