// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @generic_without_region(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op expects 1 region, found 0}}
  %0 = "gs.generic"(%x, %i, %y)
      {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
       indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
       iterator_types = ["reduction"],
       operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
       resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_two_regions(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op expects 1 region, found 2}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }, {})
      {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
       indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
       iterator_types = ["reduction"],
       operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
       resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_misspelt_attribute(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op has no attribute 'mode'; did you mean 'modes'?}}
  %0 = gs.generic (d0) [s0 = %i[d0]]
      ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction) {mode = ["clip"]}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_unknown_attribute(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op has no attribute 'x'; it has coordinate_maps, fill_values, indexing_maps, iterator_types, modes, operandSegmentSizes, resultSegmentSizes, sorted, unique, wrap_negative}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction) {x}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_without_indexing_maps(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op requires attribute 'indexing_maps'}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]], iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_without_coordinate_maps(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op requires attribute 'coordinate_maps'}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_without_iterator_types(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op requires attribute 'iterator_types'}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_without_operand_segments(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op requires attribute 'operandSegmentSizes'}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"], resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_without_result_segments(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op requires attribute 'resultSegmentSizes'}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_operand_segments_i64(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'operandSegmentSizes' must be an array of i32, like array<i32: 1, 0>, found array<i64: 1, 1, 1>}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"], operandSegmentSizes = array<i64: 1, 1, 1>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_operand_segments_dense(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'operandSegmentSizes' must be an array of i32, like array<i32: 1, 0>, found dense<1> : tensor<20xi32>}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"], operandSegmentSizes = dense<1> : tensor<20xi32>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_result_segments_integer(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'resultSegmentSizes' must be an array of i32, like array<i32: 1, 0>, found 1 : i32}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = 1 : i32} : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_indexing_maps_integer(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'indexing_maps' must be an array, like [...], found 1 : i64}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]], indexing_maps = 1,
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_coordinate_maps_integer(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'coordinate_maps' must be an array, like [...], found 1 : i64}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = 1,
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_iterator_types_string(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'iterator_types' must be an array, like [...], found "parallel"}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = "parallel",
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_modes_string(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'modes' must be an array, like [...], found "clip"}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>, modes = "clip"}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_wrap_negative_unit(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'wrap_negative' must be an array of i1, like array<i1: true, false>, found unit}}
  %0 = gs.generic (d0) [s0 = %i[d0]]
      ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction) {wrap_negative}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_wrap_negative_array(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'wrap_negative' must be an array of i1, like array<i1: true, false>, found [true]}}
  %0 = gs.generic (d0) [s0 = %i[d0]]
      ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction) {wrap_negative = [true]}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_fill_values_constant(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'fill_values' must be an array, like [...], found 0.000000e+00 : f32}}
  %0 = gs.generic (d0) [s0 = %i[d0]]
      ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction) fill_values(0.0 : f32)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_unique_boolean(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'unique' must be a unit attribute (no value), found true}}
  %0 = gs.generic (d0) [s0 = %i[d0]]
      ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction) {unique = true}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c11_constant(%x: tensor<7xf32>, %i: tensor<7xi64>, %y: tensor<7xf32>) {
  // expected-error@+1 {{'gs.generic' op map of '%x' must compute numbers of less than 2^62, found s0 - 4611686018427387904}}
  %0 = gs.generic (d0) [s0 = %i[d0]]
      ins(%x[s0 - 4611686018427387904]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<7xf32>, tensor<7xi64>, tensor<7xf32>) -> tensor<7xf32> {
  ^bb0(%element: f32, %current: f32):
    gs.yield %element : f32
  }
  return
}

// -----

func.func @generic_c11_divided(%x: tensor<7xf32>, %y: tensor<7xf32>) {
  // expected-error@+1 {{'gs.generic' op map of '%x' must compute numbers of less than 2^62, found (d0 * 4294967296 + 1) floordiv 3}}
  %0 = gs.generic (d0)
      ins(%x[(d0 * 4294967296 + 1) floordiv 3]) outs(%y[d0]) iterators(d0 = parallel)
      : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xf32> {
  ^bb0(%element: f32, %current: f32):
    gs.yield %element : f32
  }
  return
}
