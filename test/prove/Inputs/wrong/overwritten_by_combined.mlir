// A scatter goes although the next one reads what it wrote.
func.func @f(%u: tensor<?xf32>, %v: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %s = "gs.scatter"(%u, %d, %i) ({}) {scatter_dims = array<i64: 0>} : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %r = "gs.scatter"(%v, %s, %i) ({
  ^bb0(%c_r: f32, %u_r: f32):
    %n_r = arith.addf %c_r, %u_r : f32
    "gs.yield"(%n_r) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>} : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%u: tensor<?xf32>, %v: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = "gs.scatter"(%v, %d, %i) ({
  ^bb0(%c_r: f32, %u_r: f32):
    %n_r = arith.addf %c_r, %u_r : f32
    "gs.yield"(%n_r) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>} : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
