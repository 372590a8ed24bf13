// pattern: insert_at_known_run
// status: proved
// any: n = 150, 152; m = 13, 15; k = 5, 6; s = 3, 4; b = 8, 9
// where: s + 2 * m < 2**31; s + 2 * m <= n; m > 0; n < 2**31; b > 0
// also: s + m

func.func @run(%x: tensor<$(n)x?xf32>, %u: tensor<$(m)x?xf32>) -> tensor<$(n)x?xf32> {
  %i = arith.constant dense<$[[s + 2 * a] for a in m]> : tensor<$(m)x1xi32>
  %r = gs.scatter %u into %x[%i] scatter_dims([0])
      : (tensor<$(m)x?xf32>, tensor<$(n)x?xf32>, tensor<$(m)x1xi32>) -> tensor<$(n)x?xf32>
  return %r : tensor<$(n)x?xf32>
}

func.func @one(%x: tensor<$(n)x$(k)xf32>, %u: tensor<1x$(k)xf32>) -> tensor<$(n)x$(k)xf32> {
  %i = arith.constant dense<$[[s]]> : tensor<1x1xi32>
  %r = gs.scatter %u into %x[%i] scatter_dims([0]) mode(drop)
      : (tensor<1x$(k)xf32>, tensor<$(n)x$(k)xf32>, tensor<1x1xi32>) -> tensor<$(n)x$(k)xf32>
  return %r : tensor<$(n)x$(k)xf32>
}

func.func @batches(%x: tensor<$(b)x$(n)x$(k)xf32>, %u: tensor<$(b)x$(m)x$(k)xf32>) -> tensor<$(b)x$(n)x$(k)xf32> {
  %j = arith.constant dense<$[[[s + a] for a in m] for c in b]> : tensor<$(b)x$(m)x1xi32>
  %r = gs.scatter %u into %x[%j] scatter_dims([1]) batch_dims(1)
      : (tensor<$(b)x$(m)x$(k)xf32>, tensor<$(b)x$(n)x$(k)xf32>, tensor<$(b)x$(m)x1xi32>)
      -> tensor<$(b)x$(n)x$(k)xf32>
  return %r : tensor<$(b)x$(n)x$(k)xf32>
}
