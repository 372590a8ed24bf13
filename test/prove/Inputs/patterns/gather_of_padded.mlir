// pattern: gather_of_padded
// status: proved
// limits: what is padded before the first element has a known size

func.func @behind(%x: tensor<9x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[0, 0] high[1, 0] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %v : f32
  } : tensor<9x?xf32> to tensor<10x?xf32>
  %r = "gs.gather"(%p, %i) {gather_dims = array<i64: 0>} : (tensor<10x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @before(%x: tensor<9x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x4xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[3, 0] high[1, 0] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %v : f32
  } : tensor<9x4xf32> to tensor<13x4xf32>
  %r = "gs.gather"(%p, %i) {gather_dims = array<i64: 0>, unique} : (tensor<13x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @two_dims(%x: tensor<9x4xf32>, %i: tensor<3x2xi32>) -> tensor<3xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[3, 2] high[0, 0] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %v : f32
  } : tensor<9x4xf32> to tensor<12x6xf32>
  %r = "gs.gather"(%p, %i) {gather_dims = array<i64: 0, 1>} : (tensor<12x6xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

func.func @elements(%x: tensor<5x8xf32>, %i: tensor<5x2xi16>) -> tensor<5x2xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[0, 4] high[0, 1] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %v : f32
  } : tensor<5x8xf32> to tensor<5x13xf32>
  %r = "gs.gather_elements"(%p, %i) {dim = 1 : i64} : (tensor<5x13xf32>, tensor<5x2xi16>) -> tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}
