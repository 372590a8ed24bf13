// RUN: gs-opt %s --verify-roundtrip | gs-opt --mlir-print-local-scope | filecheck %s
// RUN: gs-opt %s --emit-bytecode | gs-opt --mlir-print-local-scope | filecheck %s

// y[row[e]] += val[e] * x[col[e]]
// CHECK-LABEL: func.func @sparse_matrix_times_vector
// CHECK: "gs.generic"
// CHECK-NEXT: ^bb0(%[[VAL:.*]]: f32, %[[X:.*]]: f32, %[[Y:.*]]: f32):
// CHECK-NEXT: %[[PRODUCT:.*]] = arith.mulf %[[VAL]], %[[X]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[Y]], %[[PRODUCT]]
// CHECK-NEXT: "gs.yield"(%[[SUM]])
// CHECK: coordinate_maps = {{\[\[}}affine_map<(d0)[s0, s1] -> (d0)>], [affine_map<(d0)[s0, s1] -> (d0)>]]
// CHECK-SAME: indexing_maps = [affine_map<(d0)[s0, s1] -> (d0)>, affine_map<(d0)[s0, s1] -> (s1)>, affine_map<(d0)[s0, s1] -> (s0)>]
// CHECK-SAME: iterator_types = ["reduction"]
func.func @sparse_matrix_times_vector(%val: tensor<?xf32>, %x: tensor<9xf32>, %row: tensor<?xi32>,
    %col: tensor<?xi32>, %y: tensor<9xf32>) -> tensor<9xf32> {
  %0 = "gs.generic"(%val, %x, %row, %col, %y) ({
  ^bb0(%v: f32, %xe: f32, %acc: f32):
    %product = arith.mulf %v, %xe : f32
    %sum = arith.addf %acc, %product : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0, s1] -> (d0)>], [affine_map<(d0)[s0, s1] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0, s1] -> (d0)>, affine_map<(d0)[s0, s1] -> (s1)>,
                       affine_map<(d0)[s0, s1] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<?xf32>, tensor<9xf32>, tensor<?xi32>, tensor<?xi32>, tensor<9xf32>)
      -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// On memrefs there are no results; layouts and memory spaces are those of the operands.
// CHECK-LABEL: func.func @on_memrefs
// CHECK: resultSegmentSizes = array<i32: 0, 0, 0, 0>
// CHECK-SAME: (memref<4x8xf32, strided<[?, 1], offset: ?>>, memref<7xindex>, memref<7x8xf32, 1>)
// CHECK-SAME: -> ()
func.func @on_memrefs(%x: memref<4x8xf32, strided<[?, 1], offset: ?>>, %i: memref<7xindex>,
    %y: memref<7x8xf32, 1>) {
  "gs.generic"(%x, %i, %y) ({
  ^bb0(%source: f32, %current: f32):
    "gs.yield"(%source) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<4x8xf32, strided<[?, 1], offset: ?>>, memref<7xindex>, memref<7x8xf32, 1>) -> ()
  return
}

// A window: a coordinate plus an iteration dim; a coordinate read where another one says; modes
// and wrapping per coordinate; a fill value per input, `unit` for the default.
// CHECK-LABEL: func.func @windows_and_modes
// CHECK: coordinate_maps = {{\[\[}}affine_map<(d0, d1)[s0, s1] -> (d0)>], [affine_map<(d0, d1)[s0, s1] -> (s0)>]]
// CHECK-SAME: fill_values = [1.000000e+00 : f32, unit]
// CHECK-SAME: affine_map<(d0, d1)[s0, s1] -> (d1 + s1, 3)>, affine_map<(d0, d1)[s0, s1] -> (s1 + 1)>
// CHECK-SAME: modes = ["clip", "fill_or_drop"]
// CHECK-SAME: wrap_negative = array<i1: false, true>
func.func @windows_and_modes(%a: tensor<9x4xf32>, %b: tensor<9xf32>, %i: tensor<5xi32>,
    %j: tensor<6xui8>, %y: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %0 = "gs.generic"(%a, %b, %i, %j, %y) ({
  ^bb0(%x: f32, %z: f32, %current: f32):
    %sum = arith.addf %x, %z : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0, s1] -> (d0)>],
                         [affine_map<(d0, d1)[s0, s1] -> (s0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0, s1] -> (s1 + d1, 3)>,
                       affine_map<(d0, d1)[s0, s1] -> (s1 + 1)>,
                       affine_map<(d0, d1)[s0, s1] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      modes = ["clip", "fill_or_drop"], wrap_negative = array<i1: false, true>,
      fill_values = [1.0 : f32, unit],
      operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<9x4xf32>, tensor<9xf32>, tensor<5xi32>, tensor<6xui8>, tensor<5x3xf32>)
      -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// Two coordinates from one operand; with `unique` a dim may be parallel through a coordinate.
// CHECK-LABEL: func.func @pairs_unique
// CHECK: coordinate_maps = {{\[\[}}affine_map<(d0)[s0, s1] -> (d0, 0)>, affine_map<(d0)[s0, s1] -> (d0, 1)>]]
// CHECK-SAME: iterator_types = ["parallel"]
// CHECK-SAME: sorted, unique
func.func @pairs_unique(%x: tensor<7xf32>, %i: tensor<7x2xindex>, %y: tensor<4x5xf32>)
    -> tensor<4x5xf32> {
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    "gs.yield"(%update) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0, s1] -> (d0, 0)>,
                          affine_map<(d0)[s0, s1] -> (d0, 1)>]],
      indexing_maps = [affine_map<(d0)[s0, s1] -> (d0)>, affine_map<(d0)[s0, s1] -> (s0, s1)>],
      iterator_types = ["parallel"], unique, sorted,
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7x2xindex>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// No loops at all, and dims that are divided.
// CHECK-LABEL: func.func @rank_0_and_divided_dims
// CHECK: coordinate_maps = [], indexing_maps = [affine_map<() -> ()>], iterator_types = []
// CHECK: indexing_maps = [affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>, affine_map<(d0) -> (d0)>]
// CHECK-SAME: iterator_types = ["parallel"]
func.func @rank_0_and_divided_dims(%a: tensor<f32>, %x: tensor<4x2xf32>, %y: tensor<8xf32>)
    -> (tensor<f32>, tensor<8xf32>) {
  %0 = "gs.generic"(%a) ({
  ^bb0(%current: f32):
    %sum = arith.addf %current, %current : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [], indexing_maps = [affine_map<() -> ()>], iterator_types = [],
      operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<f32>) -> tensor<f32>
  %1 = "gs.generic"(%x, %y) ({
  ^bb0(%source: f32, %current: f32):
    "gs.yield"(%source) : (f32) -> ()
  }) {coordinate_maps = [],
      indexing_maps = [affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<4x2xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<f32>, tensor<8xf32>
}
