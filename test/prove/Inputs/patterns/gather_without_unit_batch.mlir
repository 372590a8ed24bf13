// pattern: gather_without_unit_batch
// status: proved

func.func @rows_0(%x: tensor<1x?x?xf32>, %i: tensor<1x?x1xi32>) -> tensor<1x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([1]) mode(clip) batch_dims(1)
      : (tensor<1x?x?xf32>, tensor<1x?x1xi32>) -> tensor<1x?x?xf32>
  return %r : tensor<1x?x?xf32>
}

func.func @rows_1(%x: tensor<1x?x?xf32>, %i: tensor<1x?x1xi32>) -> tensor<1x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([1]) batch_dims(1)
      : (tensor<1x?x?xf32>, tensor<1x?x1xi32>) -> tensor<1x?x?xf32>
  return %r : tensor<1x?x?xf32>
}

func.func @rows_2(%x: tensor<1x?x?xf32>, %i: tensor<1x?x1xi32>) -> tensor<1x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([1]) mode(fill) batch_dims(1)
      : (tensor<1x?x?xf32>, tensor<1x?x1xi32>) -> tensor<1x?x?xf32>
  return %r : tensor<1x?x?xf32>
}
