// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @gather_c1_rank_differs(%x: tensor<3x4xf32>, %i: tensor<5xi32>) {
  // expected-error @+1 {{'dml.gather' op tensors must have the same rank, found 2 of 'input', 1 of 'indices', 2 of 'output'}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<3x4xf32>, tensor<5xi32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @gather_c1_nine_dims(%x: tensor<1x1x1x1x1x1x1x1x1xf32>, %i: tensor<1x1x1x1x1x1x1x1x1xi32>) {
  // expected-error @+1 {{'dml.gather' op tensors must have rank 1 to 8, found 9}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<1x1x1x1x1x1x1x1x1xf32>, tensor<1x1x1x1x1x1x1x1x1xi32>) -> tensor<1x1x1x1x1x1x1x1x1xf32>
  return
}

// -----

func.func @gather_c1_rank_0(%x: tensor<f32>, %i: tensor<i32>) {
  // expected-error @+1 {{'dml.gather' op tensors must have rank 1 to 8, found 0}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 0 : i32}
      : (tensor<f32>, tensor<i32>) -> tensor<f32>
  return
}

// -----

func.func @gather_c1_unranked(%x: tensor<*xf32>, %i: tensor<1xi32>) {
  // expected-error @+1 {{'dml.gather' op 'input' must be a ranked tensor, found tensor<*xf32>}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 0 : i32}
      : (tensor<*xf32>, tensor<1xi32>) -> tensor<1xf32>
  return
}

// -----

func.func @gather_c2_bf16(%x: tensor<3xbf16>, %i: tensor<5xi32>) {
  // expected-error @+1 {{'dml.gather' op operand 'input' must have f64, f32, f16, i64 to i8 or ui64 to ui8 elements, found bf16}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<3xbf16>, tensor<5xi32>) -> tensor<5xbf16>
  return
}

// -----

func.func @gather_c2_differs(%x: tensor<3xf32>, %i: tensor<5xi32>) {
  // expected-error @+1 {{'dml.gather' op result must have the elements of 'input' (f32), found f64}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<3xf32>, tensor<5xi32>) -> tensor<5xf64>
  return
}

// -----

func.func @gather_c3_i16(%x: tensor<3xf32>, %i: tensor<5xi16>) {
  // expected-error @+1 {{'dml.gather' op operand 'indices' must have i64, i32, ui64 or ui32 elements, found i16}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<3xf32>, tensor<5xi16>) -> tensor<5xf32>
  return
}

// -----

func.func @gather_c3_index(%x: tensor<3xf32>, %i: tensor<5xindex>) {
  // expected-error @+1 {{'dml.gather' op operand 'indices' must have i64, i32, ui64 or ui32 elements, found index}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<3xf32>, tensor<5xindex>) -> tensor<5xf32>
  return
}

// -----

func.func @gather_c4_axis(%x: tensor<3xf32>, %i: tensor<5xi32>) {
  // expected-error @+1 {{'dml.gather' op attribute 'axis' must be in [0, 1), found 1}}
  %y = "dml.gather"(%x, %i) {axis = 1 : i32, index_dimensions = 1 : i32}
      : (tensor<3xf32>, tensor<5xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @gather_c4_empty(%x: tensor<0xf32>, %i: tensor<5xi32>) {
  // expected-error @+1 {{'dml.gather' op operand 'input' must not be empty along axis 0}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<0xf32>, tensor<5xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @gather_c5_count(%x: tensor<3xf32>, %i: tensor<5xi32>) {
  // expected-error @+1 {{'dml.gather' op attribute 'index_dimensions' must be in [0, 1], found 2}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 2 : i32}
      : (tensor<3xf32>, tensor<5xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @gather_c5_irrelevant(%x: tensor<3x4xf32>, %i: tensor<2x5xi32>) {
  // expected-error @+1 {{'dml.gather' op operand 'indices' must have size 1 in its first 1 dims (index_dimensions is 1), found tensor<2x5xi32>}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<3x4xf32>, tensor<2x5xi32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @gather_c6_overflow(%x: tensor<3x4xf32>, %i: tensor<2x5xi32>) {
  // expected-error @+1 {{'dml.gather' op output would have 3 dims, of which 1 must be leading 1s of 'input' or of the index dims, found tensor<3x4xf32> and tensor<2x5xi32>}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 2 : i32}
      : (tensor<3x4xf32>, tensor<2x5xi32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @gather_c6_result(%x: tensor<3x4xf32>, %i: tensor<1x5xi32>) {
  // expected-error @+1 {{'dml.gather' op result must be tensor<5x4xf32>, found tensor<3x5xf32>}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<3x4xf32>, tensor<1x5xi32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @gather_missing(%x: tensor<3xf32>, %i: tensor<5xi32>) {
  // expected-error @+1 {{'dml.gather' op requires attribute 'index_dimensions'}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32} : (tensor<3xf32>, tensor<5xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @gather_misspelt(%x: tensor<3xf32>, %i: tensor<5xi32>) {
  // expected-error @+1 {{'dml.gather' op has no attribute 'index_dimension'; did you mean 'index_dimensions'?}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimension = 1 : i32}
      : (tensor<3xf32>, tensor<5xi32>) -> tensor<5xf32>
  return
}

// -----

func.func @slice1_c1_rank(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'dml.slice1' op tensors must have the same rank, found 2 of 'input', 1 of 'output'}}
  %y = "dml.slice1"(%x) {offsets = array<i64: 0, 0>, sizes = array<i64: 4, 4>,
                         strides = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @slice1_c2_complex(%x: tensor<4xcomplex<f32>>) {
  // expected-error @+1 {{'dml.slice1' op operand 'input' must have f64, f32, f16, i64 to i8 or ui64 to ui8 elements, found complex<f32>}}
  %y = "dml.slice1"(%x) {offsets = array<i64: 0>, sizes = array<i64: 4>,
                         strides = array<i64: 1>} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

func.func @slice1_c3_entries(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'dml.slice1' op attribute 'offsets' must have one entry per dim (2), found 1}}
  %y = "dml.slice1"(%x) {offsets = array<i64: 0>, sizes = array<i64: 4, 4>,
                         strides = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @slice1_c4_beyond(%x: tensor<4xf32>) {
  // expected-error @+1 {{'dml.slice1' op window of dim 0 must be non-empty and within 'input' (size 4), found offset 2 and size 3}}
  %y = "dml.slice1"(%x) {offsets = array<i64: 2>, sizes = array<i64: 3>,
                         strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @slice1_c4_empty(%x: tensor<4xf32>) {
  // expected-error @+1 {{'dml.slice1' op window of dim 0 must be non-empty and within 'input' (size 4), found offset 2 and size 0}}
  %y = "dml.slice1"(%x) {offsets = array<i64: 2>, sizes = array<i64: 0>,
                         strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @slice1_c4_negative(%x: tensor<4xf32>) {
  // expected-error @+1 {{'dml.slice1' op window of dim 0 must be non-empty and within 'input' (size 4), found offset -1 and size 1}}
  %y = "dml.slice1"(%x) {offsets = array<i64: -1>, sizes = array<i64: 1>,
                         strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @slice1_c5_zero(%x: tensor<4xf32>) {
  // expected-error @+1 {{'dml.slice1' op attribute 'strides' must not be 0, found 0 in dim 0}}
  %y = "dml.slice1"(%x) {offsets = array<i64: 0>, sizes = array<i64: 4>,
                         strides = array<i64: 0>} : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @slice1_c6_too_many(%x: tensor<4xf32>) {
  // expected-error @+1 {{'dml.slice1' op result size must be in [1, 2] in dim 0, found 3}}
  %y = "dml.slice1"(%x) {offsets = array<i64: 0>, sizes = array<i64: 4>,
                         strides = array<i64: -2>} : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @slice1_c6_none(%x: tensor<4xf32>) {
  // expected-error @+1 {{'dml.slice1' op result size must be in [1, 4] in dim 0, found 0}}
  %y = "dml.slice1"(%x) {offsets = array<i64: 0>, sizes = array<i64: 4>,
                         strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<0xf32>
  return
}
