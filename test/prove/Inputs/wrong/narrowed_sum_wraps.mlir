// A sum is computed in 8 bits, where it wraps around.
func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi8>) -> tensor<?xf32> {
  %w = arith.extsi %i : tensor<?x1xi8> to tensor<?x1xi32>
  %s = arith.addi %w, %w : tensor<?x1xi32>
  %r = gs.gather %x[%s] gather_dims([0]) mode(clip)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<?xf32>, %i: tensor<?x1xi8>) -> tensor<?xf32> {
  %s = arith.addi %i, %i : tensor<?x1xi8>
  %w = arith.extsi %s : tensor<?x1xi8> to tensor<?x1xi32>
  %r = gs.gather %x[%w] gather_dims([0]) mode(clip)
      : (tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
