// Rows of a memref that no cache holds come to the second-level cache, from as far ahead as rows that
// only move: those that are updated, and those that are read from one that is larger still.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:moved-ahead=32768:memory-rows-bytes=1006632960:memory-updates-bytes=125829120" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:moved-ahead=32768" --canonicalize --cse | filecheck %s --check-prefix=NEVER
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:moved-ahead=32768:memory-rows-bytes=1006632960:memory-updates-bytes=125829120" --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=TOLD

// TOLD: asks for the rows of output #0 up to 8192 bytes ahead, of what no cache holds into the second-level one, where sizes speak for it: coordinates say where they are

// NEVER-NOT: locality<2>

// A size that is not known decides when it runs, how far ahead as well.
// CHECK-LABEL: func.func @updated
// CHECK: %[[SECOND:.*]] = arith.cmpi sge, %{{.*}}, %c125829120
// CHECK: %[[AHEAD:.*]] = arith.select %[[SECOND]], %c64, %c32
// CHECK: arith.addi %{{.*}}, %[[AHEAD]]
// CHECK: scf.if %[[SECOND]] {
// CHECK-COUNT-5: memref.prefetch %arg2[%{{.*}}], read, locality<2>
// CHECK: } else {
// CHECK-COUNT-5: memref.prefetch %arg2[%{{.*}}], write, locality<3>
// CHECK: return
func.func @updated(%new: memref<?x64xf32>, %places: memref<?xi64>, %out: memref<?x64xf32>) {
  "gs.generic"(%new, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>, affine_map<(d0, d1)[s0] -> (s0, d1)>],
      iterator_types = ["reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x64xf32>, memref<?xi64>, memref<?x64xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @large
// CHECK: arith.addi %{{.*}}, %c64
// CHECK-COUNT-5: memref.prefetch %arg2[%{{.*}}], read, locality<2>
// CHECK-NOT: locality<3>
// CHECK: return
func.func @large(%new: memref<?x64xf32>, %places: memref<?xi64>, %out: memref<491520x64xf32>) {
  "gs.generic"(%new, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>, affine_map<(d0, d1)[s0] -> (s0, d1)>],
      iterator_types = ["reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x64xf32>, memref<?xi64>, memref<491520x64xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @small
// CHECK-NOT: locality<2>
// CHECK: return
func.func @small(%new: memref<?x64xf32>, %places: memref<?xi64>, %out: memref<491519x64xf32>) {
  "gs.generic"(%new, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>, affine_map<(d0, d1)[s0] -> (s0, d1)>],
      iterator_types = ["reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x64xf32>, memref<?xi64>, memref<491519x64xf32>) -> ()
  return
}

// -----

// What is read alone.
// CHECK-LABEL: func.func @read
// CHECK: arith.addi %{{.*}}, %c64
// CHECK: memref.prefetch %arg0[%{{.*}}], read, locality<2>
// CHECK: return
func.func @read(%table: memref<3932160x64xf32>, %places: memref<?xi64>, %out: memref<?x64xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<3932160x64xf32>, memref<?xi64>, memref<?x64xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func.func @near
// CHECK-NOT: locality<2>
// CHECK: return
func.func @near(%table: memref<3932159x64xf32>, %places: memref<?xi64>, %out: memref<?x64xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<3932159x64xf32>, memref<?xi64>, memref<?x64xf32>) -> ()
  return
}

// -----

// Rows of a line gain nothing.
// CHECK-LABEL: func.func @line
// CHECK-NOT: locality<2>
// CHECK: return
func.func @line(%table: memref<?x16xf32>, %places: memref<?xi64>, %out: memref<?x16xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x16xf32>, memref<?xi64>, memref<?x16xf32>) -> ()
  return
}

// -----

// Long ones line by line: sums of rows of 4 KiB.
// CHECK-LABEL: func.func @long
// CHECK: %[[SECOND:.*]] = arith.cmpi sge, %{{.*}}, %c125829120
// CHECK: %[[ROWS:.*]] = arith.select %[[SECOND]], %c8, %c1
// CHECK: scf.if %[[SECOND]] {
// CHECK: memref.prefetch %arg2[%{{.*}}], read, locality<2>
// CHECK: } else {
// CHECK: memref.prefetch %arg2[%{{.*}}], write, locality<3>
// CHECK: return
func.func @long(%new: memref<?x1024xf32>, %places: memref<?xi64>, %out: memref<?x1024xf32>) {
  "gs.generic"(%new, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>, affine_map<(d0, d1)[s0] -> (s0, d1)>],
      iterator_types = ["reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x1024xf32>, memref<?xi64>, memref<?x1024xf32>) -> ()
  return
}
