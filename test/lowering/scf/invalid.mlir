// RUN: gs-opt %s --convert-gs-to-scf --verify-diagnostics
// RUN: not gs-opt %s --convert-gs-to-scf="target=generic:vector-bytes=12" 2>&1 | filecheck %s --check-prefix=BYTES
// RUN: not gs-opt %s --convert-gs-to-scf="threads=0" 2>&1 | filecheck %s --check-prefix=THREADS

// BYTES: vector-bytes must be a power of 2 from 8 to 4096, found 12
// THREADS: threads must be from 1 to 65536, found 0

func.func @on_tensors(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'gs.generic' op is on tensors: run gs-bufferize first}}
  %0 = gs.generic (d0) outs(%x[d0]) iterators(d0 = parallel) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%current: f32):
    gs.yield %current : f32
  }
  return %0 : tensor<4xf32>
}
