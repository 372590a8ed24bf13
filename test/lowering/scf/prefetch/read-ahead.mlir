// Lines that are asked for before they are read, of what is read in order.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:read-ahead=2048:cache-bytes=0" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2 target=generic:read-ahead=2048:cache-bytes=0" --canonicalize --cse | filecheck %s --check-prefix=OWNED
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s --check-prefix=WITHOUT
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:read-ahead=2048:prefetch-level=2:cache-bytes=0" --canonicalize --cse | filecheck %s --check-prefix=LEVEL

// Two lines of coordinates for each vector of 16 elements, 256 coordinates ahead.
// CHECK-LABEL: func.func @take
// CHECK: scf.for %[[AT:.*]] = %c0 to %{{.*}} step %c16
// CHECK: %[[FIRST:.*]] = arith.addi %[[AT]], %c256
// CHECK: memref.prefetch %arg1[%[[FIRST]], %c0], read
// CHECK: %[[SECOND:.*]] = arith.addi %[[AT]], %c264
// CHECK: memref.prefetch %arg1[%[[SECOND]], %c0], read
// CHECK: llvm.inline_asm
// WITHOUT-LABEL: func.func @take
// WITHOUT-NOT: memref.prefetch %arg1
// WITHOUT: return
func.func @take(%table: memref<?xf32>, %places: memref<?x1xi64>, %out: memref<?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0, 0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xf32>, memref<?x1xi64>, memref<?xf32>) -> ()
  return
}

// -----

// No more than 256 of narrower ones: what lies there would push them out of the first cache.
// CHECK-LABEL: func.func @take_by_i32
// CHECK: scf.for %[[AT:.*]] = %c0 to %{{.*}} step %c16
// CHECK: %[[AHEAD:.*]] = arith.addi %[[AT]], %c256
// CHECK: memref.prefetch %arg1[%[[AHEAD]]], read
// CHECK-NOT: memref.prefetch %arg1
// CHECK: return
func.func @take_by_i32(%table: memref<?xf32>, %places: memref<?xi32>, %out: memref<?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xf32>, memref<?xi32>, memref<?xf32>) -> ()
  return
}

// -----

// Pairs of coordinates are one stream, of 16 bytes a point.
// CHECK-LABEL: func.func @pairs
// CHECK-COUNT-4: memref.prefetch %arg1[%{{.*}}, %c0], read
// CHECK-NOT: memref.prefetch %arg1
// CHECK: return
func.func @pairs(%table: memref<?x?xf32>, %places: memref<?x2xi64>, %out: memref<?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0, s1] -> (d0, 0)>, affine_map<(d0)[s0, s1] -> (d0, 1)>]],
      indexing_maps = [affine_map<(d0)[s0, s1] -> (s0, s1)>, affine_map<(d0)[s0, s1] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x?xf32>, memref<?x2xi64>, memref<?xf32>) -> ()
  return
}

// -----

// Sums of single elements, in strips of 16: coordinates and updates.
// CHECK-LABEL: func.func @add
// CHECK: scf.for %[[START:.*]] = %c0 to %{{.*}} step %c16
// CHECK: memref.prefetch %arg0[%{{.*}}], read
// CHECK-COUNT-2: memref.prefetch %arg1[%{{.*}}], read
// CHECK: scf.for %[[AT:.*]] = %c0 to %c16 step %c4
// CHECK: arith.addi %[[START]], %[[AT]]
// CHECK-COUNT-4: memref.store
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: memref.store
// CHECK-NOT: scf.for
// CHECK: return
// WITHOUT-LABEL: func.func @add
// WITHOUT-NOT: memref.prefetch %{{.*}}, read
// WITHOUT: return

// An owner of a part of the output asks for the next block while the points of one run.
// OWNED-LABEL: func.func @add
// OWNED: func.func private @gs_kernel_0_owned
// OWNED-NOT: memref.prefetch
// OWNED: llvm.experimental.vector.compress
// OWNED: scf.for %[[AT:.*]] = %c0 to %{{.*}} step %c16 {
// OWNED: %[[LATER:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// OWNED-NEXT: memref.prefetch %arg0[%[[LATER]]], read
// OWNED: memref.prefetch %arg1[%[[LATER]]], read
// OWNED: return
func.func @add(%updates: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
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

// Rows that are read in order, past the end of each, and their coordinates.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for %[[ROW:.*]] = %c0 to
// CHECK: %[[NEXT:.*]] = arith.addi %[[ROW]], %c256
// CHECK: memref.prefetch %arg1[%[[NEXT]]], read
// CHECK: scf.for %[[COLUMN:.*]] = %c0 to %c64 step %c16
// CHECK: %[[LATER:.*]] = arith.addi %[[COLUMN]], %c512
// CHECK: memref.prefetch %arg0[%[[ROW]], %[[LATER]]], read
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @rows(%updates: memref<?x64xf32>, %places: memref<?xi64>, %out: memref<?x64xf32>) {
  "gs.generic"(%updates, %places, %out) ({
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

// Sorted: rows one after the other, each in registers as a whole.
// CHECK-LABEL: func.func @segments
// CHECK: scf.for %[[ROW:.*]] = %c0 to %{{.*}} iter_args
// CHECK: memref.prefetch %arg1[%{{.*}}], read
// CHECK: memref.prefetch %arg0[%[[ROW]], %c512], read
// CHECK: memref.prefetch %arg0[%[[ROW]], %c528], read
// CHECK: memref.prefetch %arg0[%[[ROW]], %c544], read
// CHECK: memref.prefetch %arg0[%[[ROW]], %c560], read
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @segments(%rows: memref<?x64xf32>, %places: memref<?xi64>, %out: memref<?x64xf32>) {
  "gs.generic"(%rows, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>, affine_map<(d0, d1)[s0] -> (s0, d1)>],
      iterator_types = ["reduction", "parallel"], sorted,
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x64xf32>, memref<?xi64>, memref<?x64xf32>) -> ()
  return
}

// -----

// Wide rows are worked on in pieces, which are no stream.
// CHECK-LABEL: func.func @wide_segments
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @wide_segments(%rows: memref<?x640xf32>, %places: memref<?xi64>, %out: memref<?x640xf32>) {
  "gs.generic"(%rows, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>, affine_map<(d0, d1)[s0] -> (s0, d1)>],
      iterator_types = ["reduction", "parallel"], sorted,
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x640xf32>, memref<?xi64>, memref<?x640xf32>) -> ()
  return
}

// -----

// Not what may have gaps between its rows, nor what a cache holds.
// CHECK-LABEL: func.func @gaps
// CHECK-NOT: memref.prefetch %arg1
// CHECK-NOT: memref.prefetch %arg2
// CHECK: return
func.func @gaps(%table: memref<?x?xf32>, %places: memref<?x32xi64, strided<[64, 1]>>,
    %few: memref<100xi64>, %out: memref<?x32xf32>, %small: memref<100xf32>, %row: memref<?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0, d1)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x?xf32>, memref<?x32xi64, strided<[64, 1]>>, memref<?x32xf32>) -> ()
  "gs.generic"(%row, %few, %small) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xf32>, memref<100xi64>, memref<100xf32>) -> ()
  return
}

// -----

// A window of which each point comes to a line of its own with each step, of 1 KiB: all its points
// two steps ahead.
// CHECK-LABEL: func.func @stride(
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c90000
// CHECK: %[[AHEAD:.*]] = arith.addi %[[STEP]], %c2
// CHECK: %[[BEGIN:.*]] = arith.muli %[[AHEAD]], %c128
// CHECK: %[[PLACE:.*]] = arith.addi %[[BEGIN]], %{{.*}}
// CHECK: memref.prefetch %arg0[%[[PLACE]]], read
// CHECK: vector.store
// CHECK: return
// WITHOUT-LABEL: func.func @stride(
// WITHOUT-NOT: memref.prefetch
// WITHOUT: return
func.func @stride(%source: memref<12000000xf64>, %offsets: memref<8xi64>,
    %out: memref<90000x8xf64>) {
  "gs.generic"(%source, %offsets, %out) ({
  ^bb0(%x: f64, %current: f64):
    "gs.yield"(%x) : (f64) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d1)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0 * 128 + s0)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<12000000xf64>, memref<8xi64>, memref<90000x8xf64>) -> ()
  return
}

// -----

// What such a window writes likewise, in an output of 1 MiB or more. LLVM leaves the loop as it is.
// CHECK-LABEL: func.func @stride_written
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c90000
// CHECK: scf.for %{{.*}} = %c0 to %c8
// CHECK: %[[AHEAD:.*]] = arith.addi %[[STEP]], %c2
// CHECK: %[[BEGIN:.*]] = arith.muli %[[AHEAD]], %c128
// CHECK: %[[PLACE:.*]] = arith.addi %[[BEGIN]], %{{.*}}
// CHECK: memref.prefetch %arg2[%[[PLACE]]], write
// CHECK: memref.store
// CHECK: loop_annotation
// CHECK: return
// WITHOUT-LABEL: func.func @stride_written
// WITHOUT-NOT: memref.prefetch
// WITHOUT: return
func.func @stride_written(%updates: memref<90000x8xf64>, %offsets: memref<8xi64>,
    %dest: memref<12000000xf64>) {
  "gs.generic"(%updates, %offsets, %dest) ({
  ^bb0(%x: f64, %current: f64):
    "gs.yield"(%x) : (f64) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d1)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0 * 128 + s0)>],
      iterator_types = ["reduction", "reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<90000x8xf64>, memref<8xi64>, memref<12000000xf64>) -> ()
  return
}

// -----

// Where each step writes to a page of its own, not on a core that rows come to the second cache of.
// CHECK-LABEL: func.func @stride_of_pages
// CHECK: memref.prefetch %arg2[%{{.*}}], write
// CHECK: return
// LEVEL-LABEL: func.func @stride_of_pages
// LEVEL-NOT: memref.prefetch %arg2
// LEVEL: return
func.func @stride_of_pages(%updates: memref<90000x8xf64>, %offsets: memref<8xi64>,
    %dest: memref<48000000xf64>) {
  "gs.generic"(%updates, %offsets, %dest) ({
  ^bb0(%x: f64, %current: f64):
    "gs.yield"(%x) : (f64) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d1)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0 * 512 + s0)>],
      iterator_types = ["reduction", "reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<90000x8xf64>, memref<8xi64>, memref<48000000xf64>) -> ()
  return
}

// -----

// Not of one that mostly stays where it was: the lines are there.
// CHECK-LABEL: func.func @near
// CHECK-NOT: memref.prefetch %arg0
// CHECK: return
func.func @near(%source: memref<12000000xf64>, %offsets: memref<8xi64>,
    %out: memref<90000x8xf64>) {
  "gs.generic"(%source, %offsets, %out) ({
  ^bb0(%x: f64, %current: f64):
    "gs.yield"(%x) : (f64) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d1)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0 * 32 + s0)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<12000000xf64>, memref<8xi64>, memref<90000x8xf64>) -> ()
  return
}

// -----

// Other coordinates differ from step to step: they are not read ahead, past the last one.
// CHECK-LABEL: func.func @other_coordinates
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c90000
// CHECK: %[[AHEAD:.*]] = arith.addi %[[STEP]], %c2
// CHECK-NOT: memref.load %arg2[%[[AHEAD]]
// CHECK: memref.prefetch %arg0[%{{.*}}], read
// CHECK-NOT: memref.load %arg2[%[[AHEAD]]
// CHECK: return
func.func @other_coordinates(%source: memref<12000000xf64>, %offsets: memref<16xi64>,
    %places: memref<90000x16xi64>, %out: memref<720000xf64>) {
  "gs.generic"(%source, %offsets, %places, %out) ({
  ^bb0(%x: f64, %current: f64):
    "gs.yield"(%x) : (f64) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0, s1] -> (d1)>],
                         [affine_map<(d0, d1)[s0, s1] -> (d0, d1)>]],
      indexing_maps = [affine_map<(d0, d1)[s0, s1] -> (d0 * 128 + s0)>,
                       affine_map<(d0, d1)[s0, s1] -> (s1)>],
      iterator_types = ["reduction", "reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<12000000xf64>, memref<16xi64>, memref<90000x16xi64>, memref<720000xf64>) -> ()
  return
}
