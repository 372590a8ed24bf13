// pattern: insert_at_known_run
// status: proved
// limits: coordinates are constants

func.func @run(%x: tensor<9x?xf32>, %u: tensor<3x?xf32>) -> tensor<9x?xf32> {
  %i = arith.constant dense<[[1], [3], [5]]> : tensor<3x1xi32>
  %r = "gs.scatter"(%u, %x, %i) ({}) {scatter_dims = array<i64: 0>} : (tensor<3x?xf32>, tensor<9x?xf32>, tensor<3x1xi32>) -> tensor<9x?xf32>
  return %r : tensor<9x?xf32>
}

func.func @one(%x: tensor<9x4xf32>, %u: tensor<1x4xf32>) -> tensor<9x4xf32> {
  %i = arith.constant dense<5> : tensor<1x1xi32>
  %r = "gs.scatter"(%u, %x, %i) ({}) {scatter_dims = array<i64: 0>, mode = "drop"} : (tensor<1x4xf32>, tensor<9x4xf32>, tensor<1x1xi32>) -> tensor<9x4xf32>
  return %r : tensor<9x4xf32>
}

func.func @batches(%x: tensor<2x9x4xf32>, %u: tensor<2x3x4xf32>) -> tensor<2x9x4xf32> {
  %j = arith.constant dense<[[[2], [3], [4]], [[2], [3], [4]]]> : tensor<2x3x1xi32>
  %r = "gs.scatter"(%u, %x, %j) ({}) {scatter_dims = array<i64: 1>, batch_dims = 1 : i64} : (tensor<2x3x4xf32>, tensor<2x9x4xf32>, tensor<2x3x1xi32>) -> tensor<2x9x4xf32>
  return %r : tensor<2x9x4xf32>
}
