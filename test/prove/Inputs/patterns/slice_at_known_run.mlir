// pattern: slice_at_known_run
// status: proved
// limits: coordinates are constants

func.func @run(%x: tensor<9x?xf32>) -> tensor<3x?xf32> {
  %i = arith.constant dense<[[1], [3], [5]]> : tensor<3x1xi32>
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>} : (tensor<9x?xf32>, tensor<3x1xi32>) -> tensor<3x?xf32>
  return %r : tensor<3x?xf32>
}

func.func @backwards(%x: tensor<9x4xf32>) -> tensor<3x4xf32> {
  %i = arith.constant dense<[[5], [3], [1]]> : tensor<3x1xi32>
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>, mode = "error"} : (tensor<9x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @two_index_dims(%y: tensor<9x?xf32>) -> tensor<2x3x?xf32> {
  %e = arith.constant dense<[[[1], [2], [3]], [[4], [5], [6]]]> : tensor<2x3x1xi32>
  %r = "gs.gather"(%y, %e) {gather_dims = array<i64: 0>, mode = "clip"} : (tensor<9x?xf32>, tensor<2x3x1xi32>) -> tensor<2x3x?xf32>
  return %r : tensor<2x3x?xf32>
}

func.func @one_place(%z: tensor<6x?x7xf32>) -> tensor<1x?xf32> {
  %k = arith.constant dense<[[5, 2]]> : tensor<1x2xi32>
  %r = "gs.gather"(%z, %k) {gather_dims = array<i64: 0, 2>} : (tensor<6x?x7xf32>, tensor<1x2xi32>) -> tensor<1x?xf32>
  return %r : tensor<1x?xf32>
}

func.func @batches(%x: tensor<2x9x4xf32>) -> tensor<2x2x2x4xf32> {
  %i = arith.constant dense<[[[[1], [3]], [[5], [7]]], [[[1], [3]], [[5], [7]]]]> : tensor<2x2x2x1xi32>
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 1>, batch_dims = 1 : i64} : (tensor<2x9x4xf32>, tensor<2x2x2x1xi32>) -> tensor<2x2x2x4xf32>
  return %r : tensor<2x2x2x4xf32>
}
