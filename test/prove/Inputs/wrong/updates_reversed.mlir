// The updates are scattered in the other order.
func.func @f(%u: tensor<2xf32>, %d: tensor<?xf32>, %i: tensor<2x1xi32>) -> tensor<?xf32> {
  %r = "gs.scatter"(%u, %d, %i) ({}) {scatter_dims = array<i64: 0>} : (tensor<2xf32>, tensor<?xf32>, tensor<2x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%u: tensor<2xf32>, %d: tensor<?xf32>, %i: tensor<2x1xi32>) -> tensor<?xf32> {
  %v = "gs.strided_slice"(%u) {offsets = array<i64: 0>, sizes = array<i64: 2>, strides = array<i64: -1>} : (tensor<2xf32>) -> tensor<2xf32>
  %k = "gs.strided_slice"(%i) {offsets = array<i64: 0, 0>, sizes = array<i64: 2, 1>, strides = array<i64: -1, 1>} : (tensor<2x1xi32>) -> tensor<2x1xi32>
  %r = "gs.scatter"(%v, %d, %k) ({}) {scatter_dims = array<i64: 0>} : (tensor<2xf32>, tensor<?xf32>, tensor<2x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
