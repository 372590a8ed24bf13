// Points without vectors, four at a time: what they read in order is read before the first one writes.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s

// CHECK-LABEL: func.func @add
// CHECK: scf.for %[[AT:.*]] = %c0 to %{{.*}} step %c4
// CHECK-COUNT-4: memref.load %arg1
// CHECK-COUNT-4: memref.load %arg0
// CHECK: memref.load %arg2
// CHECK: memref.store %{{.*}}, %arg2
// CHECK: memref.load %arg2
// CHECK: memref.store %{{.*}}, %arg2
// CHECK: memref.load %arg2
// CHECK: memref.store %{{.*}}, %arg2
// CHECK: memref.load %arg2
// CHECK: memref.store %{{.*}}, %arg2
// CHECK-NOT: memref.load
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c1
// CHECK: return
func.func @add(%updates: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%updates[d0]) outs(%out[s0]) iterators(d0 = reduction)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    gs.yield %sum : f32
  }
  return
}

// -----

// Not what may lie in an output: an input at the same coordinates may be the same memory.
// CHECK-LABEL: func.func @in_place
// CHECK: scf.for %[[AT:.*]] = %c0 to %{{.*}} step %c4
// CHECK-COUNT-4: memref.load %arg1
// CHECK: memref.load %arg0
// CHECK-NOT: memref.load
// CHECK: memref.store %{{.*}}, %arg2
// CHECK: memref.load %arg0
// CHECK: return
func.func @in_place(%from: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%from[s0]) outs(%out[s0]) iterators(d0 = reduction)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %twice = arith.addf %x, %x : f32
    gs.yield %twice : f32
  }
  return
}

// -----

// One by one where coordinates are clipped, or points left out.
// CHECK-LABEL: func.func @clipped
// CHECK: scf.for %[[AT:.*]] = %c0 to %{{.*}} step %c1
// CHECK: return
func.func @clipped(%updates: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0] mode(clip)]
      ins(%updates[d0]) outs(%out[s0]) iterators(d0 = reduction)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    gs.yield %sum : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @dropped
// CHECK: scf.for %[[AT:.*]] = %c0 to %{{.*}} step %c1
// CHECK: return
func.func @dropped(%updates: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0] mode(fill_or_drop)]
      ins(%updates[d0]) outs(%out[s0]) iterators(d0 = reduction)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    gs.yield %sum : f32
  }
  return
}
