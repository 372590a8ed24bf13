// RUN: gs-opt %s --gs-import-stablehlo --split-input-file --verify-diagnostics

func.func @transform_in_the_computation(%d: tensor<9xf32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>)
    -> tensor<9xf32> {
  // expected-error-re @+1 {{'stablehlo.scatter' op computation must consist of element-wise ops that upstream legalizes, found 'stablehlo.fft' at {{.+}}}}
  %r = "stablehlo.scatter"(%d, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c: tensor<f32>, %n: tensor<f32>):
    %v = stablehlo.reshape %n : (tensor<f32>) -> tensor<1xf32>
    %f = stablehlo.fft %v, type = RFFT, length = [1] : (tensor<1xf32>) -> tensor<1xcomplex<f32>>
    %s = stablehlo.real %f : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
    %t = stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<9xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

func.func @value_from_outside(%d: tensor<9xf32>, %i: tensor<5x1xi32>, %u: tensor<5xf32>,
    %o: tensor<f32>) -> tensor<9xf32> {
  // expected-error @+1 {{'stablehlo.scatter' op computation must use its own values and constants only, found another in 'stablehlo.multiply'}}
  %r = "stablehlo.scatter"(%d, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%c: tensor<f32>, %n: tensor<f32>):
    %s = stablehlo.multiply %c, %o : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<9xf32>, tensor<5x1xi32>, tensor<5xf32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

func.func @custom_call(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'stablehlo.custom_call' op calls @lapack_spotrf_ffi, which only XLA has}}
  %r = stablehlo.custom_call @lapack_spotrf_ffi(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @sorted_by_none(%x: tensor<4x9xf32>, %c: tensor<f32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'stablehlo.custom_call' op calls @ApproxTopK, which only XLA has}}
  %r = stablehlo.custom_call @ApproxTopK(%x, %c) {called_computations = [@missing], mhlo.backend_config = {reduction_dim = 1 : i64}} : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// -----

func.func private @other(tensor<f32>) -> tensor<f32>
func.func @sorted_by_another(%x: tensor<4x9xf32>, %c: tensor<f32>) -> tensor<4x2xf32> {
  // expected-error @+1 {{'stablehlo.custom_call' op calls @ApproxTopK, which only XLA has}}
  %r = stablehlo.custom_call @ApproxTopK(%x, %c) {called_computations = [@other], mhlo.backend_config = {reduction_dim = 1 : i64}} : (tensor<4x9xf32>, tensor<f32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

// -----

func.func @left(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-error @+1 {{'stablehlo.fft' op is not supported: neither mlir-gs nor upstream's legalization to linalg converts it}}
  %r = stablehlo.fft %x, type = FFT, length = [4]
      : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// -----

func.func @quantized(%x: tensor<4x!quant.uniform<i8:f32, 1.0>>, %i: tensor<2x1xi32>)
    -> tensor<2x!quant.uniform<i8:f32, 1.0>> {
  // expected-error @+1 {{'stablehlo.gather' op operand 'operand' must have integer, float, complex or index elements, found !quant.uniform<i8:f32, 1.000000e+00>}}
  %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1>}>
      : (tensor<4x!quant.uniform<i8:f32, 1.0>>, tensor<2x1xi32>)
      -> tensor<2x!quant.uniform<i8:f32, 1.0>>
  return %r : tensor<2x!quant.uniform<i8:f32, 1.0>>
}
