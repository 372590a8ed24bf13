// Clipped first, wrapped afterwards: a negative coordinate is 0.
func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip) wrap_negative
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %z = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %zs = tensor.splat %z[%n] : tensor<?x1xi32>
  %k = arith.maxsi %i, %zs : tensor<?x1xi32>
  %r = gs.gather %x[%k] gather_dims([0]) mode(clip) wrap_negative
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
