// pattern: gather_in_one_part
// status: proved
// limits: where the first part ends is known, and how many coordinates there are

func.func @second_part(%a: tensor<9x?xf32>, %b: tensor<?x?xf32>, %i: tensor<3x1xi32>) -> tensor<3x?xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<9x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %nine = arith.constant dense<9> : tensor<3x1xi32>
  %k = arith.maxsi %i, %nine : tensor<3x1xi32>
  %r = "gs.gather"(%c, %k) {gather_dims = array<i64: 0>} : (tensor<?x?xf32>, tensor<3x1xi32>) -> tensor<3x?xf32>
  return %r : tensor<3x?xf32>
}

func.func @first_part(%a: tensor<9x?xf32>, %b: tensor<?x?xf32>, %i: tensor<3x1xi32>) -> tensor<3x?xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<9x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %zero = arith.constant dense<0> : tensor<3x1xi32>
  %eight = arith.constant dense<8> : tensor<3x1xi32>
  %low = arith.maxsi %i, %zero : tensor<3x1xi32>
  %k = arith.minsi %low, %eight : tensor<3x1xi32>
  %r = "gs.gather"(%c, %k) {gather_dims = array<i64: 0>} : (tensor<?x?xf32>, tensor<3x1xi32>) -> tensor<3x?xf32>
  return %r : tensor<3x?xf32>
}

func.func @known(%a: tensor<9x4xf32>, %b: tensor<7x4xf32>) -> tensor<3x4xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<9x4xf32>, tensor<7x4xf32>) -> tensor<16x4xf32>
  %i = arith.constant dense<[[10], [15], [10]]> : tensor<3x1xi32>
  %r = "gs.gather"(%c, %i) {gather_dims = array<i64: 0>, mode = "clip"} : (tensor<16x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @elements(%a: tensor<9x4xf32>, %b: tensor<?x4xf32>, %i: tensor<5x4xi32>) -> tensor<5x4xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<9x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %seven = arith.constant dense<7> : tensor<5x4xi32>
  %k = arith.andi %i, %seven : tensor<5x4xi32>
  %r = "gs.gather_elements"(%c, %k) {dim = 0 : i64} : (tensor<?x4xf32>, tensor<5x4xi32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
