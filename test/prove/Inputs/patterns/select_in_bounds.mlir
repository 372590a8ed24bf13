// pattern: select_in_bounds
// status: proved
// any: n = 9, 12; m = 5, 7; k = 4, 6
// where: n > 0; n < 2**31

func.func @clamped_and_selected(%x: tensor<$(n)xf32>, %i: tensor<$(m)xi32>) -> tensor<$(m)xf32> {
  %zero = arith.constant dense<0> : tensor<$(m)xi32>
  %nine = arith.constant dense<$n> : tensor<$(m)xi32>
  %c = arith.constant dense<-1.0> : tensor<$(m)xf32>
  %a = arith.cmpi sge, %i, %zero : tensor<$(m)xi32>
  %b = arith.cmpi slt, %i, %nine : tensor<$(m)xi32>
  %m = arith.andi %a, %b : tensor<$(m)xi1>
  %safe = arith.select %m, %i, %zero : tensor<$(m)xi1>, tensor<$(m)xi32>
  %k = tensor.expand_shape %safe [[0, 1]] output_shape [$m, 1] : tensor<$(m)xi32> into tensor<$(m)x1xi32>
  %g = gs.gather %x[%k] gather_dims([0])
      : (tensor<$(n)xf32>, tensor<$(m)x1xi32>) -> tensor<$(m)xf32>
  %r = arith.select %m, %g, %c : tensor<$(m)xi1>, tensor<$(m)xf32>
  return %r : tensor<$(m)xf32>
}

func.func @unsigned_comparison_of_rows(%x: tensor<$(n)x$(k)xf32>, %i: tensor<$(m)xi64>) -> tensor<$(m)x$(k)xf32> {
  %zero = arith.constant dense<0> : tensor<$(m)xi64>
  %eight = arith.constant dense<$(n - 1)> : tensor<$(m)xi64>
  %nine = arith.constant dense<$n> : tensor<$(m)xi64>
  %c = arith.constant dense<0.0> : tensor<$(m)x$(k)xf32>
  %m = arith.cmpi ult, %i, %nine : tensor<$(m)xi64>
  %low = arith.maxsi %i, %zero : tensor<$(m)xi64>
  %safe = arith.minsi %low, %eight : tensor<$(m)xi64>
  %k = tensor.expand_shape %safe [[0, 1]] output_shape [$m, 1] : tensor<$(m)xi64> into tensor<$(m)x1xi64>
  %g = gs.gather %x[%k] gather_dims([0])
      : (tensor<$(n)x$(k)xf32>, tensor<$(m)x1xi64>) -> tensor<$(m)x$(k)xf32>
  %e = tensor.empty() : tensor<$(m)x$(k)xi1>
  %w = linalg.broadcast ins(%m : tensor<$(m)xi1>) outs(%e : tensor<$(m)x$(k)xi1>) dimensions = [1]
  %r = arith.select %w, %g, %c : tensor<$(m)x$(k)xi1>, tensor<$(m)x$(k)xf32>
  return %r : tensor<$(m)x$(k)xf32>
}

func.func @clipped(%x: tensor<$(n)xf32>, %i: tensor<$(m)xi32>) -> tensor<$(m)xf32> {
  %c = arith.constant dense<-1.0> : tensor<$(m)xf32>
  %eight = arith.constant dense<$(n - 1)> : tensor<$(m)xi32>
  %m = arith.cmpi ule, %i, %eight : tensor<$(m)xi32>
  %k = tensor.expand_shape %i [[0, 1]] output_shape [$m, 1] : tensor<$(m)xi32> into tensor<$(m)x1xi32>
  %g = gs.gather %x[%k] gather_dims([0]) mode(clip)
      : (tensor<$(n)xf32>, tensor<$(m)x1xi32>) -> tensor<$(m)xf32>
  %r = arith.select %m, %g, %c : tensor<$(m)xi1>, tensor<$(m)xf32>
  return %r : tensor<$(m)xf32>
}
