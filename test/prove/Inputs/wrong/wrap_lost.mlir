// Negative coordinates no longer count from the end.
func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip) wrap_negative
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
