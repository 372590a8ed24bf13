// Each element of a window is clipped, not the window.
func.func @f(%x: tensor<?xf32>, %i: tensor<?xi32>, %o: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %r = gs.generic (d0, d1) [s0 = %i[d0] mode(clip)]
      ins(%x[d1 + s0]) outs(%o[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (tensor<?xf32>, tensor<?xi32>, tensor<?x2xf32>) -> tensor<?x2xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return %r : tensor<?x2xf32>
}

// -----

func.func @f(%x: tensor<?xf32>, %i: tensor<?xi32>, %o: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?xi32>
  %e = tensor.expand_shape %i [[0, 1]] output_shape [%n, 1] : tensor<?xi32> into tensor<?x1xi32>
  %one = arith.constant 1 : i32
  %ones = tensor.splat %one[%n] : tensor<?x1xi32>
  %f = arith.addi %e, %ones : tensor<?x1xi32>
  %k = tensor.concat dim(1) %e, %f : (tensor<?x1xi32>, tensor<?x1xi32>) -> tensor<?x2xi32>
  %j = tensor.expand_shape %k [[0], [1, 2]] output_shape [%n, 2, 1] : tensor<?x2xi32> into tensor<?x2x1xi32>
  %g = gs.gather %x[%j] gather_dims([0]) mode(clip)
      : (tensor<?xf32>, tensor<?x2x1xi32>) -> tensor<?x2xf32>
  %m = tensor.dim %o, %c0 : tensor<?x2xf32>
  %l = arith.minsi %n, %m : index
  %s = tensor.extract_slice %g[0, 0] [%l, 2] [1, 1] : tensor<?x2xf32> to tensor<?x2xf32>
  %r = tensor.insert_slice %s into %o[0, 0] [%l, 2] [1, 1] : tensor<?x2xf32> into tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
