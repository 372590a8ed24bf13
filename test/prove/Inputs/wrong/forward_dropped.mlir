// A gather of what was dropped is filled.
func.func @f(%u: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %s = gs.scatter %u into %d[%i] scatter_dims([0]) unique mode(drop)
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %r = gs.gather %s[%i] gather_dims([0]) mode(fill)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%u: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  return %u : tensor<?xf32>
}
