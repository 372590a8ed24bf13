// A gather of what was combined is not the updates.
func.func @f(%u: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %s = "gs.scatter"(%u, %d, %i) ({
  ^bb0(%c_s: f32, %u_s: f32):
    %n_s = arith.addf %c_s, %u_s : f32
    "gs.yield"(%n_s) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>, unique} : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %r = "gs.gather"(%s, %i) {gather_dims = array<i64: 0>} : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%u: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  return %u : tensor<?xf32>
}
