// Attention of 8 heads to keys and values that lie in pages of 16 rows: page by page, so that there
// is no copy of all pages in a row.

func.func @attention(%q: tensor<8x64xf32>, %keys: tensor<100x16x64xf32>,
                     %values: tensor<100x16x64xf32>, %pages: tensor<32x1xi64>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %k = gs.gather %keys[%pages] gather_dims([0]) mode(clip)
      : (tensor<100x16x64xf32>, tensor<32x1xi64>) -> tensor<32x16x64xf32>
  %v = gs.gather %values[%pages] gather_dims([0]) mode(clip)
      : (tensor<100x16x64xf32>, tensor<32x1xi64>) -> tensor<32x16x64xf32>
  %e0 = tensor.empty() : tensor<32x16x8xf32>
  %z0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<32x16x8xf32>) -> tensor<32x16x8xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(p, s, h, d) -> (h, d)>,
        affine_map<(p, s, h, d) -> (p, s, d)>, affine_map<(p, s, h, d) -> (p, s, h)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<8x64xf32>, tensor<32x16x64xf32>) outs(%z0 : tensor<32x16x8xf32>)
      attrs = {my.scores} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %o, %m : f32
    linalg.yield %n : f32
  } -> tensor<32x16x8xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %z1 = linalg.fill ins(%least : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(p, s, h) -> (p, s, h)>,
        affine_map<(p, s, h) -> (h)>], iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%scores : tensor<32x16x8xf32>) outs(%z1 : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.maximumf %o, %a : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %weights, %sum = linalg.generic {indexing_maps = [affine_map<(p, s, h) -> (p, s, h)>,
        affine_map<(p, s, h) -> (h)>, affine_map<(p, s, h) -> (p, s, h)>,
        affine_map<(p, s, h) -> (h)>], iterator_types = ["reduction", "reduction", "parallel"]}
      ins(%scores, %max : tensor<32x16x8xf32>, tensor<8xf32>)
      outs(%e0, %z2 : tensor<32x16x8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %m = arith.subf %a, %b : f32
    %x = math.exp %m : f32
    %n = arith.addf %o, %x : f32
    linalg.yield %x, %n : f32, f32
  } -> (tensor<32x16x8xf32>, tensor<8xf32>)
  %e3 = tensor.empty() : tensor<8x64xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<8x64xf32>) -> tensor<8x64xf32>
  %mixed = linalg.generic {indexing_maps = [affine_map<(p, s, h, d) -> (p, s, h)>,
        affine_map<(p, s, h, d) -> (p, s, d)>, affine_map<(p, s, h, d) -> (h, d)>],
      iterator_types = ["reduction", "reduction", "parallel", "parallel"]}
      ins(%weights, %v : tensor<32x16x8xf32>, tensor<32x16x64xf32>) outs(%z3 : tensor<8x64xf32>)
      attrs = {my.mixed} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.addf %o, %m : f32
    linalg.yield %n : f32
  } -> tensor<8x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, d) -> (h, d)>, affine_map<(h, d) -> (h)>,
        affine_map<(h, d) -> (h, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%mixed, %sum : tensor<8x64xf32>, tensor<8xf32>) outs(%e3 : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %n = arith.divf %a, %b : f32
    linalg.yield %n : f32
  } -> tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %named = transform.structured.match ops{["gs.gather"]} in %root
      : (!transform.any_op) -> !transform.any_op
    %gathers = gs_transform.generalize %named : (!transform.any_op) -> !transform.any_op
    %k, %v = transform.split_handle %gathers
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %scores = transform.structured.match attributes {my.scores} in %root
      : (!transform.any_op) -> !transform.any_op
    %t0, %loop0 = transform.structured.tile_using_forall %scores tile_sizes [1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    gs_transform.fuse_into %k, %loop0
        : (!transform.any_op, !transform.any_op) -> !transform.any_op
    %mixed = transform.structured.match attributes {my.mixed} in %root
      : (!transform.any_op) -> !transform.any_op
    %t1, %loop1 = transform.structured.tile_using_for %mixed tile_sizes [1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    gs_transform.fuse_into %v, %loop1
        : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
}
