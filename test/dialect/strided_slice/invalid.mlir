// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @strided_slice_no_operand() {
  // expected-error@+1 {{'gs.strided_slice' op expects 1 operand, found 0}}
  %0 = "gs.strided_slice"()
      {offsets = array<i64: 0, 1>, sizes = array<i64: 4, 3>, strides = array<i64: -2, 2>}
      : () -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_two_operands(%source: tensor<6x5xf32>, %more: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op expects 1 operand, found 2}}
  %0 = "gs.strided_slice"(%source, %more)
      {offsets = array<i64: 0, 1>, sizes = array<i64: 4, 3>, strides = array<i64: -2, 2>}
      : (tensor<6x5xf32>, tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_no_result(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op expects 1 result, found 0}}
  gs.strided_slice %source[0, 1] [4, 3] [-2, 2] : (tensor<6x5xf32>) -> ()
  return
}

// -----

func.func @strided_slice_with_region(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op expects 0 regions, found 1}}
  %0 = "gs.strided_slice"(%source) ({})
      {offsets = array<i64: 0, 1>, sizes = array<i64: 4, 3>, strides = array<i64: -2, 2>}
      : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_misspelt_attribute(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op has no attribute 'stride'; did you mean 'strides'?}}
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 2] {stride = 1 : i64}
      : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_unique(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op has no attribute 'unique'; it has offsets, sizes, strides}}
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 2] {unique} : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_without_offsets(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op requires attribute 'offsets'}}
  %0 = "gs.strided_slice"(%source) {sizes = array<i64: 4, 3>, strides = array<i64: 1, 1>}
      : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_without_sizes(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op requires attribute 'sizes'}}
  %0 = "gs.strided_slice"(%source) {offsets = array<i64: 4, 3>, strides = array<i64: 1, 1>}
      : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_without_strides(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op requires attribute 'strides'}}
  %0 = "gs.strided_slice"(%source) {offsets = array<i64: 4, 3>, sizes = array<i64: 1, 1>}
      : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_sizes_integer(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op attribute 'sizes' must be an array of i64, like array<i64: 0, 2>, found 4 : i64}}
  %0 = "gs.strided_slice"(%source)
      {offsets = array<i64: 0, 0>, sizes = 4, strides = array<i64: 1, 1>}
      : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c1_source_scalar(%source: f32) {
  // expected-error@+1 {{'gs.strided_slice' op operand 'source' must be a ranked tensor, found f32}}
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 2] : (f32) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c1_source_unranked(%source: tensor<*xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op operand 'source' must be a ranked tensor, found tensor<*xf32>}}
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 2] : (tensor<*xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c1_source_vector_elements(%source: tensor<6x5xvector<2xf32>>) {
  // expected-error@+1 {{'gs.strided_slice' op operand 'source' must have integer, float, complex or index elements, found vector<2xf32>}}
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 2]
      : (tensor<6x5xvector<2xf32>>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c2_offsets_length(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op attribute 'offsets' must have one entry per dim of source (2), found 1}}
  %0 = gs.strided_slice %source[0] [4, 3] [-2, 2] : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c2_sizes_length(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op attribute 'sizes' must have one entry per dim of source (2), found 3}}
  %0 = gs.strided_slice %source[0, 1] [4, 3, 2] [-2, 2] : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c2_strides_length(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op attribute 'strides' must have one entry per dim of source (2), found 0}}
  %0 = gs.strided_slice %source[0, 1] [4, 3] [] : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c3_offset_negative(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op attribute 'offsets' must be 0 or more in dim 1, found -1}}
  %0 = gs.strided_slice %source[0, -1] [4, 3] [-2, 2] : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c3_size_zero(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op attribute 'sizes' must be 1 or more in dim 0, found 0}}
  %0 = gs.strided_slice %source[0, 1] [0, 3] [-2, 2] : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c3_window_beyond_source(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op window [3, 7) of dim 0 must lie within source, found size 6}}
  %0 = gs.strided_slice %source[3, 1] [4, 3] [-2, 2] : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c3_window_far_beyond_source(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op window [9223372036854775807, 18446744073709551614) of dim 0 must lie within source, found size 6}}
  %0 = gs.strided_slice %source[9223372036854775807, 1] [9223372036854775807, 3] [-2, 2]
      : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c3_window_beyond_any_size(%source: tensor<?x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op window [9223372036854775807, 18446744073709551614) of dim 0 must lie within source, found size ?}}
  %0 = gs.strided_slice %source[9223372036854775807, 1] [9223372036854775807, 3] [-2, 2]
      : (tensor<?x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c4_stride_zero(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op attribute 'strides' must not be 0 in dim 1}}
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 0] : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @strided_slice_c4_stride_of_62_bits(%source: tensor<?xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op attribute 'strides' must be less than 2^62 in dim 0, found -4611686018427387904}}
  %0 = gs.strided_slice %source[0] [3] [-4611686018427387904] : (tensor<?xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @strided_slice_c5_result_rank(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op result must have the rank and element type of tensor<6x5xf32>, found tensor<2xf32>}}
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 2] : (tensor<6x5xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @strided_slice_c5_result_element_type(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op result must have the rank and element type of tensor<6x5xf32>, found tensor<2x2xi32>}}
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 2] : (tensor<6x5xf32>) -> tensor<2x2xi32>
  return
}

// -----

func.func @strided_slice_c5_result_memref(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op result must have the rank and element type of tensor<6x5xf32>, found memref<2x2xf32>}}
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 2] : (tensor<6x5xf32>) -> memref<2x2xf32>
  return
}

// -----

func.func @strided_slice_c5_result_too_large(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op result size must be in [1, 2] in dim 1, found 3}}
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 2] : (tensor<6x5xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @strided_slice_c5_result_empty(%source: tensor<6x5xf32>) {
  // expected-error@+1 {{'gs.strided_slice' op result size must be in [1, 2] in dim 0, found 0}}
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 2] : (tensor<6x5xf32>) -> tensor<0x2xf32>
  return
}
