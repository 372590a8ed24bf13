// RUN: gs-opt %s --convert-tcp-to-gs --split-input-file --verify-diagnostics

func.func @constant_size(%x: tensor<1xf32>) -> tensor<4xf32> {
  %cst3 = arith.constant 3 : index
  // expected-error @+1 {{'tcp.broadcast_to' op result must have size 3 in axis 0, the constant operand, found 4}}
  %r = "tcp.broadcast_to"(%x, %cst3) {axes = [0]} : (tensor<1xf32>, index) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @encoding(%x: tensor<3xf32, 1 : i64>, %i: tensor<2xi64>) -> tensor<2xf32> {
  // expected-error @+1 {{'tcp.gather' op operand 'input' must be a tensor without encoding, found tensor<3xf32, 1 : i64>}}
  %r = "tcp.gather"(%x, %i) {dim = 0 : index}
      : (tensor<3xf32, 1 : i64>, tensor<2xi64>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
