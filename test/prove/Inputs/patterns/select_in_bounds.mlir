// pattern: select_in_bounds
// status: proved
// limits: what is compared with is a constant, so sizes are static

func.func @clamped_and_selected(%x: tensor<9xf32>, %i: tensor<5xi32>) -> tensor<5xf32> {
  %zero = arith.constant dense<0> : tensor<5xi32>
  %nine = arith.constant dense<9> : tensor<5xi32>
  %c = arith.constant dense<-1.0> : tensor<5xf32>
  %a = arith.cmpi sge, %i, %zero : tensor<5xi32>
  %b = arith.cmpi slt, %i, %nine : tensor<5xi32>
  %m = arith.andi %a, %b : tensor<5xi1>
  %safe = arith.select %m, %i, %zero : tensor<5xi1>, tensor<5xi32>
  %k = tensor.expand_shape %safe [[0, 1]] output_shape [5, 1] : tensor<5xi32> into tensor<5x1xi32>
  %g = "gs.gather"(%x, %k) {gather_dims = array<i64: 0>} : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  %r = arith.select %m, %g, %c : tensor<5xi1>, tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func @unsigned_comparison_of_rows(%x: tensor<9x4xf32>, %i: tensor<5xi64>) -> tensor<5x4xf32> {
  %zero = arith.constant dense<0> : tensor<5xi64>
  %eight = arith.constant dense<8> : tensor<5xi64>
  %nine = arith.constant dense<9> : tensor<5xi64>
  %c = arith.constant dense<0.0> : tensor<5x4xf32>
  %m = arith.cmpi ult, %i, %nine : tensor<5xi64>
  %low = arith.maxsi %i, %zero : tensor<5xi64>
  %safe = arith.minsi %low, %eight : tensor<5xi64>
  %k = tensor.expand_shape %safe [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64>
  %g = "gs.gather"(%x, %k) {gather_dims = array<i64: 0>} : (tensor<9x4xf32>, tensor<5x1xi64>) -> tensor<5x4xf32>
  %e = tensor.empty() : tensor<5x4xi1>
  %w = linalg.broadcast ins(%m : tensor<5xi1>) outs(%e : tensor<5x4xi1>) dimensions = [1]
  %r = arith.select %w, %g, %c : tensor<5x4xi1>, tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

func.func @clipped(%x: tensor<9xf32>, %i: tensor<5xi32>) -> tensor<5xf32> {
  %c = arith.constant dense<-1.0> : tensor<5xf32>
  %eight = arith.constant dense<8> : tensor<5xi32>
  %m = arith.cmpi ule, %i, %eight : tensor<5xi32>
  %k = tensor.expand_shape %i [[0, 1]] output_shape [5, 1] : tensor<5xi32> into tensor<5x1xi32>
  %g = "gs.gather"(%x, %k) {gather_dims = array<i64: 0>, mode = "clip"} : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  %r = arith.select %m, %g, %c : tensor<5xi1>, tensor<5xf32>
  return %r : tensor<5xf32>
}
