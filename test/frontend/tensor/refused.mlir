// RUN: gs-opt %s --convert-tensor-to-gs --split-input-file --verify-diagnostics

func.func @result_is_not_dest(%u: tensor<2xf32>, %d: tensor<4xf32>, %i: tensor<2x1xindex>)
    -> tensor<7xf64> {
  // expected-error @+1 {{'tensor.scatter' op result must have the type of operand 'dest' (tensor<4xf32>), found tensor<7xf64>}}
  %r = tensor.scatter %u into %d[%i] scatter_dims([0]) unique
      : (tensor<2xf32>, tensor<4xf32>, tensor<2x1xindex>) -> tensor<7xf64>
  return %r : tensor<7xf64>
}

// -----

func.func @result_is_less_static(%u: tensor<2xf32>, %d: tensor<4xf32>, %i: tensor<2x1xindex>)
    -> tensor<?xf32> {
  // expected-error @+1 {{'tensor.scatter' op result must have the type of operand 'dest' (tensor<4xf32>), found tensor<?xf32>}}
  %r = tensor.scatter %u into %d[%i] scatter_dims([0]) unique
      : (tensor<2xf32>, tensor<4xf32>, tensor<2x1xindex>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @vectors(%s: tensor<4xvector<2xf32>>, %i: tensor<1x1xindex>) -> tensor<1xvector<2xf32>> {
  // expected-error @+1 {{'tensor.gather' op operand 'source' must have integer, float, complex or index elements, found vector<2xf32>}}
  %r = tensor.gather %s[%i] gather_dims([0])
      : (tensor<4xvector<2xf32>>, tensor<1x1xindex>) -> tensor<1xvector<2xf32>>
  return %r : tensor<1xvector<2xf32>>
}

// -----

// Each op that is refused is named.
func.func @encoding(%u: tensor<1xf32, 1 : i64>, %d: tensor<4xf32, 1 : i64>, %i: tensor<1x1xindex>)
    -> (tensor<1xf32, 1 : i64>, tensor<4xf32, 1 : i64>) {
  // expected-error @+1 {{'tensor.gather' op operand 'source' must be a tensor without encoding, found tensor<4xf32, 1 : i64>}}
  %g = tensor.gather %d[%i] gather_dims([0])
      : (tensor<4xf32, 1 : i64>, tensor<1x1xindex>) -> tensor<1xf32, 1 : i64>
  // expected-error @+1 {{'tensor.scatter' op operand 'source' must be a tensor without encoding, found tensor<1xf32, 1 : i64>}}
  %r = tensor.scatter %u into %d[%i] scatter_dims([0]) unique
      : (tensor<1xf32, 1 : i64>, tensor<4xf32, 1 : i64>, tensor<1x1xindex>) -> tensor<4xf32, 1 : i64>
  return %g, %r : tensor<1xf32, 1 : i64>, tensor<4xf32, 1 : i64>
}
