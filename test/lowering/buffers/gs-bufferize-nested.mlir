// RUN: gs-opt %s --gs-bufferize | FileCheck %s
// RUN: gs-run %s --shape 0=2 --seed 1 --check | FileCheck %s --check-prefix VALUE

// A module within the module is no business of One-Shot Bufferize's, and no function calls into it.

// CHECK-LABEL: func.func @f
// CHECK-SAME: memref<?xf32>
// VALUE: equal to the reference
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// CHECK-LABEL: module @inner
module @inner {
  // CHECK: func.func @g(%{{.*}}: tensor<16x4xf32>
  // CHECK: "gs.generic"
  // CHECK: -> tensor<3x4xf32>
  func.func @g(%t: tensor<16x4xf32>, %i: tensor<3x1xi32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %r = "gs.generic"(%t, %i, %o) ({
    ^bb0(%x: f32, %old: f32):
      "gs.yield"(%x) : (f32) -> ()
    }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0, 0)>]],
        indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>,
                         affine_map<(d0, d1)[s0] -> (d0, d1)>],
        iterator_types = ["parallel", "parallel"],
        operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
        resultSegmentSizes = array<i32: 1, 0, 0, 0>}
        : (tensor<16x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    return %r : tensor<3x4xf32>
  }
}
