// RUN: gs-opt %s --convert-dml-to-gs --split-input-file --verify-diagnostics

func.func @gather_encoding(%x: tensor<3xf32, 1 : i64>, %i: tensor<2xi64>) -> tensor<2xf32> {
  // expected-error @+1 {{'dml.gather' op operand 'input' must be a tensor without encoding, found tensor<3xf32, 1 : i64>}}
  %y = "dml.gather"(%x, %i) {axis = 0 : i32, index_dimensions = 1 : i32}
      : (tensor<3xf32, 1 : i64>, tensor<2xi64>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @slice_encoding(%x: tensor<3xf32, 1 : i64>) -> tensor<2xf32> {
  // expected-error @+1 {{'dml.slice1' op operand 'input' must be a tensor without encoding, found tensor<3xf32, 1 : i64>}}
  %y = "dml.slice1"(%x) {offsets = array<i64: 0>, sizes = array<i64: 2>, strides = array<i64: 1>}
      : (tensor<3xf32, 1 : i64>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
