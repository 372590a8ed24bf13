// Matrices whose columns have coordinates of their own: strips of columns are brought together.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2" --canonicalize --cse | filecheck %s --check-prefix=TWO
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:cache-bytes=8388608" --canonicalize --cse | filecheck %s --check-prefix=NEAR
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:written-strip-bytes=256" --canonicalize --cse | filecheck %s --check-prefix=WIDE

#all = affine_map<(d0, d1)[s0] -> (d0, d1)>
#at = affine_map<(d0, d1)[s0] -> (s0, d1)>

// 32 columns at a time: all rows to the buffer, then all points on it.
// CHECK-LABEL: func.func @take
// CHECK: memref.alloc() {alignment = 128 : i64} : memref<1x4096x32xf32>
// CHECK: call @gs_kernel_0_strips(%arg0, %arg1, %arg2,
// CHECK: memref.dealloc
// The columns before the first line and after the last strip.
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1
// CHECK: vector.from_elements
// CHECK: return
// CHECK-LABEL: func.func private @gs_kernel_0_strips
// CHECK: scf.for %[[COLUMN:.*]] = %[[FIRST:.*]] to %[[END:.*]] step %c32
// CHECK: memref.subview %arg0[0, %[[COLUMN]]] [4096, 32] [1, 1]
// CHECK: memref.subview %arg1[0, %[[COLUMN]]] [1024, 32] [1, 1]
// CHECK: memref.subview %arg2[0, %[[COLUMN]]] [1024, 32] [1, 1]
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c4096 step %c1
// CHECK: vector.store
// CHECK: scf.for %{{.*}} = %c0 to %c1024 step %c1
// CHECK: vector.from_elements
// CHECK: return


// WIDE-LABEL: func.func @take

// Threads share the strips, each with a buffer of its own.
// TWO-LABEL: func.func @take
// TWO: %[[BUFFERS:.*]] = memref.alloc() {alignment = 128 : i64} : memref<2x4097x32xf32>
// TWO: scf.parallel (%[[THREAD:.*]]) =
// TWO: %[[MINE:.*]] = memref.subview %[[BUFFERS]][%[[THREAD]], 0, 0] [1, 4096, 32] [1, 1, 1]
// TWO: func.call @gs_kernel_0_strips(%arg0, %arg1, %arg2, %[[MINE]],
// TWO: memref.dealloc %[[BUFFERS]]
func.func @take(%table: memref<4096x1024xf32>, %i: memref<1024x1024xi64>,
    %out: memref<1024x1024xf32>) {
  "gs.generic"(%table, %i, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[#all]], indexing_maps = [#at, #all],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<4096x1024xf32>, memref<1024x1024xi64>, memref<1024x1024xf32>) -> ()
  return
}

// -----

#all = affine_map<(d0, d1)[s0] -> (d0, d1)>
#at = affine_map<(d0, d1)[s0] -> (s0, d1)>

// What is written goes back from the buffer; how much there is decides when it runs.
// A core may want wider rows where they are copied back.
// WIDE-LABEL: func.func @add
// WIDE: memref.alloc(%{{.*}}) {alignment = 128 : i64} : memref<1x?x64xf32>
// WIDE-LABEL: func.func private @gs_kernel_0_strips
// CHECK-LABEL: func.func @add
// CHECK: scf.if
// CHECK: memref.alloc(%{{.*}}) {alignment = 128 : i64} : memref<1x?x32xf32>
// CHECK: call @gs_kernel_0_strips
// CHECK: memref.dealloc
// CHECK-LABEL: func.func private @gs_kernel_0_strips
// CHECK: scf.for %[[COLUMN:.*]] =
// CHECK: %[[MATRIX:.*]] = memref.subview %arg2[0, %[[COLUMN]]]
// CHECK: vector.load %[[MATRIX]]
// CHECK: memref.store %{{.*}}, %[[BUFFER:.*]][%{{.*}}] : memref<?x32xf32
// CHECK: vector.load %[[BUFFER]]
// CHECK: vector.store %{{.*}}, %[[MATRIX]]
func.func @add(%updates: memref<?x?xf32>, %dest: memref<?x?xf32>, %i: memref<?x?xi64>) {
  "gs.generic"(%updates, %i, %dest) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[#all]], indexing_maps = [#all, #at],
      iterator_types = ["reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<?x?xf32>, memref<?x?xi64>, memref<?x?xf32>) -> ()
  return
}

// -----

#all = affine_map<(d0, d1)[s0] -> (d0, d1)>
#at = affine_map<(d0, d1)[s0] -> (s0, d1)>

// A matrix that the caches hold, and one of which few rows are read.
// CHECK-LABEL: func.func @small
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @small(%table: memref<100x1024xf32>, %i: memref<100x1024xi64>,
    %out: memref<100x1024xf32>) {
  "gs.generic"(%table, %i, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[#all]], indexing_maps = [#at, #all],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<100x1024xf32>, memref<100x1024xi64>, memref<100x1024xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @few
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @few(%table: memref<4096x1024xf32>, %i: memref<1000x1024xi64>,
    %out: memref<1000x1024xf32>) {
  "gs.generic"(%table, %i, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[#all]], indexing_maps = [#at, #all],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<4096x1024xf32>, memref<1000x1024xi64>, memref<1000x1024xf32>) -> ()
  return
}

// -----

#all = affine_map<(d0, d1)[s0] -> (d0, d1)>
#at = affine_map<(d0, d1)[s0] -> (s0, d1)>

// Strips of more than the second-level cache holds are in the last-level one, if that holds four of
// them; and fewer rows are enough of what that does not hold.
// CHECK-LABEL: func.func @long
// CHECK: memref.alloc() {alignment = 128 : i64} : memref<1x65536x32xf32>
// CHECK: return
// NEAR-LABEL: func.func @long
// NEAR-NOT: memref.alloc
// NEAR: return
func.func @long(%table: memref<65536x512xf32>, %i: memref<4096x512xi64>,
    %out: memref<4096x512xf32>) {
  "gs.generic"(%table, %i, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[#all]], indexing_maps = [#at, #all],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<65536x512xf32>, memref<4096x512xi64>, memref<4096x512xf32>) -> ()
  return
}
