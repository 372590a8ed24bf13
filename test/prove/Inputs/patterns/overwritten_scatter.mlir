// pattern: overwritten_scatter
// status: proved

func.func @rows_0(%u: tensor<?x?xf32>, %v: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = gs.scatter %u into %d[%i] scatter_dims([0])
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.scatter %v into %s[%i] scatter_dims([0])
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_1(%u: tensor<?x?xf32>, %v: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = gs.scatter %u into %d[%i] scatter_dims([0]) mode(clip)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.scatter %v into %s[%i] scatter_dims([0]) mode(clip)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_2(%u: tensor<?x?xf32>, %v: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop) combine(add)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.scatter %v into %s[%i] scatter_dims([0]) mode(drop)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_3(%u: tensor<?x?xf32>, %v: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop) wrap_negative
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.scatter %v into %s[%i] scatter_dims([0]) mode(drop) wrap_negative
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_4(%u: tensor<?x?xf32>, %v: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = gs.scatter %u into %d[%i] scatter_dims([0]) unique combine(mul)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.scatter %v into %s[%i] scatter_dims([0]) unique
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @elements(%u: tensor<?x?xf32>, %v: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %s = gs.scatter_elements %u into %d[%i] dim(0) mode(drop) combine(add)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %r = gs.scatter_elements %v into %s[%i] dim(0) mode(drop)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
