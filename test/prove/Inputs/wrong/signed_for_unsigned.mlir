// A maximum of unsigned numbers becomes one of signed ones.
func.func @f(%u: tensor<?xi8>, %d: tensor<?xi8>, %i: tensor<?x1xi32>) -> tensor<?xi8> {
  %r = "gs.scatter"(%u, %d, %i) ({
  ^bb0(%c_r: i8, %u_r: i8):
    %n_r = arith.maxui %c_r, %u_r : i8
    "gs.yield"(%n_r) : (i8) -> ()
  }) {scatter_dims = array<i64: 0>} : (tensor<?xi8>, tensor<?xi8>, tensor<?x1xi32>) -> tensor<?xi8>
  return %r : tensor<?xi8>
}

// -----

func.func @f(%u: tensor<?xi8>, %d: tensor<?xi8>, %i: tensor<?x1xi32>) -> tensor<?xi8> {
  %r = "gs.scatter"(%u, %d, %i) ({
  ^bb0(%c_r: i8, %u_r: i8):
    %n_r = arith.maxsi %c_r, %u_r : i8
    "gs.yield"(%n_r) : (i8) -> ()
  }) {scatter_dims = array<i64: 0>} : (tensor<?xi8>, tensor<?xi8>, tensor<?x1xi32>) -> tensor<?xi8>
  return %r : tensor<?xi8>
}
