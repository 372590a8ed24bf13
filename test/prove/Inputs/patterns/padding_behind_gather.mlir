// pattern: padding_behind_gather
// status: proved
// limits: static sizes: the pattern compares numbers of elements

func.func @columns(%x: tensor<2x9x4xf32>, %i: tensor<2x3x1xi32>) -> tensor<2x3x7xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 2] {
  ^bb0(%a0: index, %a1: index, %a2: index):
    tensor.yield %v : f32
  } : tensor<2x9x4xf32> to tensor<2x9x7xf32>
  %r = "gs.gather"(%p, %i) {gather_dims = array<i64: 1>, batch_dims = 1 : i64, mode = "clip"} : (tensor<2x9x7xf32>, tensor<2x3x1xi32>) -> tensor<2x3x7xf32>
  return %r : tensor<2x3x7xf32>
}

func.func @rows(%x: tensor<9x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x5xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[0, 0] high[0, 1] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %v : f32
  } : tensor<9x4xf32> to tensor<9x5xf32>
  %r = "gs.gather"(%p, %i) {gather_dims = array<i64: 0>} : (tensor<9x5xf32>, tensor<3x1xi32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
