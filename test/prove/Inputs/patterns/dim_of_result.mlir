// pattern: dim_of_result
// status: proved

func.func @sizes(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %u: tensor<?x?xf32>, %k: tensor<?x?xi32>) -> (index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %m = tensor.dim %g, %c0 : tensor<?x?xf32>
  %n = tensor.dim %g, %c1 : tensor<?x?xf32>
  %s = gs.scatter %u into %x[%i] scatter_dims([0])
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %o = tensor.dim %s, %c0 : tensor<?x?xf32>
  %e = gs.gather_elements %x[%k] dim(0) mode(clip)
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %q = tensor.dim %e, %c1 : tensor<?x?xf32>
  return %m, %n, %o, %q : index, index, index, index
}
