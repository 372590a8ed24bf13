// Wrong input and the message for it. Each module between the dashed lines is checked by itself.
// RUN: gs-opt %s --split-input-file --verify-diagnostics

func.func @dim_out_of_range(%x: tensor<8xf32>, %i: tensor<4x1xi64>) -> tensor<4xf32> {
  // expected-error @below {{attribute 'gather_dims' must hold dims in [0, 1), found 1}}
  %0 = gs.gather %x[%i] gather_dims([1]) : (tensor<8xf32>, tensor<4x1xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @float_coordinates(%x: tensor<8xf32>, %i: tensor<4x1xf32>) -> tensor<4xf32> {
  // expected-error @below {{operand 'indices' must have index or integer elements (coordinates), found f32}}
  %0 = gs.gather %x[%i] gather_dims([0]) : (tensor<8xf32>, tensor<4x1xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
