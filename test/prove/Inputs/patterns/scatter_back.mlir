// pattern: scatter_back
// status: proved

func.func @rows_0(%d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = gs.gather %d[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.scatter %g into %d[%i] scatter_dims([0])
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_1(%d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = gs.gather %d[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.scatter %g into %d[%i] scatter_dims([0]) mode(drop)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_2(%d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = gs.gather %d[%i] gather_dims([0]) mode(fill)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.scatter %g into %d[%i] scatter_dims([0])
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_3(%d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = gs.gather %d[%i] gather_dims([0]) mode(fill)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.scatter %g into %d[%i] scatter_dims([0]) mode(drop)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_4(%d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = gs.gather %d[%i] gather_dims([0]) mode(clip)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.scatter %g into %d[%i] scatter_dims([0]) mode(clip)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_5(%d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = gs.gather %d[%i] gather_dims([0]) mode(fill) wrap_negative
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.scatter %g into %d[%i] scatter_dims([0]) mode(drop) wrap_negative
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @elements(%d: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %g = gs.gather_elements %d[%i] dim(1) mode(fill)
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %r = gs.scatter_elements %g into %d[%i] dim(1) mode(drop)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @batches(%d: tensor<?x?x?xf32>, %i: tensor<?x?x1xi32>) -> tensor<?x?x?xf32> {
  %g = gs.gather %d[%i] gather_dims([1]) mode(clip) batch_dims(1)
      : (tensor<?x?x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  %r = gs.scatter %g into %d[%i] scatter_dims([1]) mode(clip) batch_dims(1)
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
