// RUN: gs-opt %s --gs-generalize --convert-gs-to-linalg --transform-interpreter --canonicalize --cse | filecheck %s

// Tile and fuse by upstream: the gather is made tile by tile, where its consumer needs it.

// CHECK-LABEL: func.func @rows_scaled
// CHECK: scf.for
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: tensor.extract %arg0
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK-NOT: tensor.extract %arg0
// CHECK: return
func.func @rows_scaled(%table: tensor<1000x64xf32>, %idx: tensor<32x1xi64>, %scale: tensor<32xf32>) -> tensor<32x64xf32> {
  %r = gs.gather %table[%idx] gather_dims([0])
      : (tensor<1000x64xf32>, tensor<32x1xi64>) -> tensor<32x64xf32>
  %e = tensor.empty() : tensor<32x64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%r, %scale : tensor<32x64xf32>, tensor<32xf32>) outs(%e : tensor<32x64xf32>) attrs = {consumer} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<32x64xf32>
  return %s : tensor<32x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %consumer = transform.structured.match attributes {consumer} in %root
      : (!transform.any_op) -> !transform.any_op
    %fused, %loops:2 = transform.structured.fuse %consumer tile_sizes [8, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
