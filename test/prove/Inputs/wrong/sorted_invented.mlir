// Coordinates are promised to ascend.
func.func @f(%u: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0])
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%u: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) sorted
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
