// pass: gs-choose-layouts
// status: proved
// any: n = 11, 14
// where: n > 8

func.func @pairs(%x: tensor<$(n)x2xf32>) -> tensor<$(n)x$(n)xf32> {
  %e = tensor.empty() : tensor<$(n)x$(n)x2xf32>
  %v = gs.generic (d0, d1, d2) ins(%x[d0, d2], %x[d1, d2]) outs(%e[d0, d1, d2])
      iterators(d0 = parallel, d1 = parallel, d2 = parallel)
      : (tensor<$(n)x2xf32>, tensor<$(n)x2xf32>, tensor<$(n)x$(n)x2xf32>) -> tensor<$(n)x$(n)x2xf32> {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    gs.yield %s : f32
  }
  %f = tensor.empty() : tensor<$(n)x$(n)xf32>
  %r = gs.generic (d0, d1) ins(%v[d0, d1, 0], %v[d0, d1, 1]) outs(%f[d0, d1])
      iterators(d0 = parallel, d1 = parallel)
      : (tensor<$(n)x$(n)x2xf32>, tensor<$(n)x$(n)x2xf32>, tensor<$(n)x$(n)xf32>) -> tensor<$(n)x$(n)xf32> {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    gs.yield %s : f32
  }
  return %r : tensor<$(n)x$(n)xf32>
}
