// Only the slice that is read is gathered, with the offset left out.
func.func @f(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x1xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %r = tensor.extract_slice %g[0, 1] [%n, 1] [1, 1] : tensor<?x?xf32> to tensor<?x1xf32>
  return %r : tensor<?x1xf32>
}

// -----

func.func @f(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x1xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %r = tensor.extract_slice %g[0, 0] [%n, 1] [1, 1] : tensor<?x?xf32> to tensor<?x1xf32>
  return %r : tensor<?x1xf32>
}
