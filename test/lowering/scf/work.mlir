// How much an op moves decides whether threads share it.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2" --canonicalize | filecheck %s

// An element for each row of a wide matrix brings a line: two threads share what few bytes that is.
// CHECK-LABEL: func.func @labels
// CHECK: scf.parallel
// CHECK: return
func.func @labels(%scores: memref<8192x32000xf32>, %labels: memref<8192xi32>,
    %out: memref<8192xf32>) {
  gs.generic (d0) [s0 = %labels[d0]] ins(%scores[d0, s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<8192x32000xf32>, memref<8192xi32>, memref<8192xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// As many elements of a small table do not.
// CHECK-LABEL: func.func @looked_up
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @looked_up(%table: memref<256xf32>, %ids: memref<8192xi32>, %out: memref<8192xf32>) {
  gs.generic (d0) [s0 = %ids[d0]] ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<256xf32>, memref<8192xi32>, memref<8192xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
