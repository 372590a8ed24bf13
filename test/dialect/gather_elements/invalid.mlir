// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @gather_elements_no_operands() {
  // expected-error@+1 {{'gs.gather_elements' op expects 2 operands, found 0}}
  %0 = "gs.gather_elements"() {dim = 0 : i64} : () -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_three_operands(
    %source: tensor<4x5xf32>, %indices: tensor<2x5xi32>, %more: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op expects 2 operands, found 3}}
  %0 = "gs.gather_elements"(%source, %indices, %more) {dim = 0 : i64}
      : (tensor<4x5xf32>, tensor<2x5xi32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_two_results(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op expects 1 result, found 2}}
  %0:2 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> (tensor<2x5xf32>, tensor<2x5xf32>)
  return
}

// -----

func.func @gather_elements_with_region(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op expects 0 regions, found 1}}
  %0 = "gs.gather_elements"(%source, %indices) ({}) {dim = 0 : i64}
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_misspelt_attribute(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op has no attribute 'fill_vale'; did you mean 'fill_value'?}}
  %0 = gs.gather_elements %source[%indices] dim(0) {fill_vale = 0.0 : f32}
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_batch_dims(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op has no attribute 'batch_dims'; it has dim, fill_value, mode, sorted, unique, wrap_negative}}
  %0 = gs.gather_elements %source[%indices] dim(0) {batch_dims = 0 : i64}
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_without_dim(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op requires attribute 'dim'}}
  %0 = gs.gather_elements %source[%indices] : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_dim_boolean(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op attribute 'dim' must be an integer, like 0 : i64, found true}}
  %0 = gs.gather_elements %source[%indices] {dim = true}
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_dim_string(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op attribute 'dim' must be an integer, like 0 : i64, found "0"}}
  %0 = gs.gather_elements %source[%indices] {dim = "0"}
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_mode_unit(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op attribute 'mode' must be a string, found unit}}
  %0 = gs.gather_elements %source[%indices] dim(0) {mode}
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c1_source_scalar(%source: f32, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op operand 'source' must be a ranked tensor, found f32}}
  %0 = gs.gather_elements %source[%indices] dim(0) : (f32, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c1_source_memref(%source: memref<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op operand 'source' must be a ranked tensor, found memref<4x5xf32>}}
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (memref<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c1_source_rank_0(%source: tensor<f32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op operand 'source' must have rank 1 or more, found rank 0}}
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<f32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c1_source_pointer_elements(
    %source: tensor<4x5x!llvm.ptr>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op operand 'source' must have integer, float, complex or index elements, found !llvm.ptr}}
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<4x5x!llvm.ptr>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c2_indices_unranked(%source: tensor<4x5xf32>, %indices: tensor<*xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op operand 'indices' must be a ranked tensor, found tensor<*xi32>}}
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<4x5xf32>, tensor<*xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c2_indices_float(%source: tensor<4x5xf32>, %indices: tensor<2x5xf32>) {
  // expected-error@+1 {{'gs.gather_elements' op operand 'indices' must have index or integer elements (coordinates), found f32}}
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<4x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c2_indices_rank(%source: tensor<4x5xf32>, %indices: tensor<2xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op operand 'indices' must have the rank of 'source' (2), found rank 1}}
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<4x5xf32>, tensor<2xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c3_dim_beyond_rank(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op attribute 'dim' must be in [0, 2), found 2}}
  %0 = gs.gather_elements %source[%indices] dim(2)
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c3_dim_negative(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op attribute 'dim' must be in [0, 2), found -1}}
  %0 = gs.gather_elements %source[%indices] dim(-1)
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c3_dim_huge(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op attribute 'dim' must be in [0, 2), found 99999999999999999999}}
  %0 = gs.gather_elements %source[%indices] dim(99999999999999999999 : i128)
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c4_indices_too_large(
    %source: tensor<4x5xf32>, %indices: tensor<2x6xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op operand 'indices' must be no larger than 'source' in dim 1 (5), found 6}}
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<4x5xf32>, tensor<2x6xi32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @gather_elements_c5_result_shape(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op result must be tensor<2x5xf32>, found tensor<4x5xf32>}}
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @gather_elements_c5_result_element_type(
    %source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op result must be tensor<2x5xf32>, found tensor<2x5xf16>}}
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf16>
  return
}

// -----

func.func @gather_elements_c5_result_less_static(
    %source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op result must be tensor<2x5xf32>, found tensor<?x5xf32>}}
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @gather_elements_c6_mode_unknown(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op attribute 'mode' must be one of promise_in_bounds, clip, fill, error, found "raise"}}
  %0 = gs.gather_elements %source[%indices] dim(0) mode(raise)
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c6_mode_of_scatter(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op attribute 'mode' must be one of promise_in_bounds, clip, fill, error, found "drop"}}
  %0 = gs.gather_elements %source[%indices] dim(0) mode(drop)
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c6_fill_value_without_mode(
    %source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op attribute 'fill_value' needs mode = "fill", found "promise_in_bounds"}}
  %0 = gs.gather_elements %source[%indices] dim(0) fill_value(0.0 : f32)
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c6_fill_value_type(%source: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op attribute 'fill_value' must be a constant of type f32, found 0.000000e+00 : bf16}}
  %0 = gs.gather_elements %source[%indices] dim(0) mode(fill) fill_value(0.0 : bf16)
      : (tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_elements_c6_fill_value_needed(
    %source: tensor<4x5xf6E2M3FN>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op requires attribute 'fill_value': f6E2M3FN has no NaN to fill with}}
  %0 = gs.gather_elements %source[%indices] dim(0) mode(fill)
      : (tensor<4x5xf6E2M3FN>, tensor<2x5xi32>) -> tensor<2x5xf6E2M3FN>
  return
}

// -----

func.func @gather_elements_c7_clip_into_nothing(
    %source: tensor<0x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.gather_elements' op mode "clip" needs a non-empty dimension: dim 0 of 'source' has size 0}}
  %0 = gs.gather_elements %source[%indices] dim(0) mode(clip)
      : (tensor<0x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}
