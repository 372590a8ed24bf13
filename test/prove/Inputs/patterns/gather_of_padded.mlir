// pattern: gather_of_padded
// status: proved
// any: n = 19, 31; m = 7, 9; c = 6, 8; l = 4, 3; k = 5, 11; h = 3, 22
// where: l < 2**15; k < 2**15
// also: [[l, k] for a in c]

func.func @behind(%x: tensor<$(n)x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[0, 0] high[$h, 0] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %v : f32
  } : tensor<$(n)x?xf32> to tensor<$(n + h)x?xf32>
  %r = gs.gather %p[%i] gather_dims([0])
      : (tensor<$(n + h)x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @before(%x: tensor<$(n)x$(k)xf32>, %i: tensor<$(c)x1xi32>) -> tensor<$(c)x$(k)xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[$l, 0] high[$h, 0] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %v : f32
  } : tensor<$(n)x$(k)xf32> to tensor<$(l + n + h)x$(k)xf32>
  %r = gs.gather %p[%i] gather_dims([0]) unique
      : (tensor<$(l + n + h)x$(k)xf32>, tensor<$(c)x1xi32>) -> tensor<$(c)x$(k)xf32>
  return %r : tensor<$(c)x$(k)xf32>
}

func.func @two_dims(%x: tensor<$(n)x$(m)xf32>, %i: tensor<$(c)x2xi32>) -> tensor<$(c)xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[$l, $k] high[0, 0] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %v : f32
  } : tensor<$(n)x$(m)xf32> to tensor<$(l + n)x$(k + m)xf32>
  %r = gs.gather %p[%i] gather_dims([0, 1])
      : (tensor<$(l + n)x$(k + m)xf32>, tensor<$(c)x2xi32>) -> tensor<$(c)xf32>
  return %r : tensor<$(c)xf32>
}

func.func @elements(%x: tensor<$(c)x$(n)xf32>, %i: tensor<$(c)x$(m)xi16>) -> tensor<$(c)x$(m)xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[0, $l] high[0, $h] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %v : f32
  } : tensor<$(c)x$(n)xf32> to tensor<$(c)x$(l + n + h)xf32>
  %r = gs.gather_elements %p[%i] dim(1)
      : (tensor<$(c)x$(l + n + h)xf32>, tensor<$(c)x$(m)xi16>) -> tensor<$(c)x$(m)xf32>
  return %r : tensor<$(c)x$(m)xf32>
}
