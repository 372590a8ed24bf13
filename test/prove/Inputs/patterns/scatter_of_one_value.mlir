// pattern: scatter_of_one_value
// status: proved
// limits: constants have static sizes

func.func @rows(%i: tensor<5x1xi32>) -> tensor<9xf32> {
  %u = arith.constant dense<2.5> : tensor<5xf32>
  %d = arith.constant dense<2.5> : tensor<9xf32>
  %r = "gs.scatter"(%u, %d, %i) ({}) {scatter_dims = array<i64: 0>, mode = "drop"} : (tensor<5xf32>, tensor<9xf32>, tensor<5x1xi32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

func.func @elements(%i: tensor<5x4xi32>) -> tensor<9x4xi8> {
  %u = arith.constant dense<3> : tensor<5x4xi8>
  %d = arith.constant dense<3> : tensor<9x4xi8>
  %r = "gs.scatter_elements"(%u, %d, %i) ({}) {dim = 0 : i64, mode = "clip"} : (tensor<5x4xi8>, tensor<9x4xi8>, tensor<5x4xi32>) -> tensor<9x4xi8>
  return %r : tensor<9x4xi8>
}
