// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @generic_c1_segments_too_short(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'operandSegmentSizes' must hold a 1 or 0 per slot (8 input, 8 index, 4 output), each role filled from its left, found array<i32: 1, 1, 1>}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"], operandSegmentSizes = array<i32: 1, 1, 1>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c1_segments_with_hole(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'operandSegmentSizes' must hold a 1 or 0 per slot (8 input, 8 index, 4 output), each role filled from its left, found array<i32: 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c1_segments_of_two(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'operandSegmentSizes' must hold a 1 or 0 per slot (8 input, 8 index, 4 output), each role filled from its left, found array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c1_segments_negative(%x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op attribute 'operandSegmentSizes' must hold a 1 or 0 per slot (8 input, 8 index, 4 output), each role filled from its left, found array<i32: 1, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>}}
  %0 = "gs.generic"(%x, %i, %y) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c1_operand_missing(%x: tensor<7xf32>, %i: tensor<7xi32>) {
  // expected-error@+1 {{'gs.generic' op expects 3 operands, found 2}}
  %0 = "gs.generic"(%x, %i) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>} : (tensor<7xf32>, tensor<7xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c1_operand_too_many(
    %x: tensor<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>, %z: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op expects 3 operands, found 4}}
  %0 = "gs.generic"(%x, %i, %y, %z) ({
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<7xf32>, tensor<7xi32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @generic_c1_no_output(%x: tensor<7xf32>, %i: tensor<7xi32>) {
  // expected-error@+1 {{'gs.generic' op expects 1 output or more, found 0}}
  gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs() iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<7xi32>) -> () {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c1_no_operands() {
  // expected-error@+1 {{'gs.generic' op expects 1 output or more, found 0}}
  gs.generic () outs() : () -> () {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c1_scalar_input(%x: f32, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op operand '%x' must be a ranked tensor or memref, found f32}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (f32, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c1_unranked_index(%x: tensor<7xf32>, %i: tensor<*xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op operand '%i' must be a ranked tensor or memref, found tensor<*xi32>}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xf32>, tensor<*xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c1_unranked_memref(%x: memref<7xf32>, %i: memref<7xi32>, %y: memref<*xf32>) {
  // expected-error@+1 {{'gs.generic' op operand '%y' must be a ranked tensor or memref, found memref<*xf32>}}
  gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (memref<7xf32>, memref<7xi32>, memref<*xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c1_tensor_and_memref(%x: memref<7xf32>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op operands must be all tensors or all memrefs, found '%x' memref<7xf32> and '%y' tensor<4xf32>}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (memref<7xf32>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c1_memref_and_tensor(%x: memref<7xf32>, %i: tensor<7xi32>, %y: memref<4xf32>) {
  // expected-error@+1 {{'gs.generic' op operands must be all tensors or all memrefs, found '%i' tensor<7xi32> and '%y' memref<4xf32>}}
  gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (memref<7xf32>, tensor<7xi32>, memref<4xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c1_input_vector_elements(
    %x: tensor<7xvector<2xf32>>, %i: tensor<7xi32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'gs.generic' op operand '%x' must have integer, float, complex or index elements, found vector<2xf32>}}
  %0 = gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (tensor<7xvector<2xf32>>, tensor<7xi32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c1_output_memref_elements(
    %x: memref<7xf32>, %i: memref<7xi32>, %y: memref<4xmemref<2xf32>>) {
  // expected-error@+1 {{'gs.generic' op operand '%y' must have integer, float, complex or index elements, found memref<2xf32>}}
  gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (memref<7xf32>, memref<7xi32>, memref<4xmemref<2xf32>>) -> () {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @generic_c1_layout_not_strided(
    %x: memref<7xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>, %i: memref<7xi32>,
    %y: memref<4xf32>) {
  // expected-error@+1 {{'gs.generic' op operand '%x' must have a strided layout, found memref<7xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>}}
  gs.generic (d0) [s0 = %i[d0]] ins(%x[d0]) outs(%y[s0]) iterators(d0 = reduction)
      : (memref<7xf32, affine_map<(d0) -> (d0 floordiv 2, d0 mod 2)>>, memref<7xi32>, memref<4xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    gs.yield %current : f32
  }
  return
}
