// pattern: forward_scattered
// status: proved

func.func @rows_0(%u: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = gs.scatter %u into %d[%i] scatter_dims([0]) unique
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.gather %s[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_1(%u: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = gs.scatter %u into %d[%i] scatter_dims([0]) unique mode(drop)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.gather %s[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_2(%u: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = gs.scatter %u into %d[%i] scatter_dims([0]) unique wrap_negative
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.gather %s[%i] gather_dims([0]) wrap_negative
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @elements(%u: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %s = gs.scatter_elements %u into %d[%i] dim(0) unique
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %r = gs.gather_elements %s[%i] dim(0) : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @batches(%u: tensor<?x?x?xf32>, %d: tensor<?x?x?xf32>, %i: tensor<?x?x1xi32>) -> tensor<?x?x?xf32> {
  %s = gs.scatter %u into %d[%i] scatter_dims([1]) unique batch_dims(1)
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  %r = gs.gather %s[%i] gather_dims([1]) batch_dims(1)
      : (tensor<?x?x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @two_coordinates(%u: tensor<?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x2xi32>) -> tensor<?xf32> {
  %s = gs.scatter %u into %d[%i] scatter_dims([0, 1]) unique
      : (tensor<?xf32>, tensor<?x?xf32>, tensor<?x2xi32>) -> tensor<?x?xf32>
  %r = gs.gather %s[%i] gather_dims([0, 1]) : (tensor<?x?xf32>, tensor<?x2xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
