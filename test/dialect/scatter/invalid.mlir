// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @scatter_c1_updates_scalar(
    %updates: f32, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op operand 'updates' must be a ranked tensor, found f32}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (f32, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c1_updates_unranked(
    %updates: tensor<*xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op operand 'updates' must be a ranked tensor, found tensor<*xf32>}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<*xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c1_updates_element_type(
    %updates: tensor<7x5xf64>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op operand 'updates' must have the element type of 'dest' (f32), found f64}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf64>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c2_dest_memref(
    %updates: tensor<7x5xf32>, %dest: memref<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op operand 'dest' must be a ranked tensor, found memref<4x5xf32>}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, memref<4x5xf32>, tensor<7x1xi32>) -> memref<4x5xf32>
  return
}

// -----

func.func @scatter_c2_dest_unranked(
    %updates: tensor<7x5xf32>, %dest: tensor<*xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op operand 'dest' must be a ranked tensor, found tensor<*xf32>}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<*xf32>, tensor<7x1xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @scatter_c2_dest_vector_elements(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xvector<2xf32>>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op operand 'dest' must have integer, float, complex or index elements, found vector<2xf32>}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xvector<2xf32>>, tensor<7x1xi32>) -> tensor<4x5xvector<2xf32>>
  return
}

// -----

func.func @scatter_c3_indices_scalar(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: index) {
  // expected-error@+1 {{'gs.scatter' op operand 'indices' must be a ranked tensor, found index}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, index) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c3_indices_rank_0(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<index>) {
  // expected-error@+1 {{'gs.scatter' op operand 'indices' must have rank 1 or more, found rank 0}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<index>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c3_indices_float(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xf32>) {
  // expected-error@+1 {{'gs.scatter' op operand 'indices' must have index or integer elements (coordinates), found f32}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c4_batch_dims_negative(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op attribute 'batch_dims' must be in [0, 1] (dest has rank 2, indices has rank 2), found -1}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0]) batch_dims(-1)
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c4_batch_dims_too_many(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op attribute 'batch_dims' must be in [0, 1] (dest has rank 2, indices has rank 2), found 2}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0]) batch_dims(2)
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c4_batch_sizes_differ(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op batch dim 0 must have the same size in dest and indices, found 4 and 7}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([1]) batch_dims(1)
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c5_dims_empty(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op attribute 'scatter_dims' must be non-empty}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c5_dims_beyond_rank(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op attribute 'scatter_dims' must hold dims in [0, 2), found 2}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([2])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c5_dims_in_batch(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<4x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op attribute 'scatter_dims' must hold dims in [1, 2), found 0}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0]) batch_dims(1)
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<4x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c5_dims_descending(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x2xi32>) {
  // expected-error@+1 {{'gs.scatter' op attribute 'scatter_dims' must be strictly increasing, found [1, 0]}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([1, 0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c6_tuple_length(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x2xi32>) {
  // expected-error@+1 {{'gs.scatter' op last dimension of operand 'indices' must be static and equal to the number of scatter_dims (1), found 2}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c6_tuple_dynamic(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x?xi32>) {
  // expected-error@+1 {{'gs.scatter' op last dimension of operand 'indices' must be static and equal to the number of scatter_dims (1), found a dynamic size}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x?xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c7_updates_slice_size(
    %updates: tensor<7x4xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op operand 'updates' must be tensor<7x5xf32> or tensor<7x1x5xf32>, found tensor<7x4xf32>}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x4xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c7_updates_index_size(
    %updates: tensor<6x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op operand 'updates' must be tensor<7x5xf32> or tensor<7x1x5xf32>, found tensor<6x5xf32>}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<6x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c7_updates_rank(
    %updates: tensor<7x1x1x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op operand 'updates' must be tensor<7x5xf32> or tensor<7x1x5xf32>, found tensor<7x1x1x5xf32>}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x1x1x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c7_updates_batch_size(
    %updates: tensor<3x6x5xf32>, %dest: tensor<2x4x5xf32>, %indices: tensor<2x6x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op operand 'updates' must be tensor<2x6x5xf32> or tensor<2x6x1x5xf32>, found tensor<3x6x5xf32>}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([1]) batch_dims(1)
      : (tensor<3x6x5xf32>, tensor<2x4x5xf32>, tensor<2x6x1xi32>) -> tensor<2x4x5xf32>
  return
}

// -----

func.func @scatter_c8_result_shape(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op result must be tensor<4x5xf32>, found tensor<7x5xf32>}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @scatter_c8_result_element_type(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op result must be tensor<4x5xf32>, found tensor<4x5xf64>}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf64>
  return
}

// -----

func.func @scatter_c8_result_less_static(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op result must be tensor<4x5xf32>, found tensor<?x5xf32>}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @scatter_c9_combiner_two_blocks(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op combiner region must have one block, found 2}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32> {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current : f32
  ^bb1(%other: f32):
    gs.yield %other : f32
  }
  return
}

// -----

func.func @scatter_c9_combiner_no_argument(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op combiner region must take (f32, f32), found ()}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32> {
  ^bb0:
    %one = arith.constant 1.0 : f32
    gs.yield %one : f32
  }
  return
}

// -----

func.func @scatter_c9_combiner_argument_type(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op combiner region must take (f32, f32), found (f32, f64)}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32> {
  ^bb0(%current: f32, %update: f64):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @scatter_c9_combiner_three_arguments(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op combiner region must take (f32, f32), found (f32, f32, f32)}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32> {
  ^bb0(%current: f32, %update: f32, %more: f32):
    gs.yield %current : f32
  }
  return
}

// -----

func.func @scatter_c9_combiner_returns(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op combiner region must end in gs.yield}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32> {
  ^bb0(%current: f32, %update: f32):
    "llvm.unreachable"() : () -> ()
  }
  return
}

// -----

func.func @scatter_c9_combiner_yields_two(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op combiner region must yield (f32), found (f32, f32)}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32> {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current, %update : f32, f32
  }
  return
}

// -----

func.func @scatter_c9_combiner_yields_other_type(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op combiner region must yield (f32), found (f64)}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32> {
  ^bb0(%current: f32, %update: f32):
    %wide = arith.extf %current : f32 to f64
    gs.yield %wide : f64
  }
  return
}

// -----

func.func @scatter_c10_mode_unknown(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op attribute 'mode' must be one of promise_in_bounds, clip, drop, error, found "ignore"}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0]) mode(ignore)
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c10_mode_of_gather(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op attribute 'mode' must be one of promise_in_bounds, clip, drop, error, found "fill"}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0]) mode(fill)
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_c11_clip_into_nothing(
    %updates: tensor<7x5xf32>, %dest: tensor<0x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op mode "clip" needs a non-empty dimension: dim 0 of 'dest' has size 0}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0]) mode(clip)
      : (tensor<7x5xf32>, tensor<0x5xf32>, tensor<7x1xi32>) -> tensor<0x5xf32>
  return
}
