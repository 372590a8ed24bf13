// Token embedding: for each token of each sentence, its row of the table.
// Upstream's own op; the sizes of vocabulary, batch and sentences are known at run time only.
func.func @embed(%table: tensor<?x384xf32>, %tokens: tensor<?x?x1xi64>) -> tensor<?x?x384xf32> {
  %rows = tensor.gather %table[%tokens] gather_dims([0])
      : (tensor<?x384xf32>, tensor<?x?x1xi64>) -> tensor<?x?x384xf32>
  return %rows : tensor<?x?x384xf32>
}
