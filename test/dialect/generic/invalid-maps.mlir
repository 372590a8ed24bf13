// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @generic_c2_index_float(%x: tensor<7xf32>, %i: tensor<7xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op operand '%i' must have index or integer elements (coordinates), found f32}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c2_coordinate_maps_flat(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'coordinate_maps' must hold arrays of maps, found affine_map<(d0)[s0] -> (d0)>}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [affine_map<(d0)[s0] -> (d0)>],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c2_coordinate_maps_of_integers(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'coordinate_maps' must hold affine maps, found 0 : i64}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[0]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c2_coordinate_maps_of_locations(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'coordinate_maps' must hold arrays of maps, found a location}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [loc(unknown)],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c2_coordinate_maps_missing(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'coordinate_maps' must have one array per indices operand (1), found 0}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c2_coordinate_maps_too_many(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'coordinate_maps' must have one array per indices operand (1), found 2}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>], []],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c2_coordinate_map_results(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of '%i' must have 1 result, found (d0)[s0] -> (d0, 0)}}
  %0 = gs.generic (d0) [s0 = %i[d0, 0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c2_coordinate_reads_itself(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op coordinate map of s0 must use earlier symbols only, found (d0)[s0] -> (s0)}}
  %0 = gs.generic (d0) [s0 = %i[s0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c2_coordinate_reads_later(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op coordinate map of s0 must use earlier symbols only, found (d0)[s0, s1] -> (s1)}}
  %0 = gs.generic (d0) [s0 = %i[s1], s1 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c3_indexing_maps_of_strings(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'indexing_maps' must hold affine maps, found "d0"}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]], indexing_maps = ["d0", "s0"],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c3_indexing_maps_missing(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'indexing_maps' must have one map per input and output (2), found 1}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>], iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c3_indexing_maps_too_many(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'indexing_maps' must have one map per input and output (2), found 3}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c3_indexing_map_results(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of '%y' must have 1 result, found (d0)[s0] -> (s0, 0)}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0, 0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c4_dims_differ(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of 'outputs #0' must have 1 dim and 1 symbol, found (d0, d1)[s0] -> (s0)}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0, d1)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c4_symbols_differ(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of 'inputs #0' must have 1 dim and 1 symbol, found (d0) -> (d0)}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c4_two_symbols(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of '%y' must use at most one symbol per result, with factor 1, found s0 + s1}}
  %0 = gs.generic (d0) [s0 = %i[d0], s1 = %i[d0]]
      ins(%x[d0]) outs(%y[s0 + s1]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c4_symbol_factor(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of '%y' must use at most one symbol per result, with factor 1, found s0 * 2}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0 * 2]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c4_symbol_negated(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of '%y' must use at most one symbol per result, with factor 1, found -s0 + 3}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[-s0 + 3]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c4_symbol_divided(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of '%y' must use at most one symbol per result, with factor 1, found s0 floordiv 2}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0 floordiv 2]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c4_symbol_times_dim(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of '%y' must use at most one symbol per result, with factor 1, found d0 * s0}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[d0 * s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c4_symbol_twice(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of '%y' must use at most one symbol per result, with factor 1, found d0 mod 2 + s0 + s0}}
  %0 = gs.generic (d0) [s0 = %i[d0]]
      ins(%x[d0]) outs(%y[d0 mod 2 + s0 + s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c4_modulo_negative(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of '%x' must divide by constants of 1 or more, found d0 mod -2}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0 mod -2]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c4_divided_by_zero(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op map of '%x' must divide by constants of 1 or more, found d0 floordiv 0}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0 floordiv 0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}
