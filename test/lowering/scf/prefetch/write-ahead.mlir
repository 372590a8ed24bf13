// Lines that are asked for before they are written.
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:write-ahead=4096:stream-reads=2" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:stream-reads=2" --canonicalize --cse | filecheck %s --check-prefix=WITHOUT

#row = affine_map<(d0, d1)[s0] -> (d0)>
#at = affine_map<(d0, d1)[s0] -> (s0, d1)>
#all = affine_map<(d0, d1)[s0] -> (d0, d1)>

// 1024 elements ahead of each vector of the output, past the end of a row, too.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: memref.copy
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c1000
// CHECK: scf.for %[[COLUMN:.*]] = %c0 to %c2048 step %c16
// CHECK: memref.prefetch %arg0[{{.*}}], read
// CHECK: %[[AHEAD:.*]] = arith.addi %[[COLUMN]], %c1024
// CHECK: memref.prefetch %arg2[%[[ROW]], %[[AHEAD]]], write
// CHECK: vector.store %{{.*}}, %arg2[%[[ROW]], %[[COLUMN]]]
// WITHOUT-LABEL: func.func @rows
// WITHOUT-NOT: memref.prefetch {{.*}}, write
// WITHOUT: memref.copy
func.func @rows(%table: memref<5000x2048xf32>, %i: memref<1000xi64>, %out: memref<1000x2048xf32>) {
  "gs.generic"(%table, %i, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[#row]], indexing_maps = [#at, #all],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<5000x2048xf32>, memref<1000xi64>, memref<1000x2048xf32>) -> ()
  return
}

// Not of an output that the cache holds, nor of rows at coordinates, which are no stream.
// CHECK-LABEL: func.func @near
// CHECK-NOT: memref.prefetch {{.*}}, write
// CHECK: return
func.func @near(%table: memref<5000x64xf32>, %i: memref<100xi64>, %out: memref<100x64xf32>) {
  "gs.generic"(%table, %i, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[#row]], indexing_maps = [#at, #all],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<5000x64xf32>, memref<100xi64>, memref<100x64xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @scattered
// CHECK-COUNT-4: memref.prefetch %arg2[{{.*}}], write
// The line of its last element, where it does not begin with one.
// CHECK: memref.prefetch %arg2[{{.*}}, %c63], write
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @scattered(%updates: memref<1000x64xf32>, %i: memref<1000xi64>,
    %out: memref<50000x64xf32>) {
  "gs.generic"(%updates, %i, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[#row]], indexing_maps = [#all, #at],
      iterator_types = ["reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<1000x64xf32>, memref<1000xi64>, memref<50000x64xf32>) -> ()
  return
}

// Of a window that moves along the output what it reaches next: 64 steps of 64 bytes ahead, and
// behind all of its points.
// CHECK-LABEL: func.func @window
// CHECK: %[[ENDS:.*]]:2 = scf.for {{.*}} iter_args
// CHECK: arith.minsi
// CHECK: arith.maxsi
// CHECK: scf.for %[[STEP:.*]] = %c0 to %c99000
// CHECK: %[[AHEAD:.*]] = arith.addi %[[STEP]], %c64
// CHECK: %[[BEGIN:.*]] = arith.muli %[[AHEAD]], %c16
// CHECK: %[[FRONT:.*]] = arith.addi %[[BEGIN]], %[[ENDS]]#1
// CHECK: memref.prefetch %arg2[%[[FRONT]]], write
// CHECK: scf.for
// CHECK-NOT: memref.prefetch
// CHECK: return
// WITHOUT-LABEL: func.func @window
// WITHOUT-NOT: memref.prefetch
// WITHOUT: return
func.func @window(%updates: memref<99000x3xf32>, %offsets: memref<3xi64>,
    %dest: memref<1590000xf32>) {
  "gs.generic"(%updates, %offsets, %dest) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d1)>]],
      indexing_maps = [#all, affine_map<(d0, d1)[s0] -> (d0 * 16 + s0)>],
      iterator_types = ["reduction", "reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<99000x3xf32>, memref<3xi64>, memref<1590000xf32>) -> ()
  return
}

// Elements one by one: as far ahead as is said for these.
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:write-ahead=4096" --canonicalize --cse | filecheck %s --check-prefix=ROWS
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:write-ahead=4096:element-write-ahead=4096" --canonicalize --cse | filecheck %s --check-prefix=BOTH
// ROWS-LABEL: func.func @elements
// ROWS-NOT: memref.prefetch %{{.*}}, write
// ROWS: return
// BOTH-LABEL: func.func @elements
// BOTH: arith.addi %{{.*}}, %c1024
// BOTH: memref.prefetch %arg2[%{{.*}}], write
// BOTH: return
func.func @elements(%table: memref<4096xf32>, %places: memref<1048576xi64>, %out: memref<1048576xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<4096xf32>, memref<1048576xi64>, memref<1048576xf32>) -> ()
  return
}
