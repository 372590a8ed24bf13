// What is read in order from memory is asked for from further ahead beside sums, and beside windows.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:read-ahead=2048:sums-ahead=10240:sparing-reads=true:beside-ahead=8192" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:read-ahead=2048:sums-ahead=10240:sparing-reads=true" --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=WHY
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:read-ahead=2048:sparing-reads=true:counts-ahead=6144" --canonicalize --cse | filecheck %s --check-prefix=COUNTS

// From 16 MiB on, half of a cache of 32, into 2 MiB and less; else 2 KiB ahead.
// CHECK-LABEL: func.func @sums
// CHECK: arith.cmpi sge, %{{.*}}, %c16777216
// CHECK: arith.cmpi sle, %{{.*}}, %c2097152
// CHECK: %[[PAST:.*]] = arith.andi
// CHECK: scf.for %[[AT:.*]] = %c0
// CHECK-NEXT: %[[UPDATES:.*]] = arith.select %[[PAST]], %c2560, %c512
// CHECK-NEXT: %[[LATER:.*]] = arith.addi %[[AT]], %[[UPDATES]]
// CHECK-NEXT: memref.prefetch %arg0[%[[LATER]]], read
// CHECK-NEXT: %[[PLACES:.*]] = arith.select %[[PAST]], %c1280, %c256
// CHECK-NEXT: %[[LATER:.*]] = arith.addi %[[AT]], %[[PLACES]]
// CHECK-NEXT: memref.prefetch %arg1[%[[LATER]]], read
// WHY: runs: asks for what it reads in order 2048 bytes ahead, 10240 where it comes from memory: the hardware looks less far
func.func @sums(%updates: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  "gs.generic"(%updates, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> ()
  return
}

// -----

// Known to come from memory: always, however few the elements are.
// CHECK-LABEL: func.func @into_few
// CHECK-NOT: scf.if
// CHECK: arith.addi %{{.*}}, %c2560
// CHECK: return
func.func @into_few(%updates: memref<4000000xf32>, %places: memref<4000000xi64>,
    %out: memref<256xf32>) {
  "gs.generic"(%updates, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<4000000xf32>, memref<4000000xi64>, memref<256xf32>) -> ()
  return
}

// -----

// What is set waits for nothing.
// CHECK-LABEL: func.func @sets
// CHECK-NOT: %c2560
// CHECK: arith.addi %{{.*}}, %c512
// CHECK-NOT: %c2560
// CHECK: return
func.func @sets(%updates: memref<4000000xf32>, %places: memref<4000000xi64>,
    %out: memref<90000xf32>) {
  "gs.generic"(%updates, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (d0)>, affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<4000000xf32>, memref<4000000xi64>, memref<90000xf32>) -> ()
  return
}

// -----

// A window: what it takes is asked for `beside-ahead` bytes ahead.
// CHECK-LABEL: func.func @window
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c90000
// CHECK-NEXT: memref.prefetch %arg0[%[[STEP]], %c1024], read
// CHECK-NEXT: memref.prefetch %arg0[%[[STEP]], %c1032], read
func.func @window(%updates: memref<90000x16xf64>, %offsets: memref<16xi64>,
    %out: memref<12000000xf64>) {
  "gs.generic"(%updates, %offsets, %out) ({
  ^bb0(%x: f64, %current: f64):
    "gs.yield"(%x) : (f64) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d1)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0 * 16 + s0)>],
      iterator_types = ["reduction", "reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<90000x16xf64>, memref<16xi64>, memref<12000000xf64>) -> ()
  return
}

// -----

// Counts, beside which nothing else is read in order: `counts-ahead` bytes, however few they are.
// CHECK-LABEL: func.func @counts
// CHECK-NOT: %c768
// CHECK: return
// COUNTS-LABEL: func.func @into_few
// COUNTS-NOT: memref.prefetch
// COUNTS-LABEL: func.func @sets
// COUNTS-LABEL: func.func @counts
// COUNTS-NOT: scf.if
// COUNTS: %[[LATER:.*]] = arith.addi %{{.*}}, %c768
// COUNTS-NEXT: memref.prefetch %arg0[%[[LATER]]], read
func.func @counts(%places: memref<?xi64>, %out: memref<256xi64>) {
  %one = arith.constant 1 : i64
  "gs.generic"(%places, %out) ({
  ^bb0(%current: i64):
    %sum = arith.addi %current, %one : i64
    "gs.yield"(%sum) : (i64) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xi64>, memref<256xi64>) -> ()
  return
}
