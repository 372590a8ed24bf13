// A gather from the second part of a concatenated tensor forgets where it starts.
func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %kv = arith.constant 3 : i32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %ks = tensor.splat %kv[%n] : tensor<?x1xi32>
  %x = tensor.concat dim(0) %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
  %k = arith.maxsi %i, %ks : tensor<?x1xi32>
  %r = gs.gather %x[%k] gather_dims([0]) : (tensor<6xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %kv = arith.constant 3 : i32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %ks = tensor.splat %kv[%n] : tensor<?x1xi32>
  %k = arith.maxsi %i, %ks : tensor<?x1xi32>
  %r = gs.gather %b[%k] gather_dims([0]) mode(clip)
      : (tensor<3xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
