// Slices at 1, 2 and so on are not the first slices.
func.func @f(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %k = tensor.generate %n {
  ^bb0(%a: index, %b: index):
    %one = arith.constant 1 : index
    %s = arith.addi %a, %one : index
    tensor.yield %s : index
  } : tensor<?x1xindex>
  %r = gs.gather %x[%k] gather_dims([0]) : (tensor<?xf32>, tensor<?x1xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}
