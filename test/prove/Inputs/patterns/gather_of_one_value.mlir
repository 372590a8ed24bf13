// pattern: gather_of_one_value
// status: proved
// any: c = 5, 8; n = 9, 12; k = 4, 6; m = 7, 11

func.func @filled(%v: f32, %i: tensor<?x1xi32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @constant(%i: tensor<$(c)x1xi32>) -> tensor<$(c)x$(k)xf32> {
  %x = arith.constant dense<2.5> : tensor<$(n)x$(k)xf32>
  %r = gs.gather %x[%i] gather_dims([0])
      : (tensor<$(n)x$(k)xf32>, tensor<$(c)x1xi32>) -> tensor<$(c)x$(k)xf32>
  return %r : tensor<$(c)x$(k)xf32>
}

func.func @elements(%v: f32, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %e = tensor.empty() : tensor<$(m)x$(k)xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<$(m)x$(k)xf32>) -> tensor<$(m)x$(k)xf32>
  %r = gs.gather_elements %x[%i] dim(0) mode(clip)
      : (tensor<$(m)x$(k)xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
