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
  // CHECK: gs.generic (
  // CHECK: -> tensor<3x4xf32>
  func.func @g(%t: tensor<16x4xf32>, %i: tensor<3x1xi32>, %o: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %r = gs.generic (d0, d1) [s0 = %i[d0, 0]]
        ins(%t[s0, d1]) outs(%o[d0, d1]) iterators(d0 = parallel, d1 = parallel)
        : (tensor<16x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<3x4xf32> {
    ^bb0(%x: f32, %old: f32):
      gs.yield %x : f32
    }
    return %r : tensor<3x4xf32>
  }
}
