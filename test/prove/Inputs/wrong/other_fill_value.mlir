// Another fill value: 0 instead of -0.
func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(fill) fill_value(-0.000000e+00 : f32)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(fill) fill_value(0.000000e+00 : f32)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
