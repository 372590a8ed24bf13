// Slices are scattered back to other places.
func.func @f(%d: tensor<?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi32>) -> tensor<?xf32> {
  %g = gs.gather %d[%i] gather_dims([0]) : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %r = gs.scatter %g into %d[%k] scatter_dims([0])
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%d: tensor<?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi32>) -> tensor<?xf32> {
  return %d : tensor<?xf32>
}
