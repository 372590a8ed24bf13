// pattern: padding_behind_gather
// status: proved
// any: b = 3, 4; n = 39, 42; c = 17, 18; k = 5, 8; l = 6, 7; h = 9, 6

func.func @columns(%x: tensor<$(b)x$(n)x$(k)xf32>, %i: tensor<$(b)x$(c)x1xi32>) -> tensor<$(b)x$(c)x$(l + k + h)xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[0, 0, $l] high[0, 0, $h] {
  ^bb0(%a0: index, %a1: index, %a2: index):
    tensor.yield %v : f32
  } : tensor<$(b)x$(n)x$(k)xf32> to tensor<$(b)x$(n)x$(l + k + h)xf32>
  %r = gs.gather %p[%i] gather_dims([1]) mode(clip) batch_dims(1)
      : (tensor<$(b)x$(n)x$(l + k + h)xf32>, tensor<$(b)x$(c)x1xi32>)
      -> tensor<$(b)x$(c)x$(l + k + h)xf32>
  return %r : tensor<$(b)x$(c)x$(l + k + h)xf32>
}

func.func @rows(%x: tensor<$(n)x$(k)xf32>, %i: tensor<$(c)x1xi32>) -> tensor<$(c)x$(k + h)xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[0, 0] high[0, $h] {
  ^bb0(%a0: index, %a1: index):
    tensor.yield %v : f32
  } : tensor<$(n)x$(k)xf32> to tensor<$(n)x$(k + h)xf32>
  %r = gs.gather %p[%i] gather_dims([0])
      : (tensor<$(n)x$(k + h)xf32>, tensor<$(c)x1xi32>) -> tensor<$(c)x$(k + h)xf32>
  return %r : tensor<$(c)x$(k + h)xf32>
}
