// A maximum starts from 0.
func.func @f(%u: tensor<?xf32>) -> tensor<f32> {
  %z = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %s = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%u : tensor<?xf32>) outs(%s : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.maximumf %b, %a : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @f(%u: tensor<?xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %s = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%u : tensor<?xf32>) outs(%s : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.maximumf %b, %a : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
