// RUN: gs-opt %s --split-input-file --verify-diagnostics --gs-tile="sizes=4,8"

func.func @named(%source: tensor<9xf32>, %indices: tensor<5x1xi32>) -> tensor<5xf32> {
  // expected-error@+1 {{'gs.gather' op must become gs.generic before it is tiled: gs-generalize}}
  %0 = "gs.gather"(%source, %indices) {gather_dims = array<i64: 0>}
      : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @memrefs(%x: memref<?xf32>, %y: memref<?xf32>) {
  // expected-error@+1 {{'gs.generic' op is on memrefs: tiles are cut from tensors}}
  "gs.generic"(%x, %y) ({
  ^bb0(%a: f32, %o: f32):
    "gs.yield"(%a) : (f32) -> ()
  }) {coordinate_maps = [],
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 0, 0, 0, 0>
  } : (memref<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

func.func @backwards(%x: tensor<32xf32>, %y: tensor<32xf32>) -> tensor<32xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d0 in dimension 0 of 'inputs #0', -d0 + 31, runs backwards}}
  %r = "gs.generic"(%x, %y) ({
  ^bb0(%a0: f32, %old: f32):
    "gs.yield"(%a0) : (f32) -> ()
  }) {
    indexing_maps = [affine_map<(d0) -> (-d0 + 31)>,
                     affine_map<(d0) -> (d0)>],
    coordinate_maps = [],
    iterator_types = ["parallel"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  return %r : tensor<32xf32>
}

// -----

func.func @divided(%x: tensor<32xf32>, %y: tensor<32xf32>) -> tensor<32xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d0 in dimension 0 of 'inputs #0', d0 floordiv 3, divides by what tiles are no multiples of}}
  %r = "gs.generic"(%x, %y) ({
  ^bb0(%a0: f32, %old: f32):
    "gs.yield"(%a0) : (f32) -> ()
  }) {
    indexing_maps = [affine_map<(d0) -> (d0 floordiv 3)>,
                     affine_map<(d0) -> (d0)>],
    coordinate_maps = [],
    iterator_types = ["parallel"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
  return %r : tensor<32xf32>
}

// -----

func.func @window(%x: tensor<32xf32>, %i: tensor<16xi64>, %y: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d1 in dimension 0 of 'inputs #0', d1 + s0, is part of a window that s0 checks as a whole}}
  %r = "gs.generic"(%x, %i, %y) ({
  ^bb0(%a0: f32, %old: f32):
    "gs.yield"(%a0) : (f32) -> ()
  }) {
    indexing_maps = [affine_map<(d0, d1)[s0] -> (s0 + d1)>,
                     affine_map<(d0, d1)[s0] -> (d0, d1)>],
    coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
    iterator_types = ["parallel", "parallel"], modes = ["clip"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<32xf32>, tensor<16xi64>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

// -----

func.func @added(%x: tensor<32xf32>, %i: tensor<16xi64>, %y: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d0 in dimension 0 of 'inputs #0', d0 + s0, is added to s0, which depends on the dim as well}}
  %r = "gs.generic"(%x, %i, %y) ({
  ^bb0(%a0: f32, %old: f32):
    "gs.yield"(%a0) : (f32) -> ()
  }) {
    indexing_maps = [affine_map<(d0)[s0] -> (s0 + d0)>,
                     affine_map<(d0)[s0] -> (d0)>],
    coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
    iterator_types = ["parallel"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<32xf32>, tensor<16xi64>, tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

func.func @order(%x: tensor<16x16xf32>, %i: tensor<16x16xi64>, %y: tensor<32xf32>) -> tensor<32xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d1: its elements are combined in order, and d0 runs around it; cut d0 to tiles of 1 as well}}
  %r = "gs.generic"(%x, %i, %y) ({
  ^bb0(%a0: f32, %old: f32):
    %n = arith.addf %old, %a0 : f32
    "gs.yield"(%n) : (f32) -> ()
  }) {
    indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>,
                     affine_map<(d0, d1)[s0] -> (s0)>],
    coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0, d1)>]],
    iterator_types = ["reduction", "reduction"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<16x16xf32>, tensor<16x16xi64>, tensor<32xf32>) -> tensor<32xf32>
  return %r : tensor<32xf32>
}

// -----

func.func @masked(%x: tensor<32x32xf32>, %i: tensor<16xi64>, %y: tensor<16xf32>) -> tensor<16xf32> {
  // expected-error@+1 {{'gs.generic' op cannot be tiled: dim d0 in dimension 1 of 'inputs #0', d0 * 2 - 4, may be out of bounds where another coordinate is}}
  %r = "gs.generic"(%x, %i, %y) ({
  ^bb0(%a0: f32, %old: f32):
    "gs.yield"(%a0) : (f32) -> ()
  }) {
    indexing_maps = [affine_map<(d0)[s0] -> (s0, d0 * 2 - 4)>,
                     affine_map<(d0)[s0] -> (d0)>],
    coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
    iterator_types = ["parallel"], modes = ["fill_or_drop"],
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
    resultSegmentSizes = array<i32: 1, 0, 0, 0>
  } : (tensor<32x32xf32>, tensor<16xi64>, tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}
