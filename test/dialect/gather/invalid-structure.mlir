// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @gather_no_operands() {
  // expected-error@+1 {{'gs.gather' op expects 2 operands, found 0}}
  %0 = "gs.gather"() {gather_dims = array<i64: 0>} : () -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_one_operand(%source: tensor<4x5xf32>) {
  // expected-error@+1 {{'gs.gather' op expects 2 operands, found 1}}
  %0 = "gs.gather"(%source) {gather_dims = array<i64: 0>} : (tensor<4x5xf32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_three_operands(
    %source: tensor<4x5xf32>, %indices: tensor<7x1xi32>, %more: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op expects 2 operands, found 3}}
  %0 = "gs.gather"(%source, %indices, %more) {gather_dims = array<i64: 0>}
      : (tensor<4x5xf32>, tensor<7x1xi32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_no_result(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op expects 1 result, found 0}}
  gs.gather %source[%indices] gather_dims([0]) : (tensor<4x5xf32>, tensor<7x1xi32>) -> ()
  return
}

// -----

func.func @gather_two_results(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op expects 1 result, found 2}}
  %0:2 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> (tensor<7x5xf32>, tensor<7x5xf32>)
  return
}

// -----

func.func @gather_with_region(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op expects 0 regions, found 1}}
  %0 = "gs.gather"(%source, %indices) ({}) {gather_dims = array<i64: 0>}
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_misspelt_attribute(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op has no attribute 'uniqe'; did you mean 'unique'?}}
  %0 = gs.gather %source[%indices] gather_dims([0]) {uniqe}
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_unknown_attribute(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op has no attribute 'x'; it has batch_dims, fill_value, gather_dims, mode, sorted, unique, wrap_negative}}
  %0 = gs.gather %source[%indices] gather_dims([0]) {x = 1 : i64}
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_without_gather_dims(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op requires attribute 'gather_dims'}}
  %0 = gs.gather %source[%indices] : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_dims_of_i32(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'gather_dims' must be an array of i64, like array<i64: 0, 2>, found array<i32: 0>}}
  %0 = gs.gather %source[%indices] {gather_dims = array<i32: 0>}
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_dims_not_dense(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'gather_dims' must be an array of i64, like array<i64: 0, 2>, found [0]}}
  %0 = gs.gather %source[%indices] {gather_dims = [0]}
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_dims_location(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'gather_dims' must be an array of i64, like array<i64: 0, 2>, found a location}}
  %0 = gs.gather %source[%indices] {gather_dims = loc(unknown)}
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_mode_integer(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'mode' must be a string, found 3 : i64}}
  %0 = gs.gather %source[%indices] gather_dims([0]) {mode = 3 : i64}
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_unique_boolean(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'unique' must be a unit attribute (no value), found true}}
  %0 = gs.gather %source[%indices] gather_dims([0]) {unique = true}
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_sorted_integer(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'sorted' must be a unit attribute (no value), found 1 : i64}}
  %0 = gs.gather %source[%indices] gather_dims([0]) {sorted = 1 : i64}
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_wrap_negative_boolean(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'wrap_negative' must be a unit attribute (no value), found false}}
  %0 = gs.gather %source[%indices] gather_dims([0]) {wrap_negative = false}
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_batch_dims_array(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'batch_dims' must be an integer, like 0 : i64, found array<i64: 0>}}
  %0 = gs.gather %source[%indices] gather_dims([0]) {batch_dims = array<i64: 0>}
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_fill_value_location(%source: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.gather' op attribute 'fill_value' must be a constant of the element type, found a location}}
  %0 = gs.gather %source[%indices] gather_dims([0]) mode(fill) fill_value(loc(unknown))
      : (tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}
