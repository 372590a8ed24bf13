// pattern: gather_of_each_part
// status: proved
// any: n = 9, 12; m = 4, 8; k = 2, 3; c = 5, 7

func.func @columns_0(%a: tensor<$(n)x$(m)xf32>, %b: tensor<$(n)x$(k)xf32>, %i: tensor<$(c)x1xi32>) -> tensor<$(c)x$(m + k)xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<$(n)x$(m)xf32>, tensor<$(n)x$(k)xf32>) -> tensor<$(n)x$(m + k)xf32>
  %r = gs.gather %c[%i] gather_dims([0]) mode(clip)
      : (tensor<$(n)x$(m + k)xf32>, tensor<$(c)x1xi32>) -> tensor<$(c)x$(m + k)xf32>
  return %r : tensor<$(c)x$(m + k)xf32>
}

func.func @columns_1(%a: tensor<$(n)x$(m)xf32>, %b: tensor<$(n)x$(k)xf32>, %i: tensor<$(c)x1xi32>) -> tensor<$(c)x$(m + k)xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<$(n)x$(m)xf32>, tensor<$(n)x$(k)xf32>) -> tensor<$(n)x$(m + k)xf32>
  %r = gs.gather %c[%i] gather_dims([0])
      : (tensor<$(n)x$(m + k)xf32>, tensor<$(c)x1xi32>) -> tensor<$(c)x$(m + k)xf32>
  return %r : tensor<$(c)x$(m + k)xf32>
}

func.func @columns_2(%a: tensor<$(n)x$(m)xf32>, %b: tensor<$(n)x$(k)xf32>, %i: tensor<$(c)x1xi32>) -> tensor<$(c)x$(m + k)xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<$(n)x$(m)xf32>, tensor<$(n)x$(k)xf32>) -> tensor<$(n)x$(m + k)xf32>
  %r = gs.gather %c[%i] gather_dims([0]) mode(fill)
      : (tensor<$(n)x$(m + k)xf32>, tensor<$(c)x1xi32>) -> tensor<$(c)x$(m + k)xf32>
  return %r : tensor<$(c)x$(m + k)xf32>
}
