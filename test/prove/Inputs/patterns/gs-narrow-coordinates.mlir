// pass: gs-narrow-coordinates
// status: proved
// any: c = 5, 8; b = 101, 97
// where: b < 2**15; b > 0

func.func @arithmetic(%x: tensor<?x?xf32>, %i: tensor<?x1xi8>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi8>
  %w = arith.extsi %i : tensor<?x1xi8> to tensor<?x1xi64>
  %four = arith.constant 4 : i64
  %s = tensor.splat %four[%n] : tensor<?x1xi64>
  %m = arith.muli %w, %s : tensor<?x1xi64>
  %k = arith.addi %m, %s : tensor<?x1xi64>
  %r = gs.gather %x[%k] gather_dims([0]) mode(fill) wrap_negative
      : (tensor<?x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @known(%u: tensor<3x?xf32>, %d: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %i = arith.constant dense<[[100], [-3], [100]]> : tensor<3x1xi64>
  %r = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop) combine(add)
      : (tensor<3x?xf32>, tensor<?x?xf32>, tensor<3x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @bounded(%x: tensor<?x?xf32>, %i: tensor<$(c)x1xi16>) -> tensor<$(c)x?xf32> {
  %w = arith.extsi %i : tensor<$(c)x1xi16> to tensor<$(c)x1xi64>
  %z = arith.constant dense<0> : tensor<$(c)x1xi64>
  %t = arith.constant dense<$b> : tensor<$(c)x1xi64>
  %l = arith.maxsi %w, %z : tensor<$(c)x1xi64>
  %k = arith.minsi %l, %t : tensor<$(c)x1xi64>
  %r = gs.gather %x[%k] gather_dims([0]) mode(clip)
      : (tensor<?x?xf32>, tensor<$(c)x1xi64>) -> tensor<$(c)x?xf32>
  return %r : tensor<$(c)x?xf32>
}
