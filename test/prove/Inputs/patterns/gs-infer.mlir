// pass: gs-infer
// status: proved
// any: n = 49, 52; m = 13, 15; s = 3, 4; b = 200, 202
// where: s + 2 * m <= n; n < 2**31; b > 127

func.func @iota(%x: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %i = tensor.generate %n {
  ^bb0(%a: index, %b: index):
    tensor.yield %a : index
  } : tensor<?x1xindex>
  %r = gs.gather %x[%i] gather_dims([0]) wrap_negative
      : (tensor<?x?xf32>, tensor<?x1xindex>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @iota_of_its_size(%u: tensor<?x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %d, %c0 : tensor<?x?xf32>
  %i = tensor.generate %n {
  ^bb0(%a: index, %b: index):
    tensor.yield %a : index
  } : tensor<?x1xindex>
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop) combine(add)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xindex>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @known(%x: tensor<$(n)x?xf32>, %u: tensor<$(m)x?xf32>) -> (tensor<$(m)x?xf32>, tensor<$(n)x?xf32>) {
  %i = arith.constant dense<$[[s + 2 * a] for a in m]> : tensor<$(m)x1xi32>
  %r = gs.gather %x[%i] gather_dims([0]) mode(fill) wrap_negative
      : (tensor<$(n)x?xf32>, tensor<$(m)x1xi32>) -> tensor<$(m)x?xf32>
  %s = gs.scatter %u into %x[%i] scatter_dims([0]) mode(error)
      : (tensor<$(m)x?xf32>, tensor<$(n)x?xf32>, tensor<$(m)x1xi32>) -> tensor<$(n)x?xf32>
  return %r, %s : tensor<$(m)x?xf32>, tensor<$(n)x?xf32>
}

func.func @bounded(%x: tensor<$(b)x?xf32>, %i: tensor<?x1xi8>) -> tensor<?x?xf32> {
  %w = arith.extui %i : tensor<?x1xi8> to tensor<?x1xi32>
  %k = arith.extsi %w : tensor<?x1xi32> to tensor<?x1xi64>
  %seven = arith.constant 127 : i64
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi8>
  %s = tensor.splat %seven[%n] : tensor<?x1xi64>
  %m = arith.minsi %k, %s : tensor<?x1xi64>
  %r = gs.gather %x[%m] gather_dims([0]) mode(clip)
      : (tensor<$(b)x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @bins(%u: tensor<?xf32>, %i: tensor<?x1xi32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  %c, %b = gs.histogram %u at %i combine(add)
      : (tensor<?xf32>, tensor<?x1xi32>) -> (tensor<?xf32>, tensor<?x1xi32>)
  %r = gs.scatter %c into %d[%b] scatter_dims([0]) mode(drop)
      : (tensor<?xf32>, tensor<?xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
