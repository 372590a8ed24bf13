// RUN: gs-opt %s --split-input-file --verify-diagnostics --gs-tile="sizes=4,8 loops=forall"

func.func @scatter(%x: tensor<16xf32>, %i: tensor<16xi64>, %y: tensor<32xf32>) -> tensor<32xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d0 is no dimension of '%y': tiles in parallel would write the same elements}}
  %r = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = parallel) unique
      : (tensor<16xf32>, tensor<16xi64>, tensor<32xf32>) -> tensor<32xf32> {
  ^bb0(%a0: f32, %old: f32):
    gs.yield %a0 : f32
  }
  return %r : tensor<32xf32>
}
