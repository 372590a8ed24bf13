// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:far-bytes=1048576" --canonicalize --cse | filecheck %s --check-prefix=FAR
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:far-taken-bytes=1048576" --canonicalize --cse | filecheck %s --check-prefix=TAKEN
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:far-reduced-bytes=1048576" --canonicalize --cse | filecheck %s --check-prefix=SUMS
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:far-set-bytes=4194304" --canonicalize --cse | filecheck %s --check-prefix=SETS

// A table of 2 MB is not far from a core, unless it says so: where one coordinate finds each element,
// and nothing waits for it, with a measure of its own.
// CHECK-LABEL: func.func @take
// CHECK-NOT: memref.prefetch
// CHECK: return
// FAR-LABEL: func.func @take
// FAR-NOT: memref.prefetch
// FAR: return
// TAKEN-LABEL: func.func @take
// TAKEN: memref.prefetch %arg0
// TAKEN: return
// SUMS-LABEL: func.func @take
// SUMS-NOT: memref.prefetch
// SUMS: return
// SETS-LABEL: func.func @take
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

// Two coordinates for an element are as much to read again.
// CHECK-LABEL: func.func @pairs
// CHECK-NOT: memref.prefetch
// CHECK: return
// FAR-LABEL: func.func @pairs
// FAR: memref.prefetch %arg0
// FAR: return
// TAKEN-LABEL: func.func @pairs
// TAKEN-NOT: memref.prefetch
// TAKEN: return
// SUMS-LABEL: func.func @pairs
// SETS-LABEL: func.func @pairs
func.func @pairs(%table: memref<500x1000xf32>, %places: memref<?x2xi64>, %out: memref<?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0, s1] -> (d0, 0)>, affine_map<(d0)[s0, s1] -> (d0, 1)>]],
      indexing_maps = [affine_map<(d0)[s0, s1] -> (s0, s1)>, affine_map<(d0)[s0, s1] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<500x1000xf32>, memref<?x2xi64>, memref<?xf32>) -> ()
  return
}

// Where loops only sum up what lies at coordinates, no store waits: a measure of its own.
// CHECK-LABEL: func.func @sum
// CHECK-NOT: memref.prefetch
// CHECK: return
// FAR-LABEL: func.func @sum
// FAR-NOT: memref.prefetch
// FAR: return
// TAKEN-LABEL: func.func @sum
// TAKEN-NOT: memref.prefetch
// TAKEN: return
// SUMS-LABEL: func.func @sum
// SUMS: memref.prefetch %arg0
// SUMS: return
// SETS-LABEL: func.func @sum
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

// What is only written is asked for from 1 MiB on, unless a core says otherwise.
// CHECK-LABEL: func.func @set
// CHECK: memref.prefetch %arg2
// CHECK: return
// SETS-LABEL: func.func @set
// SETS-NOT: memref.prefetch
// SETS: return
func.func @set(%updates: memref<?xf32>, %places: memref<?xi64>, %out: memref<500000xf32>) {
  "gs.generic"(%updates, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xf32>, memref<?xi64>, memref<500000xf32>) -> ()
  return
}
