// A gather from a padded tensor is moved by less than the padding.
func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>, %v: f32) -> tensor<?xf32> {
  %p = tensor.pad %x low[2] high[0] {
  ^bb0(%a: index):
    tensor.yield %v : f32
  } : tensor<?xf32> to tensor<?xf32>
  %kv = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %ks = tensor.splat %kv[%n] : tensor<?x1xi32>
  %k = arith.addi %i, %ks : tensor<?x1xi32>
  %r = gs.gather %p[%k] gather_dims([0]) : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi32>, %v: f32) -> tensor<?xf32> {
  %p = tensor.pad %x low[1] high[0] {
  ^bb0(%a: index):
    tensor.yield %v : f32
  } : tensor<?xf32> to tensor<?xf32>
  %kv = arith.constant 2 : i32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %ks = tensor.splat %kv[%n] : tensor<?x1xi32>
  %k = arith.addi %i, %ks : tensor<?x1xi32>
  %r = gs.gather %p[%k] gather_dims([0]) mode(clip)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
