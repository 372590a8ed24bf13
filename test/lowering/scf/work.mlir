// How much an op moves decides whether threads share it.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2" --canonicalize | filecheck %s

// An element for each row of a wide matrix brings a line: two threads share what few bytes that is.
// CHECK-LABEL: func.func @labels
// CHECK: scf.parallel
// CHECK: return
func.func @labels(%scores: memref<8192x32000xf32>, %labels: memref<8192xi32>,
    %out: memref<8192xf32>) {
  "gs.generic"(%scores, %labels, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0, s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<8192x32000xf32>, memref<8192xi32>, memref<8192xf32>) -> ()
  return
}

// -----

// As many elements of a small table do not.
// CHECK-LABEL: func.func @looked_up
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @looked_up(%table: memref<256xf32>, %ids: memref<8192xi32>, %out: memref<8192xf32>) {
  "gs.generic"(%table, %ids, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<256xf32>, memref<8192xi32>, memref<8192xf32>) -> ()
  return
}
