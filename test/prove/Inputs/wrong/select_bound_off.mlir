// A select by whether a coordinate is in bounds becomes a mode, with the bound one too small.
func.func @f(%x: tensor<4xf32>, %i: tensor<?x1xi32>, %b: f32) -> tensor<?xf32> {
  %kv = arith.constant 3 : i32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %i, %c0 : tensor<?x1xi32>
  %ks = tensor.splat %kv[%n] : tensor<?x1xi32>
  %p = arith.cmpi slt, %i, %ks : tensor<?x1xi32>
  %zv = arith.constant 0 : i32
  %zs = tensor.splat %zv[%n] : tensor<?x1xi32>
  %q = arith.cmpi sge, %i, %zs : tensor<?x1xi32>
  %m = arith.andi %p, %q : tensor<?x1xi1>
  %l = tensor.collapse_shape %m [[0, 1]] : tensor<?x1xi1> into tensor<?xi1>
  %g = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<4xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  %v = arith.constant 7.0 : f32
  %vs = tensor.splat %v[%n] : tensor<?xf32>
  %r = arith.select %l, %g, %vs : tensor<?xi1>, tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @f(%x: tensor<4xf32>, %i: tensor<?x1xi32>, %b: f32) -> tensor<?xf32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(fill) fill_value(7.000000e+00 : f32)
      : (tensor<4xf32>, tensor<?x1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
