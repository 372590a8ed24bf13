// Coordinates are narrowed although they may not fit.
func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi64>) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi64>) -> tensor<?xf32> {
  %k = arith.trunci %i : tensor<?x1xi64> to tensor<?x1xi32>
  %r = gs.gather %x[%k] gather_dims([0]) mode(fill)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
