// RUN: gs-opt %s --transform-interpreter --canonicalize --cse | filecheck %s

// What reads the gathered rows goes into the loops over them. Their size is read off the
// coordinates, and no tensor of all rows is left but the result.

// CHECK-LABEL: func.func @biased
// CHECK-COUNT-1: tensor.empty
// CHECK-NOT: tensor.empty
// CHECK: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c8
// CHECK: scf.for %[[J:.*]] = %c0 to %c64 step %c32 iter_args(%[[ALL:.*]] = %{{.*}})
// CHECK: %[[PART:.*]] = tensor.empty(%[[SIZE:.*]]) : tensor<?x32xf32>
// CHECK: %[[ROWS:.*]] = gs.generic {{.*}} = %{{.*}}[{{.*}} ins(%{{.*}}[{{.*}} outs(%[[PART]][
// CHECK: %[[BIAS:.*]] = tensor.extract_slice %{{.*}}[%[[J]]] [32] [1]
// CHECK: %[[OUT:.*]] = tensor.extract_slice %[[ALL]][%[[I]], %[[J]]] [%[[SIZE]], 32] [1, 1]
// CHECK: %[[SUM:.*]] = gs.generic {{.*}} ins(%[[ROWS]][{{.*}}, %[[BIAS]][{{.*}} outs(%[[OUT]][
// CHECK: my.fused
// CHECK: tensor.insert_slice %[[SUM]] into %[[ALL]][%[[I]], %[[J]]] [%[[SIZE]], 32] [1, 1]
func.func @biased(%x: tensor<?x64xf32>, %ids: tensor<?x1xi64>, %b: tensor<64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %rows = gs.gather %x[%ids] gather_dims([0]) mode(error)
      : (tensor<?x64xf32>, tensor<?x1xi64>) -> tensor<?x64xf32>
  %n = tensor.dim %rows, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(j)>, affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} 
    ins(%rows, %b : tensor<?x64xf32>, tensor<64xf32>) outs(%e : tensor<?x64xf32>) {
   ^bb0(%a: f32, %c: f32, %o: f32):
     %s = arith.addf %a, %c : f32
     linalg.yield %s : f32
  } -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %gather = transform.structured.match ops{["gs.gather"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = gs_transform.generalize %gather : (!transform.any_op) -> !transform.any_op
    %add = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops = gs_transform.tile %generic sizes([8, 32])
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %outer, %inner = transform.split_handle %loops
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %loops2 = gs_transform.fuse_consumer %add, %outer
        : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.annotate %fused "my.fused" : !transform.any_op
    transform.yield
  }
}
