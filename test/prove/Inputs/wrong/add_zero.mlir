// x + 0 has not the bits of x where x is -0.
func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %z = arith.constant 0.0 : f32
  %zs = tensor.splat %z[%n] : tensor<?xf32>
  %s = arith.addf %r, %zs : tensor<?xf32>
  return %s : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
