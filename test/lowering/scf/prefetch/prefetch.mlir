// What is asked for ahead of its use, of elements that no cache holds; rows are in
// strategies/strategies.mlir.
// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s

#plain = affine_map<(d0)[s0] -> (d0)>
#at = affine_map<(d0)[s0] -> (s0)>

// Writes at coordinates, 32 points ahead, in strips of 16; the last points ask for nothing.
// CHECK-LABEL: func.func @set_far
// CHECK: scf.for %[[STRIP:.*]] = %c0 to %c4992 step %c16
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[STRIP]], %c4952
// CHECK: scf.if %[[FITS]]
// CHECK: %[[AHEAD:.*]] = arith.addi %[[STRIP]], %c32
// CHECK: scf.for %[[NUMBER:.*]] = %c0 to %c16 step %c1
// CHECK: %[[POINT:.*]] = arith.addi %[[AHEAD]], %[[NUMBER]]
// CHECK: %[[ID:.*]] = memref.load %arg1[%[[POINT]]]
// CHECK: %[[WHERE:.*]] = arith.index_cast %[[ID]]
// CHECK: memref.prefetch %arg2[%[[WHERE]]], write
// CHECK: scf.for %[[I:.*]] = %c0 to %c16 step %c4
// CHECK: %[[AT:.*]] = arith.addi %[[STRIP]], %[[I]]
// CHECK-COUNT-4: memref.store %{{.*}}, %arg2
// CHECK: scf.for %{{.*}} = %c4992 to %c5000 step %c1
// CHECK-NOT: memref.prefetch
// CHECK: memref.store %{{.*}}, %arg2
func.func @set_far(%updates: memref<5000xf32>, %indices: memref<5000xi64>,
    %dest: memref<4000000xf32>) {
  "gs.generic"(%updates, %indices, %dest) ({
  ^bb0(%update: f32, %current: f32):
    "gs.yield"(%update) : (f32) -> ()
  }) {coordinate_maps = [[#plain]], indexing_maps = [#plain, #at], iterator_types = ["parallel"],
      unique,
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<5000xf32>, memref<5000xi64>, memref<4000000xf32>) -> ()
  return
}

// Reads are packed into vectors, of which each asks for as many.
// CHECK-LABEL: func.func @take_far
// CHECK: scf.for %{{.*}} = %c0 to %c4992 step %c16
// CHECK: scf.for
// CHECK: memref.prefetch %arg0[{{.*}}], read
// CHECK-NOT: memref.prefetch
// CHECK: llvm.inline_asm
func.func @take_far(%table: memref<4000000xf32>, %indices: memref<5000xi64>,
    %result: memref<5000xf32>) {
  "gs.generic"(%table, %indices, %result) ({
  ^bb0(%element: f32, %current: f32):
    "gs.yield"(%element) : (f32) -> ()
  }) {coordinate_maps = [[#plain]], indexing_maps = [#at, #plain], iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<4000000xf32>, memref<5000xi64>, memref<5000xf32>) -> ()
  return
}

// Nothing of a table of less than 4 MiB, and nothing for a few points.
// CHECK-LABEL: func.func @near
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @near(%table: memref<1000000xf32>, %indices: memref<5000xi64>,
    %result: memref<5000xf32>) {
  "gs.generic"(%table, %indices, %result) ({
  ^bb0(%element: f32, %current: f32):
    "gs.yield"(%element) : (f32) -> ()
  }) {coordinate_maps = [[#plain]], indexing_maps = [#at, #plain], iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<1000000xf32>, memref<5000xi64>, memref<5000xf32>) -> ()
  return
}

// 2 MB are far for what is only written, and near for sums.
// CHECK-LABEL: func.func @set_or_add
// CHECK: memref.prefetch %arg2[{{.*}}], write
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @set_or_add(%updates: memref<5000xf32>, %indices: memref<5000xi64>,
    %set: memref<500000xf32>, %sums: memref<500000xf32>) {
  "gs.generic"(%updates, %indices, %set) ({
  ^bb0(%update: f32, %current: f32):
    "gs.yield"(%update) : (f32) -> ()
  }) {coordinate_maps = [[#plain]], indexing_maps = [#plain, #at], iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<5000xf32>, memref<5000xi64>, memref<500000xf32>) -> ()
  "gs.generic"(%updates, %indices, %sums) ({
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    "gs.yield"(%new) : (f32) -> ()
  }) {coordinate_maps = [[#plain]], indexing_maps = [#plain, #at], iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<5000xf32>, memref<5000xi64>, memref<500000xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @few
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @few(%table: memref<4000000xf32>, %indices: memref<63xi64>, %result: memref<63xf32>) {
  "gs.generic"(%table, %indices, %result) ({
  ^bb0(%element: f32, %current: f32):
    "gs.yield"(%element) : (f32) -> ()
  }) {coordinate_maps = [[#plain]], indexing_maps = [#at, #plain], iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<4000000xf32>, memref<63xi64>, memref<63xf32>) -> ()
  return
}

// Of unknown size: the loop that asks, and the one that does not.
// CHECK-LABEL: func.func @add_anywhere
// CHECK: %[[FAR:.*]] = arith.cmpi sge, %{{.*}}, %c4194304
// CHECK: %[[LONG:.*]] = arith.cmpi sge, %{{.*}}, %c64
// CHECK: %[[WORTH:.*]] = arith.andi %[[FAR]], %[[LONG]]
// CHECK: scf.if %[[WORTH]]
// CHECK: memref.prefetch %arg2[{{.*}}], write
// CHECK: } else {
// CHECK-NOT: memref.prefetch
// CHECK: memref.store
func.func @add_anywhere(%updates: memref<?xf32>, %indices: memref<?xi64>, %dest: memref<?xf32>) {
  "gs.generic"(%updates, %indices, %dest) ({
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    "gs.yield"(%new) : (f32) -> ()
  }) {coordinate_maps = [[#plain]], indexing_maps = [#plain, #at], iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> ()
  return
}

// Most lines of a row are written: the next row is asked for, 4 lines in each strip of 16 points.
// CHECK-LABEL: func.func @set_along
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c4096 step %c1
// CHECK: scf.for %[[STRIP:.*]] = %c0 to %c256 step %c16
// CHECK: %[[NEXT:.*]] = arith.addi %[[ROW]], %c1
// CHECK: %[[LAST:.*]] = arith.minsi %[[NEXT]], %c4095
// CHECK-COUNT-4: memref.prefetch %arg2[%[[LAST]], %{{.*}}], write
// CHECK-NOT: memref.prefetch
// CHECK: memref.store
func.func @set_along(%updates: memref<4096x256xf32>, %indices: memref<4096x256xi64>,
    %dest: memref<4096x1024xf32>) {
  "gs.generic"(%updates, %indices, %dest) ({
  ^bb0(%update: f32, %current: f32):
    "gs.yield"(%update) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0, d1)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0, s0)>],
      iterator_types = ["parallel", "parallel"], unique,
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<4096x256xf32>, memref<4096x256xi64>, memref<4096x1024xf32>) -> ()
  return
}

// Coordinates that are a slice: what follows it is asked for too, as far as the whole list goes.
// The points behind which none is left to ask for have a loop of their own.
// CHECK-LABEL: func.func @row_of_csr
// CHECK: %[[SIZE:.*]] = memref.dim %arg1, %c0
// CHECK: %[[REST:.*]] = arith.subi %[[SIZE]], %arg2
// CHECK: %[[LONG:.*]] = arith.cmpi sge, %[[REST]], %c64
// CHECK: %[[DONE:.*]]:2 = scf.if %[[LONG]]
// CHECK: %[[LAST:.*]] = arith.subi %[[REST]], %c32
// CHECK: %[[SOME:.*]] = arith.maxsi %[[LAST]], %c0
// CHECK: %[[BORDER:.*]] = arith.minsi %[[SOME]], %arg3
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = %c0 to %[[BORDER]] step %c1
// CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %c32
// CHECK: %[[AT:.*]] = arith.addi %arg2, %[[NEXT]]
// CHECK: %[[COLUMN:.*]] = memref.load %arg1[%[[AT]]]
// CHECK: %[[WHERE:.*]] = arith.index_cast %[[COLUMN]]
// CHECK: memref.prefetch %arg0[%[[WHERE]]], read
// CHECK: scf.yield %[[BORDER]], %[[SUM]]
// CHECK: scf.yield %c0, %{{.*}}
// CHECK: scf.for %{{.*}} = %[[DONE]]#0 to %arg3 step %c1 iter_args(%{{.*}} = %[[DONE]]#1)
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @row_of_csr(%x: memref<4000000xf32>, %columns: memref<?xi32>, %first: index,
    %size: index, %sum: memref<f32>) {
  %row = memref.subview %columns[%first] [%size] [1]
      : memref<?xi32> to memref<?xi32, strided<[1], offset: ?>>
  "gs.generic"(%x, %row, %sum) ({
  ^bb0(%element: f32, %current: f32):
    %new = arith.addf %current, %element : f32
    "gs.yield"(%new) : (f32) -> ()
  }) {coordinate_maps = [[#plain]], indexing_maps = [#at, affine_map<(d0)[s0] -> ()>],
      iterator_types = ["reduction"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<4000000xf32>, memref<?xi32, strided<[1], offset: ?>>, memref<f32>) -> ()
  return
}
