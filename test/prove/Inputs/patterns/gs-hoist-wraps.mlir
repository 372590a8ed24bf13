// pass: gs-hoist-wraps
// status: proved
// any: n = 5, 7; m = 9, 11
// where: n > 0; m > 0; m < 2147483648

func.func @loop(%x: tensor<$(m)xf32>, %i: tensor<$(n)xi32>) -> tensor<$(n)xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<$(n)xf32>
  %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%y = %e) -> (tensor<$(n)xf32>) {
    %g = gs.generic (d0) [s0 = %i[d0] mode(clip) wrap_negative] ins(%x[s0]) outs(%y[d0]) iterators(d0 = parallel) : (tensor<$(m)xf32>, tensor<$(n)xi32>, tensor<$(n)xf32>) -> tensor<$(n)xf32> {
    ^bb0(%a: f32, %o: f32):
      gs.yield %a : f32
    }
    scf.yield %g : tensor<$(n)xf32>
  }
  return %r : tensor<$(n)xf32>
}
