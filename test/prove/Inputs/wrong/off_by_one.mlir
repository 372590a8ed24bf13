// Coordinates are one too large.
func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %kv = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %ks = tensor.splat %kv[%n] : tensor<?x1xi32>
  %k = arith.addi %i, %ks : tensor<?x1xi32>
  %r = gs.gather %x[%k] gather_dims([0]) mode(clip)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
