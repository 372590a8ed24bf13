// RUN: gs-opt %s --gs-generalize --convert-gs-to-linalg --transform-interpreter --canonicalize --cse | filecheck %s

// The linalg form goes on upstream: rows are tiled and vectorized by transform dialect ops.

// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[TABLE:.*]]: tensor<1000x64xf32>, %[[IDX:.*]]: tensor<32x1xi64>)
// CHECK: scf.for
// CHECK: scf.for
// CHECK: %[[TOKEN:.*]] = vector.transfer_read {{.*}} : tensor<8x1xi64>, vector<8x16xi64>
// CHECK: vector.gather %[[TABLE]]
// CHECK-SAME: into vector<8x16xf32>
// CHECK: vector.transfer_write
func.func @rows(%table: tensor<1000x64xf32>, %idx: tensor<32x1xi64>) -> tensor<32x64xf32> {
  %r = gs.gather %table[%idx] gather_dims([0])
      : (tensor<1000x64xf32>, tensor<32x1xi64>) -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %generic = transform.structured.match ops{["linalg.generic"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %generic tile_sizes [8, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.structured.vectorize %tiled vector_sizes [8, 16] {vectorize_nd_extract}
      : !transform.any_op
    transform.yield
  }
}
