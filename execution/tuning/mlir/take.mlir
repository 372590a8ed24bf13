func.func @take(%table: tensor<?xf32>, %places: tensor<?x1xi32>) -> tensor<?xf32> {
  %found = gs.gather %table[%places] gather_dims([0])
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %found : tensor<?xf32>
}
