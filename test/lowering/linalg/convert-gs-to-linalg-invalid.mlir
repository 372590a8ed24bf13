// RUN: gs-opt %s --split-input-file --verify-diagnostics --convert-gs-to-linalg

func.func @named_op(%source: tensor<9xf32>, %indices: tensor<5x1xi32>) -> tensor<5xf32> {
  // expected-error@+1 {{'gs.gather' op must become gs.generic before linalg: gs-generalize}}
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @memrefs(%x: memref<?xf32>, %y: memref<?xf32>) {
  // expected-error@+1 {{'gs.generic' op is on memrefs: convert-gs-to-scf lowers it}}
  gs.generic (d0) ins(%x[d0]) outs(%y[d0]) iterators(d0 = parallel)
      : (memref<?xf32>, memref<?xf32>) -> () {
  ^bb0(%a: f32, %o: f32):
    gs.yield %a : f32
  }
  return
}

// -----

func.func @in_a_body(%x: tensor<4xf32>, %out: tensor<4xf32>) -> tensor<4xf32> {
  %r = gs.generic (d0) outs(%out[d0]) iterators(d0 = parallel) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%current: f32):
    %zero = arith.constant 0 : index
    // expected-error@+1 {{'gs.generic' op is in the body of a 'gs.generic': it has no loops there}}
    %t = gs.generic (d0) outs(%x[d0]) iterators(d0 = parallel) : (tensor<4xf32>) -> tensor<4xf32> {
    ^bb0(%o: f32):
      gs.yield %o : f32
    }
    %e = tensor.extract %t[%zero] : tensor<4xf32>
    gs.yield %e : f32
  }
  return %r : tensor<4xf32>
}
