// Rows of a table that are summed up, as rows of coordinates name them: those that come next are
// found in the rows of coordinates behind, which may be short.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:cache-bytes=0" --canonicalize --cse | filecheck %s

// Side by side they are one row of coordinates, that ends with the last one.
// CHECK-LABEL: func.func @bags
// CHECK: scf.for %[[BAG:.*]] = %c0 to
// CHECK: scf.for %[[I:.*]] = %c0 to %[[EACH:.*]] step %c1 iter_args
// CHECK: %[[AHEAD:.*]] = arith.addi %[[I]], %c32
// CHECK: %[[IDS:.*]] = memref.reinterpret_cast %arg1 to offset: [0], sizes: [%[[COUNT:.*]]], strides: [1]
// CHECK: %[[FIRST:.*]] = arith.muli %[[BAG]], %[[EACH]]
// CHECK: %[[PLACE:.*]] = arith.addi %[[FIRST]], %[[AHEAD]]
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %c1
// CHECK: %[[INSIDE:.*]] = arith.minsi %[[PLACE]], %[[LAST]]
// CHECK: %[[ID:.*]] = memref.load %[[IDS]][%[[INSIDE]]]
// CHECK: %[[ROW:.*]] = arith.index_cast %[[ID]]
// CHECK-NOT: arith.select
// CHECK: memref.prefetch %arg0[%[[ROW]], %c0], read
// CHECK: memref.load %arg1[%[[BAG]], %[[I]]]
func.func @bags(%table: memref<100000x64xf32>, %ids: memref<?x?xi64>, %out: memref<?x64xf32>) {
  "gs.generic"(%table, %ids, %out) ({
  ^bb0(%row: f32, %sum: f32):
    %next = arith.addf %sum, %row : f32
    "gs.yield"(%next) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1, d2)[s0] -> (d0, d1)>]],
      indexing_maps = [affine_map<(d0, d1, d2)[s0] -> (s0, d2)>,
                       affine_map<(d0, d1, d2)[s0] -> (d0, d2)>],
      iterator_types = ["parallel", "reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<100000x64xf32>, memref<?x?xi64>, memref<?x64xf32>) -> ()
  return
}

// -----

// Where each row of coordinates has a table of its own, the place says which row it is in.
// CHECK-LABEL: func.func @batches
// CHECK: scf.for %[[BATCH:.*]] = %c0 to %c10
// CHECK: scf.for %[[I:.*]] = %c0 to %[[EACH:.*]] step %c1 iter_args
// CHECK: %[[AHEAD:.*]] = arith.addi %[[I]], %c32
// CHECK: %[[FIRST:.*]] = arith.muli %[[BATCH]], %[[EACH]]
// CHECK: %[[PLACE:.*]] = arith.addi %[[FIRST]], %[[AHEAD]]
// CHECK: %[[INSIDE:.*]] = arith.minsi %[[PLACE]], %{{.*}}
// CHECK: %[[ID:.*]] = memref.load %{{.*}}[%[[INSIDE]]]
// CHECK: %[[ROW:.*]] = arith.index_cast %[[ID]]
// CHECK: %[[OTHER:.*]] = arith.divui %[[INSIDE]], %[[EACH]]
// CHECK: memref.prefetch %arg0[%[[OTHER]], %[[ROW]], %c0], read
func.func @batches(%table: memref<10x10000x64xf32>, %ids: memref<10x?xi64>,
    %out: memref<10x64xf32>) {
  "gs.generic"(%table, %ids, %out) ({
  ^bb0(%row: f32, %sum: f32):
    %next = arith.addf %sum, %row : f32
    "gs.yield"(%next) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1, d2)[s0] -> (d0, d1)>]],
      indexing_maps = [affine_map<(d0, d1, d2)[s0] -> (d0, s0, d2)>,
                       affine_map<(d0, d1, d2)[s0] -> (d0, d2)>],
      iterator_types = ["parallel", "reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<10x10000x64xf32>, memref<10x?xi64>, memref<10x64xf32>) -> ()
  return
}

// -----

// Not where rows of coordinates may lie apart: then there is the next row alone.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: memref.reinterpret_cast
// CHECK: %[[IS_PAST:.*]] = arith.cmpi sge
// CHECK: arith.select %[[IS_PAST]]
// CHECK: memref.prefetch %arg0[%{{.*}}, %c0], read
func.func @apart(%table: memref<100000x64xf32>, %ids: memref<?x?xi64, strided<[?, 1]>>,
    %out: memref<?x64xf32>) {
  "gs.generic"(%table, %ids, %out) ({
  ^bb0(%row: f32, %sum: f32):
    %next = arith.addf %sum, %row : f32
    "gs.yield"(%next) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1, d2)[s0] -> (d0, d1)>]],
      indexing_maps = [affine_map<(d0, d1, d2)[s0] -> (s0, d2)>,
                       affine_map<(d0, d1, d2)[s0] -> (d0, d2)>],
      iterator_types = ["parallel", "reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<100000x64xf32>, memref<?x?xi64, strided<[?, 1]>>, memref<?x64xf32>) -> ()
  return
}
