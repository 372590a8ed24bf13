// pattern: gather_in_unit_dims
// status: proved

func.func @rows(%x: tensor<1x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<1x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @promised(%x: tensor<1x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<1x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @several_index_dims(%x: tensor<1x?xf32>, %i: tensor<?x?x1xi32>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<1x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
