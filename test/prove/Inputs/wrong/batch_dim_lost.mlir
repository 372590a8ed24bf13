// A batch dimension becomes a common one.
func.func @f(%x: tensor<2x?xf32>, %i: tensor<2x?x1xi32>) -> tensor<2x?xf32> {
  %r = gs.gather %x[%i] gather_dims([1]) batch_dims(1)
      : (tensor<2x?xf32>, tensor<2x?x1xi32>) -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}

// -----

func.func @f(%x: tensor<2x?xf32>, %i: tensor<2x?x1xi32>) -> tensor<2x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<2x?xf32>
  %y = tensor.extract_slice %x[0, 0] [1, %n] [1, 1] : tensor<2x?xf32> to tensor<?xf32>
  %r = gs.gather %y[%i] gather_dims([0]) : (tensor<?xf32>, tensor<2x?x1xi32>) -> tensor<2x?xf32>
  return %r : tensor<2x?xf32>
}
