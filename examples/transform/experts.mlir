// A block of experts: each token goes through the two layers of the expert that it was routed to.
// The weights of one expert are taken at a time, not a copy of them for each token.

func.func @experts(%x: tensor<24x16xf32>, %expert: tensor<24x1xi64>, %first: tensor<4x16x32xf32>,
                   %second: tensor<4x32x16xf32>) -> tensor<24x16xf32> {
  %zero = arith.constant 0.0 : f32
  %w1 = gs.gather %first[%expert] gather_dims([0]) mode(clip) {my.weights}
      : (tensor<4x16x32xf32>, tensor<24x1xi64>) -> tensor<24x16x32xf32>
  %e1 = tensor.empty() : tensor<24x32xf32>
  %z1 = linalg.fill {my.zeros} ins(%zero : f32) outs(%e1 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %h = linalg.batch_vecmat {my.hidden} ins(%x, %w1 : tensor<24x16xf32>, tensor<24x16x32xf32>)
      outs(%z1 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(t, h) -> (t, h)>, affine_map<(t, h) -> (t, h)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<24x32xf32>) outs(%e1 : tensor<24x32xf32>) attrs = {my.relu} {
  ^bb0(%v: f32, %o: f32):
    %m = arith.maximumf %v, %zero : f32
    linalg.yield %m : f32
  } -> tensor<24x32xf32>
  %w2 = gs.gather %second[%expert] gather_dims([0]) mode(clip) {my.weights}
      : (tensor<4x32x16xf32>, tensor<24x1xi64>) -> tensor<24x32x16xf32>
  %e2 = tensor.empty() : tensor<24x16xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<24x16xf32>) -> tensor<24x16xf32>
  %y = linalg.batch_vecmat {my.out} ins(%a, %w2 : tensor<24x32xf32>, tensor<24x32x16xf32>)
      outs(%z2 : tensor<24x16xf32>) -> tensor<24x16xf32>
  return %y : tensor<24x16xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %named = transform.structured.match ops{["gs.gather"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %weights = gs_transform.generalize %named : (!transform.any_op) -> !transform.any_op
    %w1, %w2 = transform.split_handle %weights
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %out = transform.structured.match attributes {my.out} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %out tile_sizes [1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // From the last layer to the first: what one reads is computed in the loop next.
    gs_transform.fuse_into %w2, %loop
        : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %relu = transform.structured.match attributes {my.relu} in %root
      : (!transform.any_op) -> !transform.any_op
    %r, %loop1 = transform.structured.fuse_into_containing_op %relu into %loop
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %hidden = transform.structured.match attributes {my.hidden} in %root
      : (!transform.any_op) -> !transform.any_op
    %h, %loop2 = transform.structured.fuse_into_containing_op %hidden into %loop1
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    %zeros = transform.structured.match attributes {my.zeros} in %root
      : (!transform.any_op) -> !transform.any_op
    %z, %loop3 = transform.structured.fuse_into_containing_op %zeros into %loop2
      : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    gs_transform.fuse_into %w1, %loop3
        : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.tensor.fold_tensor_empty
    } : !transform.any_op
    transform.yield
  }
}
