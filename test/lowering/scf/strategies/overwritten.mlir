// Sets at constant offsets of windows that overlap: what a later window sets again does not run.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=WHY

// 8 is reached by the next window, 24 by the one after that.
// CHECK-LABEL: func.func @windows
// CHECK-DAG: %[[STAY:.*]] = memref.get_global @__gs_stay : memref<2xindex>
// CHECK-DAG: %[[READ:.*]] = memref.get_global @__gs_stay_0 : memref<2xindex>
// CHECK-DAG: %[[WINDOWS:.*]] = memref.dim %arg0, %c0
// CHECK: scf.for %{{.*}} = %c0 to %[[WINDOWS]] step %c1
// CHECK: memref.load %[[STAY]]
// CHECK: %[[J:.*]] = memref.load %[[READ]]
// CHECK: memref.load %arg0[%{{.*}}, %[[J]]]
// CHECK: %[[BEFORE:.*]] = arith.subi %[[WINDOWS]], %c2
// CHECK: %[[FIRST:.*]] = arith.maxsi %[[BEFORE]], %c0
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[WINDOWS]] step %c1
// WHY: runs: only the 2 points of d1 that no later one overwrites run; of the last 2 of d0 all do
memref.global "private" constant @offsets : memref<4xindex> = dense<[0, 8, 3, 24]>
func.func @windows(%updates: memref<?x4xf64>, %dest: memref<?xf64>) {
  %offsets = memref.get_global @offsets : memref<4xindex>
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%updates[d0, d1]) outs(%dest[d0 * 8 + s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<?x4xf64>, memref<4xindex>, memref<?xf64>) -> () {
  ^bb0(%update: f64, %old: f64):
    gs.yield %update : f64
  }
  return
}

// -----

// A window that reaches a place twice, and none beside it: the last one stays, nothing runs twice.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-1: memref.store
// CHECK-NOT: memref.store
// CHECK: return
// WHY: runs: only the point of d1 that no later one overwrites run{{$}}
memref.global "private" constant @offsets : memref<2xi8> = dense<[3, 3]>
func.func @twice(%updates: memref<?x2xf64>, %dest: memref<?xf64>) {
  %offsets = memref.get_global @offsets : memref<2xi8>
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%updates[d0, d1]) outs(%dest[d0 * 8 + s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<?x2xf64>, memref<2xi8>, memref<?xf64>) -> () {
  ^bb0(%update: f64, %old: f64):
    gs.yield %update : f64
  }
  return
}

// -----

// Sums need all of them.
// CHECK-LABEL: func.func @sums
// CHECK-NOT: __gs_stay
// CHECK: return
// WHY-NOT: overwrite
memref.global "private" constant @offsets : memref<2xindex> = dense<[0, 8]>
func.func @sums(%updates: memref<?x2xf64>, %dest: memref<?xf64>) {
  %offsets = memref.get_global @offsets : memref<2xindex>
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%updates[d0, d1]) outs(%dest[d0 * 8 + s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<?x2xf64>, memref<2xindex>, memref<?xf64>) -> () {
  ^bb0(%update: f64, %old: f64):
    %sum = arith.addf %old, %update : f64
    gs.yield %sum : f64
  }
  return
}

// -----

// Where the window is the inner dim, the other offset comes later, not the next window.
// CHECK-LABEL: func.func @inner_windows
// CHECK-NOT: __gs_stay
// CHECK: return
memref.global "private" constant @offsets : memref<2xindex> = dense<[0, 8]>
func.func @inner_windows(%updates: memref<2x?xf64>, %dest: memref<?xf64>) {
  %offsets = memref.get_global @offsets : memref<2xindex>
  gs.generic (d0, d1) [s0 = %offsets[d0]]
      ins(%updates[d0, d1]) outs(%dest[d1 * 8 + s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<2x?xf64>, memref<2xindex>, memref<?xf64>) -> () {
  ^bb0(%update: f64, %old: f64):
    gs.yield %update : f64
  }
  return
}

// -----

// What is dropped at one step is not at another; not all constants may be met; and what is written
// may be read before it is written again.
// CHECK-LABEL: func.func @dropped
// CHECK-NOT: __gs_stay
// CHECK-LABEL: func.func @not_all
// CHECK-NOT: __gs_stay
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: __gs_stay
// CHECK: return
memref.global "private" constant @offsets : memref<2xindex> = dense<[0, 8]>
func.func @dropped(%updates: memref<?x2xf64>, %dest: memref<?xf64>) {
  %offsets = memref.get_global @offsets : memref<2xindex>
  gs.generic (d0, d1) [s0 = %offsets[d1] mode(fill_or_drop)]
      ins(%updates[d0, d1]) outs(%dest[d0 * 8 + s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<?x2xf64>, memref<2xindex>, memref<?xf64>) -> () {
  ^bb0(%update: f64, %old: f64):
    gs.yield %update : f64
  }
  return
}
func.func @not_all(%updates: memref<?x?xf64>, %dest: memref<?xf64>) {
  %offsets = memref.get_global @offsets : memref<2xindex>
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%updates[d0, d1]) outs(%dest[d0 * 8 + s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<?x?xf64>, memref<2xindex>, memref<?xf64>) -> () {
  ^bb0(%update: f64, %old: f64):
    gs.yield %update : f64
  }
  return
}
func.func @in_place(%dest: memref<?xf64>, %steps: memref<?xf64>) {
  %offsets = memref.get_global @offsets : memref<2xindex>
  gs.generic (d0, d1) [s0 = %offsets[d1]]
      ins(%dest[d0 + s0], %steps[d0]) outs(%dest[d0 * 8 + s0]) iterators(d0 = reduction, d1 = reduction)
      : (memref<?xf64>, memref<?xf64>, memref<2xindex>, memref<?xf64>) -> () {
  ^bb0(%element: f64, %step: f64, %old: f64):
    %new = arith.addf %element, %step : f64
    gs.yield %new : f64
  }
  return
}
