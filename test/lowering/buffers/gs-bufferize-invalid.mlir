// RUN: gs-opt %s --split-input-file --verify-diagnostics --gs-bufferize

func.func @named_op(%source: tensor<9xf32>, %indices: tensor<5x1xi32>) -> tensor<5xf32> {
  // expected-error@+1 {{'gs.gather' op must become gs.generic before bufferization: gs-generalize}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @histogram(%updates: tensor<9xf32>, %indices: tensor<9x1xi32>) {
  // expected-error@+1 {{'gs.histogram' op must become gs.generic before bufferization: gs-generalize}}
  %0, %1 = gs.histogram %updates at %indices
      : (tensor<9xf32>, tensor<9x1xi32>) -> (tensor<?xf32>, tensor<?x1xi32>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %update : f32
  }
  return
}

// -----

func.func @source_language(%source: tensor<9xf32>, %indices: tensor<5x1xi32>) -> tensor<5xf32> {
  // expected-error@+1 {{'tensor.gather' op must be converted before bufferization: convert-tensor-to-gs}}
  %0 = tensor.gather %source[%indices] gather_dims([0])
      : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
