// The updates are scattered in the other order.
func.func @f(%u: tensor<2xf32>, %d: tensor<?xf32>, %i: tensor<2x1xi32>) -> tensor<?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0])
      : (tensor<2xf32>, tensor<?xf32>, tensor<2x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%u: tensor<2xf32>, %d: tensor<?xf32>, %i: tensor<2x1xi32>) -> tensor<?xf32> {
  %v = gs.strided_slice %u[0] [2] [-1] : (tensor<2xf32>) -> tensor<2xf32>
  %k = gs.strided_slice %i[0, 0] [2, 1] [-1, 1] : (tensor<2x1xi32>) -> tensor<2x1xi32>
  %r = gs.scatter %v into %d[%k] scatter_dims([0])
      : (tensor<2xf32>, tensor<?xf32>, tensor<2x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
