// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @gather_c1_source_scalar(%source: f32, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op operand 'source' must be a ranked tensor, found f32}}
  %0 = gs.gather %source[%indices] gather_dims([0]) : (f32, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c1_source_unranked(%source: tensor<*xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op operand 'source' must be a ranked tensor, found tensor<*xf32>}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<*xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c1_source_memref(%source: memref<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op operand 'source' must be a ranked tensor, found memref<4x5xf32>}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (memref<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c1_source_vector_elements(
    %source: tensor<4x5xvector<2xf32>>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op operand 'source' must have integer, float, complex or index elements, found vector<2xf32>}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xvector<2xf32>>, tensor<7x1xi32>) -> tensor<7x5xvector<2xf32>>
  return
}

// -----

func.func @gather_c2_indices_unranked(%source: tensor<4x5xf32>, %indices: tensor<*xi32>) {
  // expected-error@+1 {{'gs.gather' op operand 'indices' must be a ranked tensor, found tensor<*xi32>}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xf32>, tensor<*xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c2_indices_rank_0(%source: tensor<4x5xf32>, %indices: tensor<i32>) {
  // expected-error@+1 {{'gs.gather' op operand 'indices' must have rank 1 or more, found rank 0}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xf32>, tensor<i32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c2_indices_float(%source: tensor<4x5xf32>, %indices: tensor<7x1xf32>) {
  // expected-error@+1 {{'gs.gather' op operand 'indices' must have index or integer elements (coordinates), found f32}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xf32>, tensor<7x1xf32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c2_indices_of_vectors(
    %source: tensor<4x5xf32>, %indices: tensor<7x1xvector<2xi32>>) {
  // expected-error@+1 {{'gs.gather' op operand 'indices' must have index or integer elements (coordinates), found vector<2xi32>}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xf32>, tensor<7x1xvector<2xi32>>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c3_batch_dims_negative(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'batch_dims' must be in [0, 1] (source has rank 2, indices has rank 2), found -1}}
  %0 = gs.gather %source[%indices] gather_dims([0]) batch_dims(-1)
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c3_batch_dims_too_many(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'batch_dims' must be in [0, 1] (source has rank 2, indices has rank 2), found 2}}
  %0 = gs.gather %source[%indices] gather_dims([0]) batch_dims(2)
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c3_batch_dims_beyond_source(%source: tensor<4xf32>, %indices: tensor<4x5x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'batch_dims' must be in [0, 1] (source has rank 1, indices has rank 3), found 2}}
  %0 = gs.gather %source[%indices] gather_dims([0]) batch_dims(2)
      : (tensor<4xf32>, tensor<4x5x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c3_batch_sizes_differ(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op batch dim 0 must have the same size in source and indices, found 4 and 7}}
  %0 = gs.gather %source[%indices] gather_dims([1]) batch_dims(1)
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c4_dims_empty(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'gather_dims' must be non-empty}}
  %0 = gs.gather %source[%indices] gather_dims([])
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c4_dims_beyond_rank(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'gather_dims' must hold dims in [0, 2), found 2}}
  %0 = gs.gather %source[%indices] gather_dims([2])
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c4_dims_negative(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'gather_dims' must hold dims in [0, 2), found -1}}
  %0 = gs.gather %source[%indices] gather_dims([-1])
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c4_dims_in_batch(%source: tensor<4x5xf32>, %indices: tensor<4x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'gather_dims' must hold dims in [1, 2), found 0}}
  %0 = gs.gather %source[%indices] gather_dims([0]) batch_dims(1)
      : (tensor<4x5xf32>, tensor<4x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c4_dims_repeated(%source: tensor<4x5xf32>, %indices: tensor<7x2xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'gather_dims' must be strictly increasing, found [1, 1]}}
  %0 = gs.gather %source[%indices] gather_dims([1, 1])
      : (tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c4_dims_descending(%source: tensor<4x5xf32>, %indices: tensor<7x2xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'gather_dims' must be strictly increasing, found [1, 0]}}
  %0 = gs.gather %source[%indices] gather_dims([1, 0])
      : (tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c4_source_rank_0(%source: tensor<f32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'gather_dims' must hold dims in [0, 0), found 0}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<f32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c5_tuple_too_long(%source: tensor<4x5xf32>, %indices: tensor<7x2xi32>) {
  // expected-error@+1 {{'gs.gather' op last dimension of operand 'indices' must be static and equal to the number of gather_dims (1), found 2 (single coordinates have type tensor<7x2x1xi32>)}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xf32>, tensor<7x2xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c5_tuple_too_short(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op last dimension of operand 'indices' must be static and equal to the number of gather_dims (2), found 1}}
  %0 = gs.gather %source[%indices] gather_dims([0, 1])
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c5_tuple_dynamic(%source: tensor<4x5xf32>, %indices: tensor<7x?xi32>) {
  // expected-error@+1 {{'gs.gather' op last dimension of operand 'indices' must be static and equal to the number of gather_dims (1), found a dynamic size}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xf32>, tensor<7x?xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c6_result_shape(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op result must be tensor<7x5xf32> or tensor<7x1x5xf32>, found tensor<7x4xf32>}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c6_result_element_type(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op result must be tensor<7x5xf32> or tensor<7x1x5xf32>, found tensor<7x5xf64>}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf64>
  return
}

// -----

func.func @gather_c6_result_more_static(%source: tensor<4x?xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op result must be tensor<7x?xf32> or tensor<7x1x?xf32>, found tensor<7x5xf32>}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x?xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c6_result_less_static(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op result must be tensor<7x5xf32> or tensor<7x1x5xf32>, found tensor<?x5xf32>}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @gather_c6_result_unit_at_wrong_place(
    %source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op result must be tensor<7x5xf32> or tensor<7x1x5xf32>, found tensor<7x5x1xf32>}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5x1xf32>
  return
}

// -----

func.func @gather_c6_result_memref(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op result must be tensor<7x5xf32> or tensor<7x1x5xf32>, found memref<7x5xf32>}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> memref<7x5xf32>
  return
}

// -----

func.func @gather_c7_mode_unknown(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'mode' must be one of promise_in_bounds, clip, fill, error, found "wrap"}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(wrap)
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c7_mode_of_scatter(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'mode' must be one of promise_in_bounds, clip, fill, error, found "drop"}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(drop)
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c7_fill_value_without_mode(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'fill_value' needs mode = "fill", found "promise_in_bounds"}}
  %0 = gs.gather %source[%indices] gather_dims([0]) fill_value(0.0 : f32)
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c7_fill_value_beside_clip(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'fill_value' needs mode = "fill", found "clip"}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(clip) fill_value(0.0 : f32)
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c7_fill_value_type(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'fill_value' must be a constant of type f32, found 0.000000e+00 : f64}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(fill) fill_value(0.0 : f64)
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c7_fill_value_integer(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'fill_value' must be a constant of type f32, found 0 : i32}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(fill) fill_value(0 : i32)
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c7_fill_value_signedness(%source: tensor<4x5xui8>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'fill_value' must be a constant of type ui8, found 0 : i8}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(fill) fill_value(0 : i8)
      : (tensor<4x5xui8>, tensor<7x1xi32>) -> tensor<7x5xui8>
  return
}

// -----

func.func @gather_c7_fill_value_boolean(%source: tensor<4x5xi8>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'fill_value' must be a constant of type i8, found true}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(fill) fill_value(true)
      : (tensor<4x5xi8>, tensor<7x1xi32>) -> tensor<7x5xi8>
  return
}

// -----

func.func @gather_c7_fill_value_half_complex(
    %source: tensor<4x5xcomplex<f32>>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'fill_value' must be a constant of type complex<f32>, found [0.000000e+00 : f32]}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(fill) fill_value([0.0 : f32])
      : (tensor<4x5xcomplex<f32>>, tensor<7x1xi32>) -> tensor<7x5xcomplex<f32>>
  return
}

// -----

func.func @gather_c7_fill_value_complex_part_type(
    %source: tensor<4x5xcomplex<f32>>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'fill_value' must be a constant of type complex<f32>, found [0.000000e+00 : f32, 0.000000e+00]}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(fill) fill_value([0.0 : f32, 0.000000e+00])
      : (tensor<4x5xcomplex<f32>>, tensor<7x1xi32>) -> tensor<7x5xcomplex<f32>>
  return
}

// -----

func.func @gather_c7_fill_value_needed(%source: tensor<4x5xf4E2M1FN>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op requires attribute 'fill_value': f4E2M1FN has no NaN to fill with}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(fill)
      : (tensor<4x5xf4E2M1FN>, tensor<7x1xi32>) -> tensor<7x5xf4E2M1FN>
  return
}

// -----

func.func @gather_c7_fill_value_needed_complex(
    %source: tensor<4x5xcomplex<f6E3M2FN>>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op requires attribute 'fill_value': complex<f6E3M2FN> has no NaN to fill with}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(fill)
      : (tensor<4x5xcomplex<f6E3M2FN>>, tensor<7x1xi32>) -> tensor<7x5xcomplex<f6E3M2FN>>
  return
}

// -----

func.func @gather_c8_clip_into_nothing(%source: tensor<0x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op mode "clip" needs a non-empty dimension: dim 0 of 'source' has size 0}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(clip)
      : (tensor<0x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c7_fill_value_integer_parts(
    %source: tensor<4x5xcomplex<i32>>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'fill_value': complex<i32> has integer parts, which nothing fills}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(fill)
      : (tensor<4x5xcomplex<i32>>, tensor<7x1xi32>) -> tensor<7x5xcomplex<i32>>
  return
}
