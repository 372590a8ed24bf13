// pattern: gather_of_one_value
// status: proved

func.func @filled(%v: f32, %i: tensor<?x1xi32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>} : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @constant(%i: tensor<5x1xi32>) -> tensor<5x4xf32> {
  %x = arith.constant dense<2.5> : tensor<9x4xf32>
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>} : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

func.func @elements(%v: f32, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %e = tensor.empty() : tensor<7x4xf32>
  %x = linalg.fill ins(%v : f32) outs(%e : tensor<7x4xf32>) -> tensor<7x4xf32>
  %r = "gs.gather_elements"(%x, %i) {dim = 0 : i64, mode = "clip"} : (tensor<7x4xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
