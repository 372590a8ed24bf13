// pattern: slice_at_known_run
// status: proved
// any: n = 150, 152; m = 13, 15; k = 5, 6; s = 3, 4; b = 8, 9; q = 9, 10; p = 20, 21; t = 17, 18
// where: s + 2 * m < 2**31; s + 2 * m <= n; m > 0; s + q * k <= n; s + q * k < 2**31; s + 2 * q * k <= n; k > 0; q > 0; s < n; t < p; p < 2**31; n < 2**31
// also: 2 * (m - 1) + 1; q * k; 2 * (q * k - 1) + 1

func.func @run(%x: tensor<$(n)x?xf32>) -> tensor<$(m)x?xf32> {
  %i = arith.constant dense<$[[s + 2 * a] for a in m]> : tensor<$(m)x1xi32>
  %r = gs.gather %x[%i] gather_dims([0])
      : (tensor<$(n)x?xf32>, tensor<$(m)x1xi32>) -> tensor<$(m)x?xf32>
  return %r : tensor<$(m)x?xf32>
}

func.func @backwards(%x: tensor<$(n)x$(k)xf32>) -> tensor<$(m)x$(k)xf32> {
  %i = arith.constant dense<$[[s + 2 * (m - 1 - a)] for a in m]> : tensor<$(m)x1xi32>
  %r = gs.gather %x[%i] gather_dims([0]) mode(error)
      : (tensor<$(n)x$(k)xf32>, tensor<$(m)x1xi32>) -> tensor<$(m)x$(k)xf32>
  return %r : tensor<$(m)x$(k)xf32>
}

func.func @two_index_dims(%y: tensor<$(n)x?xf32>) -> tensor<$(q)x$(k)x?xf32> {
  %e = arith.constant dense<$[[[s + (a * k + c)] for c in k] for a in q]> : tensor<$(q)x$(k)x1xi32>
  %r = gs.gather %y[%e] gather_dims([0]) mode(clip)
      : (tensor<$(n)x?xf32>, tensor<$(q)x$(k)x1xi32>) -> tensor<$(q)x$(k)x?xf32>
  return %r : tensor<$(q)x$(k)x?xf32>
}

func.func @one_place(%z: tensor<$(n)x?x$(p)xf32>) -> tensor<1x?xf32> {
  %k = arith.constant dense<$[[s, t]]> : tensor<1x2xi32>
  %r = gs.gather %z[%k] gather_dims([0, 2])
      : (tensor<$(n)x?x$(p)xf32>, tensor<1x2xi32>) -> tensor<1x?xf32>
  return %r : tensor<1x?xf32>
}

func.func @batches(%x: tensor<$(b)x$(n)x?xf32>) -> tensor<$(b)x$(q)x$(k)x?xf32> {
  %i = arith.constant dense<$[[[[s + 2 * (d * k + c)] for c in k] for d in q] for a in b]> : tensor<$(b)x$(q)x$(k)x1xi32>
  %r = gs.gather %x[%i] gather_dims([1]) batch_dims(1)
      : (tensor<$(b)x$(n)x?xf32>, tensor<$(b)x$(q)x$(k)x1xi32>) -> tensor<$(b)x$(q)x$(k)x?xf32>
  return %r : tensor<$(b)x$(q)x$(k)x?xf32>
}
