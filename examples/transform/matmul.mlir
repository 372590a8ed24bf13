// The rows of a table that `ids` name, times a matrix; 64 rows at a time, tiles in parallel.

func.func @matmul(%table: tensor<1000x64xf32>, %ids: tensor<512x1xi64>, %w: tensor<64x32xf32>)
    -> tensor<512x32xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = gs.gather %table[%ids] gather_dims([0]) mode(clip)
      : (tensor<1000x64xf32>, tensor<512x1xi64>) -> tensor<512x64xf32>
  %empty = tensor.empty() : tensor<512x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x32xf32>) -> tensor<512x32xf32>
  %r = linalg.matmul ins(%rows, %w : tensor<512x64xf32>, tensor<64x32xf32>)
      outs(%zeros : tensor<512x32xf32>) -> tensor<512x32xf32>
  return %r : tensor<512x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %named = transform.structured.match ops{["gs.gather"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %gather = gs_transform.generalize %named : (!transform.any_op) -> !transform.any_op
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %matmul tile_sizes [64]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    gs_transform.fuse_into %gather, %loop
        : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}
