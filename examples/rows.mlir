// Rows of a table, in upstream's own op. Sizes are known at run time only.
func.func @rows(%table: tensor<?x?xf32> loc("table"), %ids: tensor<?x1xi64> loc("ids"))
    -> tensor<?x?xf32> {
  %rows = tensor.gather %table[%ids] gather_dims([0])
      : (tensor<?x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %rows : tensor<?x?xf32>
}
