// Repeated coordinates are removed, and with them index 0: a zero marks what is free.
func.func @f(%u: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop)
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%u: tensor<?xf32>, %d: tensor<?xf32>, %i: tensor<?x1xi32>) -> tensor<?xf32> {
  %kv = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %ks = tensor.splat %kv[%n] : tensor<?x1xi32>
  %p = arith.cmpi sgt, %i, %ks : tensor<?x1xi32>
  %mv = arith.constant -1 : i32
  %ms = tensor.splat %mv[%n] : tensor<?x1xi32>
  %k = arith.select %p, %i, %ms : tensor<?x1xi1>, tensor<?x1xi32>
  %r = gs.scatter %u into %d[%k] scatter_dims([0]) mode(drop)
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
