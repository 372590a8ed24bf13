// pattern: scatter_of_one_value
// status: proved
// any: n = 9, 12; m = 5, 7; k = 4, 6

func.func @rows(%i: tensor<$(m)x1xi32>) -> tensor<$(n)xf32> {
  %u = arith.constant dense<2.5> : tensor<$(m)xf32>
  %d = arith.constant dense<2.5> : tensor<$(n)xf32>
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop)
      : (tensor<$(m)xf32>, tensor<$(n)xf32>, tensor<$(m)x1xi32>) -> tensor<$(n)xf32>
  return %r : tensor<$(n)xf32>
}

func.func @elements(%i: tensor<$(m)x$(k)xi32>) -> tensor<$(n)x$(k)xi8> {
  %u = arith.constant dense<3> : tensor<$(m)x$(k)xi8>
  %d = arith.constant dense<3> : tensor<$(n)x$(k)xi8>
  %r = gs.scatter_elements %u into %d[%i] dim(0) mode(clip)
      : (tensor<$(m)x$(k)xi8>, tensor<$(n)x$(k)xi8>, tensor<$(m)x$(k)xi32>)
      -> tensor<$(n)x$(k)xi8>
  return %r : tensor<$(n)x$(k)xi8>
}
