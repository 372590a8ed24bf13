// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @generic_c5_extent_unknown(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op dim d0 must be a plain result of some map: its extent is unknown}}
  %0 = gs.generic (d0) [s0 = %i[d0 + 1]] ins(%x[d0 * 2]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c6_iterator_unknown(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'iterator_types' must hold parallel, reduction, found "window"}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = window)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c6_iterator_integer(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'iterator_types' must hold parallel, reduction, found 1 : i64}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = [1],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c6_iterator_missing(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of 'indices #0' must have 0 dims and 1 symbol, found (d0)[s0] -> (d0)}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = [],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c6_parallel_through_coordinate(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op iterator d0 must be reduction: it is not a plain result of each output map, and the op is not 'unique'}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = parallel)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c7_modes_count(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'modes' must have one entry per symbol (1), found 2}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>, modes = ["clip", "clip"]}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c7_mode_unknown(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'modes' must hold promise_in_bounds, clip, fill_or_drop, error, found "fill"}}
  %0 = gs.generic (d0) [s0 = %i[d0] mode(fill)] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c7_mode_integer(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'modes' must hold promise_in_bounds, clip, fill_or_drop, error, found 1 : i64}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>, modes = [1]}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c7_wrap_negative_count(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'wrap_negative' must have one entry per symbol (1), found 0}}
  %0 = gs.generic (d0) [s0 = %i[d0]]
      ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction) wrap_negative([])
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c7_clip_addresses_nothing(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op mode "clip" of s0: the symbol addresses nothing}}
  %0 = gs.generic (d0) [s0 = %i[d0] mode(clip)] ins(%x[d0]) outs(%y[0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c7_wrap_addresses_nothing(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op wrap_negative of s0: the symbol addresses nothing}}
  %0 = gs.generic (d0) [s0 = %i[d0] wrap_negative] ins(%x[d0]) outs(%y[0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c7_error_not_linear(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op mode "error" of s0 needs linear uses, found d0 mod 2 + s0 in the map of '%y'}}
  %0 = gs.generic (d0) [s0 = %i[d0] mode(error)]
      ins(%x[d0]) outs(%y[d0 mod 2 + s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c7_clip_into_nothing(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<0xf32>) {
  // expected-error@+1 {{'gs.generic' op mode "clip" of s0 needs a non-empty dimension: dimension 0 of '%y' has size 0}}
  %0 = gs.generic (d0) [s0 = %i[d0] mode(clip)] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<0xf32>) -> tensor<0xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c8_fill_values_count(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'fill_values' must have one entry per input (1), found 0}}
  %0 = gs.generic (d0) [s0 = %i[d0]]
      ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction) fill_values([])
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c8_fill_value_type(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'fill_values' entry of '%x' must be a constant of type f32, found 1 : i32}}
  %0 = gs.generic (d0) [s0 = %i[d0]]
      ins(%x[d0] fill(1 : i32)) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c8_fill_value_location(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'fill_values' must hold constants or unit, found a location}}
  %0 = gs.generic (d0) [s0 = %i[d0]]
      ins(%x[d0] fill(loc(unknown))) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c8_fill_value_needed(
    %x: tensor<7xf4E2M1FN>, %i: tensor<7xi32>, %y: tensor<7xf4E2M1FN>) {
  // expected-error@+1 {{'gs.generic' op requires attribute 'fill_values' entry of '%x': f4E2M1FN has no NaN to fill with}}
  %0 = gs.generic (d0) [s0 = %i[d0] mode(fill_or_drop)]
      ins(%x[s0]) outs(%y[d0]) iterators(d0 = reduction)
      : (tensor<7xf4E2M1FN>, tensor<7xi32>, tensor<7xf4E2M1FN>) -> tensor<7xf4E2M1FN> {
  ^bb0(%b0: f4E2M1FN, %b1: f4E2M1FN):
    gs.yield %b0 : f4E2M1FN
  }
  return
}

// -----

// The coordinate s1 is read where s0 says, so the input is filled where s0 is out of bounds.
func.func @generic_c8_fill_value_needed_behind(
    %x: tensor<7xf4E2M1FN>, %i: tensor<7xi32>, %j: tensor<9xi32>, %y: tensor<7xf4E2M1FN>) {
  // expected-error@+1 {{'gs.generic' op requires attribute 'fill_values' entry of '%x': f4E2M1FN has no NaN to fill with}}
  %0 = gs.generic (d0) [s0 = %i[d0] mode(fill_or_drop), s1 = %j[s0]]
      ins(%x[s1]) outs(%y[d0]) iterators(d0 = reduction)
      : (tensor<7xf4E2M1FN>, tensor<7xi32>, tensor<9xi32>, tensor<7xf4E2M1FN>) -> tensor<7xf4E2M1FN> {
  ^bb0(%b0: f4E2M1FN, %b1: f4E2M1FN):
    gs.yield %b0 : f4E2M1FN
  }
  return
}
