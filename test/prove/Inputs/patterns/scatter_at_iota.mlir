// pattern: scatter_at_iota
// status: proved
// any: k = 4, 7

func.func @rows(%u: tensor<?x$(k)xf32>, %d: tensor<?x$(k)xf32>) -> tensor<?x$(k)xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %d, %c0 : tensor<?x$(k)xf32>
  %i = tensor.generate %n {
  ^bb0(%a: index, %b: index):
    tensor.yield %a : index
  } : tensor<?x1xindex>
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop)
      : (tensor<?x$(k)xf32>, tensor<?x$(k)xf32>, tensor<?x1xindex>) -> tensor<?x$(k)xf32>
  return %r : tensor<?x$(k)xf32>
}

func.func @elements(%u: tensor<?xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %d, %c0 : tensor<?xf32>
  %i = tensor.generate %n {
  ^bb0(%a: index):
    tensor.yield %a : index
  } : tensor<?xindex>
  %r = gs.scatter_elements %u into %d[%i] dim(0)
      : (tensor<?xf32>, tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
