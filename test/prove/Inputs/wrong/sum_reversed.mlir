// A sum of floats is computed in the other order.
func.func @f(%u: tensor<3xf32>, %d: tensor<?xf32>, %i: tensor<3x1xi32>) -> tensor<?xf32> {
  %r = "gs.scatter"(%u, %d, %i) ({
  ^bb0(%c_r: f32, %u_r: f32):
    %n_r = arith.addf %c_r, %u_r : f32
    "gs.yield"(%n_r) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>} : (tensor<3xf32>, tensor<?xf32>, tensor<3x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%u: tensor<3xf32>, %d: tensor<?xf32>, %i: tensor<3x1xi32>) -> tensor<?xf32> {
  %v = "gs.strided_slice"(%u) {offsets = array<i64: 0>, sizes = array<i64: 3>, strides = array<i64: -1>} : (tensor<3xf32>) -> tensor<3xf32>
  %k = "gs.strided_slice"(%i) {offsets = array<i64: 0, 0>, sizes = array<i64: 3, 1>, strides = array<i64: -1, 1>} : (tensor<3x1xi32>) -> tensor<3x1xi32>
  %r = "gs.scatter"(%v, %d, %k) ({
  ^bb0(%c_r: f32, %u_r: f32):
    %n_r = arith.addf %c_r, %u_r : f32
    "gs.yield"(%n_r) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>} : (tensor<3xf32>, tensor<?xf32>, tensor<3x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
