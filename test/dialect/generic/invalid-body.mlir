// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @generic_c9_no_block(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op body must have one block, found 0}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c9_argument_missing(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op body must take (f32, f32), found (f32)}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%b0: f32):
    gs.yield %b0 : f32
  }
  return
}

// -----

func.func @generic_c9_argument_for_index(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op body must take (f32, f32), found (f32, i32, f32)}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%b0: f32, %b1: i32, %b2: f32):
    gs.yield %b0 : f32
  }
  return
}

// -----

func.func @generic_c9_terminator(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op body must end in gs.yield}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%b0: f32, %b1: f32):
    "llvm.unreachable"() : () -> ()
  }
  return
}

// -----

func.func @generic_c9_yields_two(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op body must yield (f32), found (f32, f32)}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%b0: f32, %b1: f32):
    gs.yield %b0, %b0 : f32, f32
  }
  return
}

// -----

func.func @generic_c9_output_types_differ(%a: tensor<4xf32>, %b: tensor<4xi32>, %c: tensor<4xi64>) {
  // expected-error@+1 {{'gs.generic' op outputs after the first must share one element type, found f32, i32, i64}}
  %0:3 = gs.generic (d0) outs(%a[d0], %b[d0], %c[d0]) iterators(d0 = parallel)
      : (tensor<4xf32>, tensor<4xi32>, tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi32>, tensor<4xi64>) {
  ^bb0(%b0: f32, %b1: i32, %b2: i64):
    gs.yield %b0 : f32
  }
  return
}

// -----

func.func @generic_c10_result_missing(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op results must be tensor<4xf32>, found none}}
  gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c10_result_type(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op results must be tensor<4xf32>, found tensor<?xf32>}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<?xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c10_results_too_many(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op results must be tensor<4xf32>, found tensor<4xf32> and tensor<4xf32>}}
  %0:2 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c10_result_of_memrefs(%x: memref<7xf32>, %i: memref<7xi32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'gs.generic' op results must be none, found memref<4xf32>}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (memref<7xf32>, memref<7xi32>, memref<4xf32>) -> memref<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c10_result_segments_count(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'resultSegmentSizes' must hold a 1 or 0 per slot (4), as many 1s as there are results (1), filled from the left, found array<i32: 0, 0, 0, 0>}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c10_result_segments_with_hole(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'resultSegmentSizes' must hold a 1 or 0 per slot (4), as many 1s as there are results (1), filled from the left, found array<i32: 0, 1, 0, 0>}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 1, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c10_result_segments_too_short(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'resultSegmentSizes' must hold a 1 or 0 per slot (4), as many 1s as there are results (1), filled from the left, found array<i32: 1>}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}
