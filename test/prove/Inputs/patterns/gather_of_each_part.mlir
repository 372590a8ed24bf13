// pattern: gather_of_each_part
// status: proved
// limits: static sizes: the pattern compares numbers of elements

func.func @columns_0(%a: tensor<9x4xf32>, %b: tensor<9x2xf32>, %i: tensor<5x1xi32>) -> tensor<5x6xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<9x4xf32>, tensor<9x2xf32>) -> tensor<9x6xf32>
  %r = "gs.gather"(%c, %i) {gather_dims = array<i64: 0>, mode = "clip"} : (tensor<9x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @columns_1(%a: tensor<9x4xf32>, %b: tensor<9x2xf32>, %i: tensor<5x1xi32>) -> tensor<5x6xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<9x4xf32>, tensor<9x2xf32>) -> tensor<9x6xf32>
  %r = "gs.gather"(%c, %i) {gather_dims = array<i64: 0>} : (tensor<9x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @columns_2(%a: tensor<9x4xf32>, %b: tensor<9x2xf32>, %i: tensor<5x1xi32>) -> tensor<5x6xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<9x4xf32>, tensor<9x2xf32>) -> tensor<9x6xf32>
  %r = "gs.gather"(%c, %i) {gather_dims = array<i64: 0>, mode = "fill"} : (tensor<9x6xf32>, tensor<5x1xi32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}
