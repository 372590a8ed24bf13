// Adds each value to the sum at its coordinate. Coordinates may repeat.
func.func @sums(%sums: tensor<?xf32> loc("sums"), %ids: tensor<?x1xi64> loc("ids"),
                %values: tensor<?xf32> loc("values")) -> tensor<?xf32> {
  %0 = gs.scatter %values into %sums[%ids] scatter_dims([0]) mode(error) combine(add)
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
