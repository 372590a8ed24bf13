// pattern: slice_of_known_lines
// status: proved
// any: n = 8, 9; m = 30, 31; k = 5, 6; s = 3, 4
// where: s + 2 * k < m; m < 2**31; n > 0; k > 0
// also: 2 * (k - 1) + 1

func.func @lines(%x: tensor<$(n)x$(m)xf32>) -> tensor<$(n)x$(k)xf32> {
  %i = arith.constant dense<$[[s + 2 * a for a in k] for c in n]> : tensor<$(n)x$(k)xi32>
  %r = gs.gather_elements %x[%i] dim(1)
      : (tensor<$(n)x$(m)xf32>, tensor<$(n)x$(k)xi32>) -> tensor<$(n)x$(k)xf32>
  return %r : tensor<$(n)x$(k)xf32>
}

func.func @backwards(%x: tensor<$(n)x$(m)xf32>) -> tensor<$(n)x$(k)xf32> {
  %i = arith.constant dense<$[[s + 2 * (k - 1 - a) for a in k] for c in n]> : tensor<$(n)x$(k)xi32>
  %r = gs.gather_elements %x[%i] dim(1) mode(fill)
      : (tensor<$(n)x$(m)xf32>, tensor<$(n)x$(k)xi32>) -> tensor<$(n)x$(k)xf32>
  return %r : tensor<$(n)x$(k)xf32>
}
