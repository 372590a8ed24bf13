// pattern: scatter_of_nothing
// status: proved

func.func @no_updates_0(%u: tensor<0x?xf32>, %d: tensor<?x?xf32>, %i: tensor<0x1xi32>) -> tensor<?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0])
      : (tensor<0x?xf32>, tensor<?x?xf32>, tensor<0x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @no_updates_1(%u: tensor<0x?xf32>, %d: tensor<?x?xf32>, %i: tensor<0x1xi32>) -> tensor<?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) mode(clip) combine(add)
      : (tensor<0x?xf32>, tensor<?x?xf32>, tensor<0x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @no_updates_2(%u: tensor<0x?xf32>, %d: tensor<?x?xf32>, %i: tensor<0x1xi32>) -> tensor<?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop)
      : (tensor<0x?xf32>, tensor<?x?xf32>, tensor<0x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @empty_slices(%u: tensor<?x0xf32>, %d: tensor<?x0xf32>, %i: tensor<?x1xi32>) -> tensor<?x0xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0])
      : (tensor<?x0xf32>, tensor<?x0xf32>, tensor<?x1xi32>) -> tensor<?x0xf32>
  return %r : tensor<?x0xf32>
}

func.func @elements(%u: tensor<0x?xf32>, %d: tensor<?x?xf32>, %i: tensor<0x?xi32>) -> tensor<?x?xf32> {
  %r = gs.scatter_elements %u into %d[%i] dim(0) mode(drop) combine(add)
      : (tensor<0x?xf32>, tensor<?x?xf32>, tensor<0x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
