// A maximum of unsigned numbers becomes one of signed ones.
func.func @f(%u: tensor<?xi8>, %d: tensor<?xi8>, %i: tensor<?x1xi32>) -> tensor<?xi8> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) combine(maxui)
      : (tensor<?xi8>, tensor<?xi8>, tensor<?x1xi32>) -> tensor<?xi8>
  return %r : tensor<?xi8>
}

// -----

func.func @f(%u: tensor<?xi8>, %d: tensor<?xi8>, %i: tensor<?x1xi32>) -> tensor<?xi8> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) combine(max)
      : (tensor<?xi8>, tensor<?xi8>, tensor<?x1xi32>) -> tensor<?xi8>
  return %r : tensor<?xi8>
}
