// RUN: gs-opt %s --transform-interpreter --canonicalize --cse --gs-bufferize | filecheck %s

// A matmul of gathered rows: the gather goes into the loop over tiles of the matmul, which upstream
// made. Of the gathered rows there are 8 at a time; only the result has an allocation of its own.

// CHECK-LABEL: func.func @gathered
// CHECK-SAME: (%[[X:.*]]: memref<1000x64xf32>, %[[IDS:.*]]: memref<512x1xi64>
// CHECK: memref.alloc() {{.*}} : memref<512x32xf32>
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: %[[SOME:.*]] = memref.subview %[[IDS]][%{{.*}}, 0] [8, 1] [1, 1]
// CHECK: %[[ROWS:.*]] = memref.alloc() {{.*}} : memref<8x64xf32>
// CHECK: gs.generic {{.*}} = %[[SOME]][{{.*}} ins(%[[X]][{{.*}} outs(%[[ROWS]][
// CHECK: linalg.matmul ins(%[[ROWS]], %{{.*}} : memref<8x64xf32>, memref<64x32xf32>)
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @gathered(%x: tensor<1000x64xf32>, %ids: tensor<512x1xi64>, %w: tensor<64x32xf32>, %y: tensor<512x32xf32>) -> tensor<512x32xf32> {
  %rows = gs.gather %x[%ids] gather_dims([0]) mode(clip)
      : (tensor<1000x64xf32>, tensor<512x1xi64>) -> tensor<512x64xf32>
  %r = linalg.matmul ins(%rows, %w : tensor<512x64xf32>, tensor<64x32xf32>) outs(%y : tensor<512x32xf32>) -> tensor<512x32xf32>
  return %r : tensor<512x32xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %gather = transform.structured.match ops{["gs.gather"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = gs_transform.generalize %gather : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %matmul tile_sizes [8, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused = gs_transform.fuse_into %generic, %loop
        : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}
