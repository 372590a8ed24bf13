// How far ahead lines are asked for, and from how many bytes on stores go past the caches.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:elements-ahead=128:lines-ahead=8192:beside-ahead=8192:copied-ahead=16384:stream-share=1.25:read-ahead=2048" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:read-ahead=2048" --canonicalize --cse | filecheck %s --check-prefix=USUAL
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:elements-ahead=128:read-ahead=2048" --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=WHY

// Single elements: 128 points, but no more than a quarter of what there are; coordinates as far
// ahead of those, where elements are asked for at all.
// CHECK-LABEL: func.func @far
// CHECK: %[[QUARTER:.*]] = arith.shrui %[[POINTS:.*]], %c2
// CHECK: %[[LEAST:.*]] = arith.maxsi %[[QUARTER]], %c32
// CHECK: %[[AHEAD:.*]] = arith.minsi %[[LEAST]], %c128
// CHECK: %[[FURTHER:.*]] = arith.select %{{.*}}, %[[AHEAD]], %c0
// CHECK: arith.cmpi sge, %{{.*}}, %c41943040
// CHECK: scf.for %[[AT:.*]] = %c0
// CHECK: %[[FROM:.*]] = arith.addi %[[AT]], %[[FURTHER]]
// CHECK: %[[LATER:.*]] = arith.addi %[[FROM]], %c128
// CHECK: memref.prefetch %arg1[%[[LATER]], %c0], read
// CHECK: arith.addi %[[AT]], %[[AHEAD]]
// CHECK: memref.prefetch %arg0
// WHY: runs: asks for elements of input #0 up to a quarter of the points ahead, where sizes speak for it: no cache holds all of them
// USUAL-LABEL: func.func @far
// USUAL: arith.cmpi sge, %{{.*}}, %c25165824
// USUAL: scf.for %[[AT:.*]] = %c0
// USUAL: %[[LATER:.*]] = arith.addi %[[AT]], %c128
// USUAL: memref.prefetch %arg1[%[[LATER]], %c0], read
// USUAL: arith.addi %[[AT]], %c32
// USUAL: memref.prefetch %arg0
func.func @far(%table: memref<2048x2048xf32>, %places: memref<?x2xi64>, %out: memref<?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0, s1] -> (d0, 0)>, affine_map<(d0)[s0, s1] -> (d0, 1)>]],
      indexing_maps = [affine_map<(d0)[s0, s1] -> (s0, s1)>, affine_map<(d0)[s0, s1] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<2048x2048xf32>, memref<?x2xi64>, memref<?xf32>) -> ()
  return
}

// -----

// Rows of 16 KiB. Where they go past the caches, lines of the next row are asked for 8 KiB ahead, one
// by one; where memcpy copies them, all of it before.
// CHECK-LABEL: func.func @copied
// CHECK: llvm.fence seq_cst
// CHECK: scf.for
// CHECK: scf.for %[[LINE:.*]] = %c0 to %c4096 step %c16
// CHECK-NEXT: memref.prefetch %arg0[%{{.*}}, %[[LINE]]], read
// CHECK: memref.copy
// USUAL-LABEL: func.func @copied
// USUAL: arith.addi %{{.*}}, %c512
// USUAL: llvm.fence seq_cst
// USUAL-NOT: memref.prefetch %arg0
// USUAL: memref.copy
func.func @copied(%table: memref<?x4096xf32>, %places: memref<?xi64>, %out: memref<?x4096xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x4096xf32>, memref<?xi64>, memref<?x4096xf32>) -> ()
  return
}

// -----

// Rows of 2 KiB: not further than the next one.
// CHECK-LABEL: func.func @short
// CHECK: arith.addi %{{.*}}, %c512
// CHECK-NOT: %c2048
// CHECK: llvm.fence seq_cst
func.func @short(%table: memref<?x512xf32>, %places: memref<?xi64>, %out: memref<?x512xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x512xf32>, memref<?xi64>, memref<?x512xf32>) -> ()
  return
}

// -----

// Updates in order beside rows at coordinates, 8 KiB ahead as those are.
// CHECK-LABEL: func.func @added
// CHECK: %[[LATER:.*]] = arith.addi %{{.*}}, %c2048
// CHECK: memref.prefetch %arg0[%{{.*}}, %[[LATER]]], read
// USUAL-LABEL: func.func @added
// USUAL: %[[LATER:.*]] = arith.addi %{{.*}}, %c512
// USUAL: memref.prefetch %arg0[%{{.*}}, %[[LATER]]], read
func.func @added(%updates: memref<?x1024xf32>, %places: memref<?xi64>, %out: memref<?x1024xf32>) {
  "gs.generic"(%updates, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>,
                       affine_map<(d0, d1)[s0] -> (s0, d1)>],
      iterator_types = ["reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x1024xf32>, memref<?xi64>, memref<?x1024xf32>) -> ()
  return
}
