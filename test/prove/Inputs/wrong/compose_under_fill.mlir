// A gather of gathered slices gathers coordinates that are filled.
func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi32>) -> tensor<?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %r = gs.gather %g[%k] gather_dims([0]) mode(fill)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi32>) -> tensor<?xf32> {
  %m = gs.gather %i[%k] gather_dims([0]) mode(fill) fill_value(0 : i32)
      : (tensor<?x1xi32>, tensor<?x1xi32>) -> tensor<?x1xi32>
  %r = gs.gather %x[%m] gather_dims([0]) : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
