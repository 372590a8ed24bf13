// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf="far-bytes=1048576" --canonicalize --cse | filecheck %s --check-prefix=TAKES
// RUN: gs-opt %s --convert-gs-to-scf="far-reduced-bytes=1048576" --canonicalize --cse | filecheck %s --check-prefix=SUMS

// A table of 2 MB is not far from a core, unless it says so.
// CHECK-LABEL: func.func @take
// CHECK-NOT: memref.prefetch
// CHECK: return
// TAKES-LABEL: func.func @take
// TAKES: memref.prefetch %arg0
// TAKES: return
// SUMS-LABEL: func.func @take
// SUMS-NOT: memref.prefetch
// SUMS: return
func.func @take(%table: memref<500000xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<500000xf32>, memref<?xi64>, memref<?xf32>) -> ()
  return
}

// Where loops only sum up what lies at coordinates, no store waits: a measure of its own.
// CHECK-LABEL: func.func @sum
// CHECK-NOT: memref.prefetch
// CHECK: return
// TAKES-LABEL: func.func @sum
// TAKES-NOT: memref.prefetch
// TAKES: return
// SUMS-LABEL: func.func @sum
// SUMS: memref.prefetch %arg0
// SUMS: return
func.func @sum(%table: memref<500000xf32>, %places: memref<?xi64>, %out: memref<f32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> ()>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<500000xf32>, memref<?xi64>, memref<f32>) -> ()
  return
}
