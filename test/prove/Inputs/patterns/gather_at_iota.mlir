// pattern: gather_at_iota
// status: proved

func.func @all_rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %i = tensor.generate %n {
  ^bb0(%a: index, %b: index):
    tensor.yield %a : index
  } : tensor<?x1xindex>
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?x?xf32>, tensor<?x1xindex>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @some_rows(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %i = tensor.generate %n {
  ^bb0(%a: index, %b: index):
    tensor.yield %a : index
  } : tensor<?x1xindex>
  %r = gs.gather %x[%i] gather_dims([0])
      : (tensor<?x?xf32>, tensor<?x1xindex>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @some_elements(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %i = tensor.generate %n {
  ^bb0(%a: index):
    tensor.yield %a : index
  } : tensor<?xindex>
  %r = gs.gather_elements %x[%i] dim(0) : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
