// RUN: gs-opt %s --split-input-file --verify-diagnostics --gs-tile="sizes=4,8 loops=forall"

func.func @scatter(%x: tensor<16xf32>, %i: tensor<16xi64>, %y: tensor<32xf32>) -> tensor<32xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d0 is no dimension of 'outputs #0': tiles in parallel would write the same elements}}
  %r = "gs.generic"(%x, %i, %y) ({
  ^bb0(%a0: f32, %old: f32):
    "gs.yield"(%a0) : (f32) -> ()
  }) {
    indexing_maps = [affine_map<(d0)[s0] -> (d0)>,
                     affine_map<(d0)[s0] -> (s0)>],
    coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
    iterator_types = ["parallel"], unique,
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<16xf32>, tensor<16xi64>, tensor<32xf32>) -> tensor<32xf32>
  return %r : tensor<32xf32>
}
