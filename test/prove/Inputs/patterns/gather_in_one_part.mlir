// pattern: gather_in_one_part
// status: proved
// any: n = 9, 12; m = 21, 31; c = 3, 6; k = 4, 8; s = 2, 10
// where: n + m < 2**31; n > 7; s + c <= m
// also: [[s + a] for a in c]

func.func @second_part(%a: tensor<$(n)x?xf32>, %b: tensor<?x?xf32>, %i: tensor<$(c)x1xi32>) -> tensor<$(c)x?xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<$(n)x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %nine = arith.constant dense<$n> : tensor<$(c)x1xi32>
  %k = arith.maxsi %i, %nine : tensor<$(c)x1xi32>
  %r = gs.gather %c[%k] gather_dims([0])
      : (tensor<?x?xf32>, tensor<$(c)x1xi32>) -> tensor<$(c)x?xf32>
  return %r : tensor<$(c)x?xf32>
}

func.func @first_part(%a: tensor<$(n)x?xf32>, %b: tensor<?x?xf32>, %i: tensor<$(c)x1xi32>) -> tensor<$(c)x?xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<$(n)x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %zero = arith.constant dense<0> : tensor<$(c)x1xi32>
  %eight = arith.constant dense<$(n - 1)> : tensor<$(c)x1xi32>
  %low = arith.maxsi %i, %zero : tensor<$(c)x1xi32>
  %k = arith.minsi %low, %eight : tensor<$(c)x1xi32>
  %r = gs.gather %c[%k] gather_dims([0])
      : (tensor<?x?xf32>, tensor<$(c)x1xi32>) -> tensor<$(c)x?xf32>
  return %r : tensor<$(c)x?xf32>
}

func.func @known(%a: tensor<$(n)x$(k)xf32>, %b: tensor<$(m)x$(k)xf32>) -> tensor<$(c)x$(k)xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<$(n)x$(k)xf32>, tensor<$(m)x$(k)xf32>) -> tensor<$(n + m)x$(k)xf32>
  %i = arith.constant dense<$[[n + s + a] for a in c]> : tensor<$(c)x1xi32>
  %r = gs.gather %c[%i] gather_dims([0]) mode(clip)
      : (tensor<$(n + m)x$(k)xf32>, tensor<$(c)x1xi32>) -> tensor<$(c)x$(k)xf32>
  return %r : tensor<$(c)x$(k)xf32>
}

func.func @elements(%a: tensor<$(n)x$(k)xf32>, %b: tensor<?x$(k)xf32>, %i: tensor<$(c)x$(k)xi32>) -> tensor<$(c)x$(k)xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<$(n)x$(k)xf32>, tensor<?x$(k)xf32>) -> tensor<?x$(k)xf32>
  %seven = arith.constant dense<$(n - 1)> : tensor<$(c)x$(k)xi32>
  %k = arith.andi %i, %seven : tensor<$(c)x$(k)xi32>
  %r = gs.gather_elements %c[%k] dim(0)
      : (tensor<?x$(k)xf32>, tensor<$(c)x$(k)xi32>) -> tensor<$(c)x$(k)xf32>
  return %r : tensor<$(c)x$(k)xf32>
}
