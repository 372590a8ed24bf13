// Loops that others wrote: what is found by loaded coordinates is prefetched some iterations ahead.
// RUN: gs-opt %s --gs-prefetch="target=generic:lines-l2=16:elements-ahead=32:read-ahead=0:far-bytes=4194304:memory-bytes=4194304" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --gs-prefetch="target=generic:lines-l2=16:elements-ahead=32:read-ahead=2048:write-ahead=1024:far-bytes=4194304:memory-bytes=4194304" --canonicalize --cse \
// RUN:   | filecheck %s --check-prefix=STREAM
// RUN: gs-opt %s --gs-prefetch="target=generic:disable=prefetch" | filecheck %s --check-prefix=OFF
// RUN: gs-opt %s --gs-prefetch="target=generic:prefetch-level=2" | filecheck %s --check-prefix=SECOND

// OFF-NOT: memref.prefetch

// The coordinate is read where the last iteration reads one, at most.
// CHECK-LABEL: func.func @gather
// CHECK-SAME: %[[TABLE:.*]]: memref<4000000xf32>, %[[IDS:[a-z0-9]*]]: memref<?xi32>
// CHECK: %[[COUNT:.*]] = memref.dim %[[IDS]]
// CHECK: %[[WORTH:.*]] = arith.cmpi sge, %[[COUNT]], %c64
// CHECK: %[[LAST:.*]] = arith.subi %[[COUNT]], %c1
// CHECK: scf.for %[[I:.*]] = %c0 to
// CHECK: memref.load %[[IDS]][%[[I]]]
// CHECK: scf.if %[[WORTH]]
// CHECK: %[[LATER:.*]] = arith.addi %[[I]], %c32
// CHECK: %[[AT:.*]] = arith.minsi %[[LATER]], %[[LAST]]
// CHECK: %[[ID:.*]] = memref.load %[[IDS]][%[[AT]]]
// CHECK: %[[WHERE:.*]] = arith.index_cast %[[ID]]
// CHECK: memref.prefetch %[[TABLE]][%[[WHERE]]], read, locality<3>, data
// CHECK: memref.load %[[TABLE]]
// SECOND-LABEL: func.func @gather
// SECOND: %[[D:.*]] = arith.constant 128 : index
// SECOND: memref.prefetch %{{.*}}, read, locality<2>
// What the loop goes through in order is prefetched where the target says so.
// STREAM-LABEL: func.func @gather
// STREAM-SAME: %[[TABLE:.*]]: memref<4000000xf32>, %[[IDS:[a-z0-9]*]]: memref<?xi32>, %[[OUT:.*]]: memref<?xf32>
// STREAM: %[[NEXT:.*]] = arith.addi %[[I:.*]], %c512
// STREAM: memref.prefetch %[[IDS]][%[[NEXT]]], read
// STREAM: %[[NEXT:.*]] = arith.addi %[[I]], %c256
// STREAM: memref.prefetch %[[OUT]][%[[NEXT]]], write
func.func @gather(%table: memref<4000000xf32>, %ids: memref<?xi32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %ids, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xi32>
    %at = arith.index_cast %id : i32 to index
    %x = memref.load %table[%at] : memref<4000000xf32>
    memref.store %x, %out[%i] : memref<?xf32>
  }
  return
}

// A prefetch needs no place in bounds: coordinates are not clamped for it, but those are that lead to
// others.
// CHECK-LABEL: func.func @clamped
// CHECK: scf.if
// CHECK: %[[FIRST:.*]] = memref.load %arg1[%{{.*}}] : memref<?xi64>
// CHECK-NEXT: %[[PLACE:.*]] = arith.index_cast %[[FIRST]]
// CHECK: %[[INSIDE:.*]] = arith.minui %[[PLACE]]
// CHECK-NEXT: %[[AGAIN:.*]] = memref.load %arg2[%[[INSIDE]]] : memref<?xi64>
// CHECK-NEXT: %[[WHERE:.*]] = arith.index_cast %[[AGAIN]]
// CHECK-NEXT: memref.prefetch %arg0[%[[WHERE]]]
func.func @clamped(%table: memref<4000000xf32>, %ids: memref<?xi64>, %places: memref<?xi64>,
                   %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %last = arith.constant 3999999 : i64
  %n = memref.dim %ids, %c0 : memref<?xi64>
  %m = memref.dim %places, %c0 : memref<?xi64>
  %end = arith.subi %m, %c1 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<?xi64>
    %wide = arith.index_cast %id : i64 to index
    %some = arith.minsi %wide, %end : index
    %at = arith.maxsi %some, %c0 : index
    %place = memref.load %places[%at] : memref<?xi64>
    %less = arith.minsi %place, %last : i64
    %clamped = arith.maxsi %less, %zero : i64
    %where = arith.index_cast %clamped : i64 to index
    %x = memref.load %table[%where] : memref<4000000xf32>
    memref.store %x, %out[%i] : memref<?xf32>
  }
  return
}

// A sparse matrix times a vector. Rows are views, beyond whose end the columns of the next one lie.
// CHECK-LABEL: func.func @spmv
// CHECK: %[[FIRST:.*]] = memref.load %arg0
// CHECK: %[[BYTES:.*]] = arith.muli %{{.*}}, %c8
// CHECK: arith.cmpi sge, %[[BYTES]], %c4194304
// CHECK: %[[WORTH:.*]] = arith.andi
// CHECK: scf.for %[[J:.*]] = %c0 to {{.*}} iter_args
// CHECK: scf.if %[[WORTH]]
// CHECK: %[[LATER:.*]] = arith.addi %[[J]], %c32
// CHECK: arith.addi %[[FIRST]], %[[LATER]]
// CHECK: arith.minui
// CHECK: memref.load %arg1
// CHECK: memref.prefetch %arg3
func.func @spmv(%starts: memref<?xindex>, %columns: memref<?xi64>, %values: memref<?xf64>,
    %x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = memref.dim %y, %c0 : memref<?xf64>
  scf.parallel (%row) = (%c0) to (%rows) step (%c1) {
    %first = memref.load %starts[%row] : memref<?xindex>
    %next = arith.addi %row, %c1 : index
    %end = memref.load %starts[%next] : memref<?xindex>
    %size = arith.subi %end, %first : index
    %part = memref.subview %columns[%first] [%size] [1]
        : memref<?xi64> to memref<?xi64, strided<[1], offset: ?>>
    %sum = scf.for %j = %c0 to %size step %c1 iter_args(%s = %zero) -> (f64) {
      %c = memref.load %part[%j] : memref<?xi64, strided<[1], offset: ?>>
      %column = arith.index_cast %c : i64 to index
      %k = arith.addi %first, %j : index
      %v = memref.load %values[%k] : memref<?xf64>
      %b = memref.load %x[%column] : memref<?xf64>
      %p = arith.mulf %v, %b : f64
      %t = arith.addf %s, %p : f64
      scf.yield %t : f64
    }
    memref.store %sum, %y[%row] : memref<?xf64>
    scf.reduce
  }
  return
}

// A sum at coordinates: one prefetch for the load and the store, to write.
// CHECK-LABEL: func.func @histogram
// CHECK-COUNT-1: memref.prefetch %arg1{{.*}}, write
// CHECK-NOT: memref.prefetch
func.func @histogram(%ids: memref<100000xindex>, %bins: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %n = arith.constant 100000 : index
  scf.for %i = %c0 to %n step %c1 {
    %at = memref.load %ids[%i] : memref<100000xindex>
    %old = memref.load %bins[%at] : memref<?xi64>
    %new = arith.addi %old, %one : i64
    memref.store %new, %bins[%at] : memref<?xi64>
  }
  return
}

// Coordinates that are wrapped and clipped: the arithmetic is a part of the slice, promises and
// clamps are not.
// CHECK-LABEL: func.func @clipped
// CHECK: arith.minsi
// CHECK: %[[ID:.*]] = memref.load %arg1
// CHECK: arith.index_castui
// CHECK: %[[MOVED:.*]] = arith.addi {{.*}}, %c7 : index
// CHECK-NEXT: memref.prefetch %arg0[%[[MOVED]]]
func.func @clipped(%table: memref<4000000xf32>, %ids: memref<1000xi16>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %last = arith.constant 3999999 : index
  %n = arith.constant 1000 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %id = memref.load %ids[%i] : memref<1000xi16>
    %cast = arith.index_castui %id : i16 to index
    %moved = arith.addi %cast, %c7 overflow<nsw> : index
    %low = arith.maxsi %moved, %c0 : index
    %at = arith.minsi %low, %last : index
    %x = memref.load %table[%at] : memref<4000000xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %sum : f32
}

// Under a mask: where coordinates are read for all, so is the prefetch; else it is in the branch.
// CHECK-LABEL: func.func @masked
// CHECK: scf.for
// CHECK: memref.load %arg1
// CHECK: memref.prefetch %arg0
// CHECK: scf.if
// CHECK: memref.load %arg2
// CHECK: memref.prefetch %arg0
// CHECK: memref.store
func.func @masked(%table: memref<4000000xf32>, %ids: memref<1000xindex>, %others: memref<1000xindex>,
    %mask: memref<1000xi1>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  scf.for %i = %c0 to %n step %c1 {
    %at = memref.load %ids[%i] : memref<1000xindex>
    %m = memref.load %mask[%i] : memref<1000xi1>
    scf.if %m {
      memref.store %x, %table[%at] : memref<4000000xf32>
    }
    scf.if %m {
      %other = memref.load %others[%i] : memref<1000xindex>
      memref.store %x, %table[%other] : memref<4000000xf32>
    }
  }
  return
}

// Through two loads: the place of the first is one that the loop reads, that of the second is
// clamped.
// CHECK-LABEL: func.func @twice
// CHECK: %[[AT:.*]] = arith.minsi %{{.*}}, %c998
// CHECK: %[[ID:.*]] = memref.load %{{.*}}[%[[AT]]]
// CHECK: %[[INSIDE:.*]] = arith.minui %[[ID]], %c511
// CHECK: memref.load %{{.*}}[%[[INSIDE]]]
// CHECK: memref.prefetch %arg0
func.func @twice(%table: memref<4000000xf32>, %pages: memref<512xindex>, %ids: memref<1000xindex>,
    %x: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = arith.constant 1000 : index
  scf.for %i = %c0 to %n step %c2 {
    %id = memref.load %ids[%i] : memref<1000xindex>
    %at = memref.load %pages[%id] : memref<512xindex>
    memref.store %x, %table[%at] : memref<4000000xf32>
  }
  return
}

// Points that are taken together, and a step: one loop for all of them.
// CHECK-LABEL: func.func @together
// CHECK: scf.for %[[I:.*]] = %c0 to %c1024 step %c8
// CHECK: %[[LATER:.*]] = arith.addi %[[I]], %c32
// CHECK: %[[INSIDE:.*]] = arith.minsi %[[LATER]], %c1016
// CHECK: scf.for %[[K:.*]] = %c0 to %c8 step %c1
// CHECK: arith.addi %[[INSIDE]], %[[K]]
// CHECK: memref.prefetch
// CHECK-NOT: memref.prefetch
func.func @together(%table: memref<4000000xf32>, %ids: memref<1024xindex>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %n = arith.constant 1024 : index
  scf.for %i = %c0 to %n step %c8 {
    %i1 = arith.addi %i, %c1 : index
    %i2 = arith.addi %i, %c2 : index
    %i3 = arith.addi %i, %c3 : index
    %i4 = arith.addi %i, %c4 : index
    %i5 = arith.addi %i, %c5 : index
    %i6 = arith.addi %i, %c6 : index
    %i7 = arith.addi %i, %c7 : index
    %0 = memref.load %ids[%i] : memref<1024xindex>
    %1 = memref.load %ids[%i1] : memref<1024xindex>
    %2 = memref.load %ids[%i2] : memref<1024xindex>
    %3 = memref.load %ids[%i3] : memref<1024xindex>
    %4 = memref.load %ids[%i4] : memref<1024xindex>
    %5 = memref.load %ids[%i5] : memref<1024xindex>
    %6 = memref.load %ids[%i6] : memref<1024xindex>
    %7 = memref.load %ids[%i7] : memref<1024xindex>
    memref.store %x, %table[%0] : memref<4000000xf32>
    memref.store %x, %table[%1] : memref<4000000xf32>
    memref.store %x, %table[%2] : memref<4000000xf32>
    memref.store %x, %table[%3] : memref<4000000xf32>
    memref.store %x, %table[%4] : memref<4000000xf32>
    memref.store %x, %table[%5] : memref<4000000xf32>
    memref.store %x, %table[%6] : memref<4000000xf32>
    memref.store %x, %table[%7] : memref<4000000xf32>
  }
  return
}
