// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @scatter_elements_two_operands(%updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>) {
  // expected-error@+1 {{'gs.scatter_elements' op expects 3 operands, found 2}}
  %0 = "gs.scatter_elements"(%updates, %dest) ({}) {dim = 0 : i64}
      : (tensor<2x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_no_result(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op expects 1 result, found 0}}
  gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> ()
  return
}

// -----

func.func @scatter_elements_without_region(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op expects 1 region, found 0}}
  %0 = "gs.scatter_elements"(%updates, %dest, %indices) {dim = 0 : i64}
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_misspelt_attribute(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op has no attribute 'dims'; did you mean 'dim'?}}
  %0 = gs.scatter_elements %updates into %dest[%indices] {dims = 0 : i64}
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_without_dim(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op requires attribute 'dim'}}
  %0 = gs.scatter_elements %updates into %dest[%indices]
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_dim_array(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op attribute 'dim' must be an integer, like 0 : i64, found array<i64: 0>}}
  %0 = gs.scatter_elements %updates into %dest[%indices] {dim = array<i64: 0>}
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_sorted_string(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op attribute 'sorted' must be a unit attribute (no value), found "no"}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0) {sorted = "no"}
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c1_updates_vector(
    %updates: vector<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op operand 'updates' must be a ranked tensor, found vector<2x5xf32>}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (vector<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c1_updates_element_type(
    %updates: tensor<2x5xi32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op operand 'updates' must have the element type of 'dest' (f32), found i32}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xi32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c1_updates_shape(
    %updates: tensor<3x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op operand 'updates' must be tensor<2x5xf32>, found tensor<3x5xf32>}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<3x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c1_updates_rank(
    %updates: tensor<2x5x1xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op operand 'updates' must be tensor<2x5xf32>, found tensor<2x5x1xf32>}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5x1xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c2_dest_unranked(
    %updates: tensor<2x5xf32>, %dest: tensor<*xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op operand 'dest' must be a ranked tensor, found tensor<*xf32>}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xf32>, tensor<*xf32>, tensor<2x5xi32>) -> tensor<*xf32>
  return
}

// -----

func.func @scatter_elements_c2_dest_rank_0(
    %updates: tensor<2x5xf32>, %dest: tensor<f32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op operand 'dest' must have rank 1 or more, found rank 0}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xf32>, tensor<f32>, tensor<2x5xi32>) -> tensor<f32>
  return
}

// -----

func.func @scatter_elements_c2_dest_vector_elements(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xvector<2xf32>>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op operand 'dest' must have integer, float, complex or index elements, found vector<2xf32>}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xf32>, tensor<4x5xvector<2xf32>>, tensor<2x5xi32>) -> tensor<4x5xvector<2xf32>>
  return
}

// -----

func.func @scatter_elements_c3_indices_scalar(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: i32) {
  // expected-error@+1 {{'gs.scatter_elements' op operand 'indices' must be a ranked tensor, found i32}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xf32>, tensor<4x5xf32>, i32) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c3_indices_complex(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xcomplex<f32>>) {
  // expected-error@+1 {{'gs.scatter_elements' op operand 'indices' must have index or integer elements (coordinates), found complex<f32>}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xcomplex<f32>>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c3_indices_rank(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5x1xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op operand 'indices' must have the rank of 'dest' (2), found rank 3}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c4_dim_beyond_rank(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op attribute 'dim' must be in [0, 2), found 2}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(2)
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c4_dim_negative(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op attribute 'dim' must be in [0, 2), found -1}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(-1)
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c5_indices_too_large(
    %updates: tensor<2x6xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x6xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op operand 'indices' must be no larger than 'dest' in dim 1 (5), found 6}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x6xf32>, tensor<4x5xf32>, tensor<2x6xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c6_result_shape(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op result must be tensor<4x5xf32>, found tensor<2x5xf32>}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @scatter_elements_c6_result_less_static(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op result must be tensor<4x5xf32>, found tensor<?x5xf32>}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @scatter_elements_c7_combiner_arguments(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op combiner region must take (f32, f32), found (i32, i32)}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32> {
  ^bb0(%current: i32, %update: i32):
    gs.yield %current : i32
  }
  return
}

// -----

func.func @scatter_elements_c7_combiner_terminator(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op combiner region must end in gs.yield}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32> {
  ^bb0(%current: f32, %update: f32):
    "llvm.unreachable"() : () -> ()
  }
  return
}

// -----

func.func @scatter_elements_c7_combiner_yields_two(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op combiner region must yield (f32), found (f32, f32)}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0)
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32> {
  ^bb0(%current: f32, %update: f32):
    gs.yield %current, %update : f32, f32
  }
  return
}

// -----

func.func @scatter_elements_c8_mode_unknown(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op attribute 'mode' must be one of promise_in_bounds, clip, drop, error, found ""}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0) mode("")
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c8_mode_of_gather(
    %updates: tensor<2x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op attribute 'mode' must be one of promise_in_bounds, clip, drop, error, found "fill"}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0) mode(fill)
      : (tensor<2x5xf32>, tensor<4x5xf32>, tensor<2x5xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_elements_c9_clip_into_nothing(
    %updates: tensor<2x5xf32>, %dest: tensor<0x5xf32>, %indices: tensor<2x5xi32>) {
  // expected-error@+1 {{'gs.scatter_elements' op mode "clip" needs a non-empty dimension: dim 0 of 'dest' has size 0}}
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(0) mode(clip)
      : (tensor<2x5xf32>, tensor<0x5xf32>, tensor<2x5xi32>) -> tensor<0x5xf32>
  return
}
