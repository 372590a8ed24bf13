// A transpose is folded into the dimension numbers, and the coordinates are not swapped.
func.func @f(%x: tensor<?x?xf32>, %i: tensor<?x2xi32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %t = linalg.transpose ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  %r = gs.gather %t[%i] gather_dims([0, 1]) : (tensor<?x?xf32>, tensor<?x2xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<?x?xf32>, %i: tensor<?x2xi32>) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 1]) mode(clip)
      : (tensor<?x?xf32>, tensor<?x2xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
