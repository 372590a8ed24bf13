// Adds each value to the sum at its coordinate. Coordinates may repeat.
func.func @sums(%sums: tensor<?xf32> loc("sums"), %ids: tensor<?x1xi64> loc("ids"),
                %values: tensor<?xf32> loc("values")) -> tensor<?xf32> {
  %0 = "gs.scatter"(%values, %sums, %ids) ({
  ^bb0(%sum: f32, %value: f32):
    %1 = arith.addf %sum, %value : f32
    "gs.yield"(%1) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>, mode = "error"}
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
