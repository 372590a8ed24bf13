// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @scatter_no_operands() {
  // expected-error@+1 {{'gs.scatter' op expects 3 operands, found 0}}
  %0 = "gs.scatter"() ({}) {scatter_dims = array<i64: 0>} : () -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_two_operands(%updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>) {
  // expected-error@+1 {{'gs.scatter' op expects 3 operands, found 2}}
  %0 = "gs.scatter"(%updates, %dest) ({}) {scatter_dims = array<i64: 0>}
      : (tensor<7x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_no_result(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op expects 1 result, found 0}}
  gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> ()
  return
}

// -----

func.func @scatter_without_region(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op expects 1 region, found 0}}
  %0 = "gs.scatter"(%updates, %dest, %indices) {scatter_dims = array<i64: 0>}
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_two_regions(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op expects 1 region, found 2}}
  %0 = "gs.scatter"(%updates, %dest, %indices) ({}, {}) {scatter_dims = array<i64: 0>}
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_misspelt_attribute(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op has no attribute 'wrap_negatives'; did you mean 'wrap_negative'?}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0]) {wrap_negatives}
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_fill_value(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op has no attribute 'fill_value'; it has batch_dims, mode, scatter_dims, sorted, unique, wrap_negative}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0]) {fill_value = 0.0 : f32}
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_without_scatter_dims(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op requires attribute 'scatter_dims'}}
  %0 = gs.scatter %updates into %dest[%indices]
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_gather_dims(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op has no attribute 'gather_dims'; did you mean 'scatter_dims'?}}
  %0 = gs.scatter %updates into %dest[%indices] {gather_dims = array<i64: 0>}
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_dims_of_i32(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op attribute 'scatter_dims' must be an array of i64, like array<i64: 0, 2>, found array<i32: 0>}}
  %0 = gs.scatter %updates into %dest[%indices] {scatter_dims = array<i32: 0>}
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_mode_array(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op attribute 'mode' must be a string, found ["clip"]}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0]) {mode = ["clip"]}
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @scatter_unique_string(
    %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>) {
  // expected-error@+1 {{'gs.scatter' op attribute 'unique' must be a unit attribute (no value), found "yes"}}
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0]) {unique = "yes"}
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return
}
