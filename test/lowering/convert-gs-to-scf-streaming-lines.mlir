// RUN: gs-opt %s --convert-gs-to-scf="lines-ahead=8192" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf --gs-explain 2>&1 | filecheck %s --check-prefix=EXPLAIN

// Rows are written past the caches wherever they begin: the first and the last elements, which fill
// no line, in pieces of 16 bytes, which touch no line that is. Beside such stores a row of 2 KiB is
// asked for two rows ahead, through the caches four.
// EXPLAIN: stores past the caches where they cannot hold what is touched, wherever rows begin
// CHECK-LABEL: func.func @long
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %arg2
// CHECK: %[[AFTER:.*]] = arith.andi %[[ADDRESS]], %c63
// CHECK: %[[PART:.*]] = arith.andi %[[ADDRESS]], %c15
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[PART]], %c0
// CHECK: scf.if %[[WHOLE]]
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c200000
// CHECK: arith.addi %[[ROW]], %c2
// CHECK: %[[BEGUN:.*]] = arith.shrsi %[[AFTER]], %c2
// CHECK: %[[BEFORE:.*]] = arith.subi %c0, %[[BEGUN]]
// CHECK: %[[FIRST:.*]] = arith.andi %[[BEFORE]], %c15
// CHECK: %[[LEFT:.*]] = arith.subi %c512, %[[FIRST]]
// CHECK: %[[REST:.*]] = arith.andi %[[LEFT]], %c15
// CHECK: %[[END:.*]] = arith.subi %c512, %[[REST]]
// CHECK: scf.for %[[SHORT:.*]] = %c0 to %[[FIRST]] step %c4
// CHECK-NOT: prefetch
// CHECK: vector.store %{{.*}}, %arg2[%[[ROW]], %[[SHORT]]] : memref<200000x512xf32>, vector<4xf32>
// CHECK: scf.for %[[AT:.*]] = %[[FIRST]] to %[[END]] step %c16
// CHECK: memref.prefetch %arg0
// CHECK: vector.store %{{.*}}, %arg2[%[[ROW]], %[[AT]]] {alignment = 64 : i64, nontemporal = true}
// CHECK: scf.for %[[LAST:.*]] = %[[END]] to %c512 step %c4
// CHECK: vector.store %{{.*}}, %arg2[%[[ROW]], %[[LAST]]] : memref<200000x512xf32>, vector<4xf32>
// CHECK: llvm.fence
// CHECK: } else {
// CHECK: scf.for %[[OTHER:.*]] = %c0 to %c200000
// CHECK: arith.addi %[[OTHER]], %c4
// CHECK-NOT: nontemporal
// CHECK: return
func.func @long(%table: memref<1000000x512xf32>, %rows: memref<200000xi64>,
    %out: memref<200000x512xf32>) {
  "gs.generic"(%table, %rows, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<1000000x512xf32>, memref<200000xi64>, memref<200000x512xf32>) -> ()
  return
}

// Rows of whose length nothing is known: of one line and more if all begin with one, of 256 bytes if
// they lie a number of lines apart, else of more. What pieces leave is one by one.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[ODD:.*]] = arith.select %{{.*}}, %c384, %c1024
// CHECK: %[[REGULAR:.*]] = arith.select %{{.*}}, %c256, %[[ODD]]
// CHECK: %[[LEAST:.*]] = arith.select %{{.*}}, %c64, %[[REGULAR]]
// CHECK: arith.cmpi sge, %{{.*}}, %[[LEAST]]
// CHECK: scf.for {{.*}} step %c4
// CHECK: vector<4xf32>
// CHECK: scf.for {{.*}} step %c1
// CHECK: memref.store
// CHECK: nontemporal
// CHECK: scf.for {{.*}} step %c4
// CHECK: vector<4xf32>
// CHECK: scf.for {{.*}} step %c1
// CHECK: memref.store
// CHECK: return
func.func @unknown(%table: memref<?x?xf32>, %rows: memref<200000xi64>,
    %out: memref<200000x?xf32>) {
  "gs.generic"(%table, %rows, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<?x?xf32>, memref<200000xi64>, memref<200000x?xf32>) -> ()
  return
}

// Rows of 400 bytes begin at each multiple of 16 of a line: where one does is found out for each. Of
// 300 bytes, most begin elsewhere than the one before: they go through the caches.
// CHECK-LABEL: func.func @apart
// CHECK: scf.for %[[ROW:.*]] = %c0
// CHECK: %[[BEGUN:.*]] = arith.muli %[[ROW]], %c100
// CHECK: arith.addi %{{.*}}, %[[BEGUN]]
// CHECK: nontemporal
// CHECK: return
func.func @apart(%table: memref<1000000x100xf32>, %rows: memref<200000xi64>,
    %out: memref<200000x100xf32>) {
  "gs.generic"(%table, %rows, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<1000000x100xf32>, memref<200000xi64>, memref<200000x100xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @odd
// CHECK-NOT: nontemporal
// CHECK: return
func.func @odd(%table: memref<1000000x75xf32>, %rows: memref<200000xi64>,
    %out: memref<200000x75xf32>) {
  "gs.generic"(%table, %rows, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<1000000x75xf32>, memref<200000xi64>, memref<200000x75xf32>) -> ()
  return
}

// Rows that are written at coordinates and not read: the first and the last line of a later one are
// asked for, which this writes a part of, where rows do not begin with lines.
// CHECK-LABEL: func.func @set
// CHECK: %[[LINES:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK: %[[PARTS:.*]] = arith.cmpi eq, %[[LINES]], %false
// CHECK: scf.if %[[PARTS]]
// CHECK: memref.prefetch %arg2[%[[THERE:.*]], %c0], write
// CHECK-NEXT: memref.prefetch %arg2[%[[THERE]], %c63], write
// CHECK: nontemporal
// CHECK: return
func.func @set(%updates: memref<200000x64xf32>, %rows: memref<200000xi64>,
    %out: memref<1000000x64xf32>) {
  "gs.generic"(%updates, %rows, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>,
                       affine_map<(d0, d1)[s0] -> (s0, d1)>],
      iterator_types = ["parallel", "parallel"], unique,
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<200000x64xf32>, memref<200000xi64>, memref<1000000x64xf32>) -> ()
  return
}
