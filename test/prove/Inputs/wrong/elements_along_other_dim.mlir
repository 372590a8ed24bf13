// Elements are gathered along another dimension.
func.func @f(%x: tensor<3x3xf32>, %i: tensor<3x3xi32>) -> tensor<3x3xf32> {
  %r = gs.gather_elements %x[%i] dim(0) : (tensor<3x3xf32>, tensor<3x3xi32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}

// -----

func.func @f(%x: tensor<3x3xf32>, %i: tensor<3x3xi32>) -> tensor<3x3xf32> {
  %r = gs.gather_elements %x[%i] dim(1) : (tensor<3x3xf32>, tensor<3x3xi32>) -> tensor<3x3xf32>
  return %r : tensor<3x3xf32>
}
