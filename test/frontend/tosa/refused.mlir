// RUN: gs-opt %s --convert-tosa-to-gs --split-input-file --verify-diagnostics

func.func @quantized(%v: tensor<1x4x1x!quant.uniform<i8:f32, 0.1>>, %i: tensor<1x2xi32>)
    -> tensor<1x2x1x!quant.uniform<i8:f32, 0.1>> {
  // expected-error-re @+1 {{'tosa.gather' op operand 'values' must have integer, float, complex or index elements, found !quant.uniform}}
  %r = tosa.gather %v, %i
      : (tensor<1x4x1x!quant.uniform<i8:f32, 0.1>>, tensor<1x2xi32>)
      -> tensor<1x2x1x!quant.uniform<i8:f32, 0.1>>
  return %r : tensor<1x2x1x!quant.uniform<i8:f32, 0.1>>
}

// -----

func.func @unranked(%v: tensor<*xf32>, %i: tensor<1x2xi32>) -> tensor<1x2x1xf32> {
  // expected-error @+1 {{'tosa.gather' op operand 'values' must be a ranked tensor, found tensor<*xf32>}}
  %r = tosa.gather %v, %i : (tensor<*xf32>, tensor<1x2xi32>) -> tensor<1x2x1xf32>
  return %r : tensor<1x2x1xf32>
}

// -----

func.func @run_time_row_count(%v: tensor<1x4x1xf32>, %i: tensor<1x2xi32>, %n: tensor<1xi32>)
    -> tensor<1x4x1xf32> {
  // expected-error @+1 {{'tosa.row_gather' op operand 'row_count' must be a constant of 1 or more, found a value known at run time}}
  %r = "tosa.row_gather"(%v, %i, %n)
      : (tensor<1x4x1xf32>, tensor<1x2xi32>, tensor<1xi32>) -> tensor<1x4x1xf32>
  return %r : tensor<1x4x1xf32>
}

// -----

func.func @block_scaled(%v: tensor<1x4x1xf32>, %i: tensor<1x2xi32>, %n: tensor<1xi32>)
    -> tensor<1x4x1xf32> {
  // expected-error @+1 {{'tosa.row_gather_block_scaled' op is not converted: it is deprecated upstream in favour of tosa.row_gather}}
  %r = "tosa.row_gather_block_scaled"(%v, %i, %n) {block_size = #tosa.block_size<BLOCK_SIZE_1>}
      : (tensor<1x4x1xf32>, tensor<1x2xi32>, tensor<1xi32>) -> tensor<1x4x1xf32>
  return %r : tensor<1x4x1xf32>
}
