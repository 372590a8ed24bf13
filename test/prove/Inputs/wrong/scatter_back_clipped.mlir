// Clipped reads are dropped when they are written back, of another tensor.
func.func @f(%d: tensor<?xf32>, %e: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %g = gs.gather %e[%i] gather_dims([0]) mode(clip)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %r = gs.scatter %g into %d[%i] scatter_dims([0]) mode(drop)
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%d: tensor<?xf32>, %e: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  return %d : tensor<?xf32>
}
