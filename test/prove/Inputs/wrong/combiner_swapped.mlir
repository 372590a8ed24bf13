// The operands of a difference are swapped.
func.func @f(%u: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0])
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32> {
  ^bb0(%c_r: f32, %u_r: f32):
    %n_r = arith.subf %c_r, %u_r : f32
    gs.yield %n_r : f32
  }
  return %r : tensor<?xf32>
}

// -----

func.func @f(%u: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0])
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32> {
  ^bb0(%c_r: f32, %u_r: f32):
    %n_r = arith.subf %u_r, %c_r : f32
    gs.yield %n_r : f32
  }
  return %r : tensor<?xf32>
}
