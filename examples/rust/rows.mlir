// Rows of a table, as an embedding looks them up. A row that is not there is an error.
func.func @rows(%table: tensor<?x?xf32> loc("table"), %ids: tensor<?x1xi64> loc("ids"))
    -> tensor<?x?xf32> {
  %rows = gs.gather %table[%ids] gather_dims([0]) mode(error)
      : (tensor<?x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %rows : tensor<?x?xf32>
}
