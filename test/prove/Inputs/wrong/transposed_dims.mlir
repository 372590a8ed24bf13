// Another dimension is gathered.
func.func @f(%x: tensor<4x4xf32>, %i: tensor<?x1xi32>) -> tensor<?x4xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<4x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// -----

func.func @f(%x: tensor<4x4xf32>, %i: tensor<?x1xi32>) -> tensor<?x4xf32> {
  %r = gs.gather %x[%i] gather_dims([1]) : (tensor<4x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
