// RUN: gs-opt %s --gs-generalize --gs-specialize --canonicalize | filecheck %s

// CHECK-LABEL: func.func @non_contiguous_dims
// CHECK: "gs.gather"(%{{.*}}, %{{.*}}) {gather_dims = array<i64: 0, 2>}
// CHECK-NOT: gs.generic
func.func @non_contiguous_dims(%s: tensor<2x3x4xf32>, %i: tensor<5x6x2xindex>)
    -> tensor<5x6x3xf32> {
  %r = "gs.gather"(%s, %i) {gather_dims = array<i64: 0, 2>}
      : (tensor<2x3x4xf32>, tensor<5x6x2xindex>) -> tensor<5x6x3xf32>
  return %r : tensor<5x6x3xf32>
}

// CHECK-LABEL: func.func @unit_dims_kept
// CHECK: "gs.gather"
// CHECK-SAME: -> tensor<?x1x3x1xf32>
// CHECK-NOT: gs.generic
func.func @unit_dims_kept(%s: tensor<2x3x4xf32>, %i: tensor<?x2xi32>) -> tensor<?x1x3x1xf32> {
  %r = "gs.gather"(%s, %i) {gather_dims = array<i64: 0, 2>, mode = "clip", wrap_negative}
      : (tensor<2x3x4xf32>, tensor<?x2xi32>) -> tensor<?x1x3x1xf32>
  return %r : tensor<?x1x3x1xf32>
}

// CHECK-LABEL: func.func @batched_add
// CHECK: "gs.scatter"
// CHECK: ^bb0(%[[CURRENT:.*]]: f32, %[[UPDATE:.*]]: f32):
// CHECK-NEXT: arith.addf %[[CURRENT]], %[[UPDATE]]
// CHECK: {batch_dims = 1 : i64, mode = "drop", scatter_dims = array<i64: 1>}
// CHECK-NOT: gs.generic
func.func @batched_add(%u: tensor<2x5x4xf32>, %d: tensor<2x3x4xf32>, %i: tensor<2x5x1xi64>)
    -> tensor<2x3x4xf32> {
  %r = "gs.scatter"(%u, %d, %i) ({
  ^bb0(%current: f32, %update: f32):
    %new = arith.addf %current, %update : f32
    "gs.yield"(%new) : (f32) -> ()
  }) {batch_dims = 1 : i64, mode = "drop", scatter_dims = array<i64: 1>}
      : (tensor<2x5x4xf32>, tensor<2x3x4xf32>, tensor<2x5x1xi64>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// The window that a result needs is smaller than the one that was given.

// CHECK-LABEL: func.func @backwards
// CHECK: "gs.strided_slice"
// CHECK-SAME: offsets = array<i64: 1, 1>, sizes = array<i64: 3, 3>, strides = array<i64: -2, 2>
func.func @backwards(%x: tensor<4x4xf32>) -> tensor<2x2xf32> {
  %y = "gs.strided_slice"(%x) {offsets = array<i64: 0, 1>, sizes = array<i64: 4, 3>,
                               strides = array<i64: -2, 2>} : (tensor<4x4xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// No name says this: two inputs.

// CHECK-LABEL: func.func @sparse_times_vector
// CHECK: "gs.generic"
func.func @sparse_times_vector(%val: tensor<?xf32>, %x: tensor<9xf32>, %row: tensor<?xi32>,
                               %col: tensor<?xi32>, %y0: tensor<9xf32>) -> tensor<9xf32> {
  %y1 = "gs.generic"(%val, %x, %row, %col, %y0) ({
  ^bb0(%v: f32, %xe: f32, %acc: f32):
    %p = arith.mulf %v, %xe : f32
    %n = arith.addf %acc, %p : f32
    "gs.yield"(%n) : (f32) -> ()
  }) {
    coordinate_maps = [[affine_map<(d0)[s0, s1] -> (d0)>], [affine_map<(d0)[s0, s1] -> (d0)>]],
    indexing_maps = [affine_map<(d0)[s0, s1] -> (d0)>, affine_map<(d0)[s0, s1] -> (s1)>,
                     affine_map<(d0)[s0, s1] -> (s0)>],
    iterator_types = ["reduction"],
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<?xf32>, tensor<9xf32>, tensor<?xi32>, tensor<?xi32>, tensor<9xf32>) -> tensor<9xf32>
  return %y1 : tensor<9xf32>
}

// No name says this: the init of a gather that is not all overwritten, or is not empty.

// CHECK-LABEL: func.func @into_a_given_tensor
// CHECK: "gs.generic"
func.func @into_a_given_tensor(%s: tensor<9xf32>, %i: tensor<3xi64>, %out: tensor<5xf32>)
    -> tensor<5xf32> {
  %r = "gs.generic"(%s, %i, %out) ({
  ^bb0(%e: f32, %old: f32):
    "gs.yield"(%e) : (f32) -> ()
  }) {
    coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
    indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
    iterator_types = ["parallel"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<9xf32>, tensor<3xi64>, tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}
