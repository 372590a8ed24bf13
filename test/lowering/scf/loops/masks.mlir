// Points that a condition of data keeps from writing: a branch, in which everything else is read.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s

// CHECK-LABEL: func.func @masked_gather
// CHECK: scf.for %[[I:.*]] = %c0 to
// CHECK: %[[M:.*]] = memref.load %arg0[%[[I]]]
// CHECK: scf.if %[[M]] {
// CHECK: memref.load %arg2
// CHECK: memref.store
func.func @masked_gather(%m: memref<64xi1>, %c: memref<64xindex>, %x: memref<9xf32>, %y: memref<64xf32>) {
  gs.generic (i) [s = %c[i]] ins(%m[i], %x[s]) outs(%y[i]) iterators(i = parallel)
      : (memref<64xi1>, memref<9xf32>, memref<64xindex>, memref<64xf32>) -> () {
  ^bb0(%mask: i1, %e: f32, %old: f32):
    %new = arith.select %mask, %e, %old : f32
    gs.yield %new : f32
  }
  return
}

// -----

// The condition reads what is written.

// CHECK-LABEL: func.func @greatest
// CHECK: scf.for %[[I:.*]] = %c0 to
// CHECK: %[[OLD:.*]] = memref.load %arg2[%[[S:.*]]]
// CHECK: %[[LESS:.*]] = arith.cmpf olt, %[[OLD]], %[[NEW:.*]] :
// CHECK: scf.if %[[LESS]] {
// CHECK: memref.store %{{.*}}, %arg2[%[[S]]]
func.func @greatest(%r: memref<64xindex>, %x: memref<64xf32>, %y: memref<9xf32>) {
  gs.generic (i) [s = %r[i]] ins(%x[i]) outs(%y[s]) iterators(i = reduction)
      : (memref<64xf32>, memref<64xindex>, memref<9xf32>) -> () {
  ^bb0(%e: f32, %old: f32):
    %less = arith.cmpf olt, %old, %e : f32
    %new = arith.select %less, %e, %old : f32
    gs.yield %new : f32
  }
  return
}

// -----

// Nor does a dim of one point, which no output depends on, keep sums in registers.

// CHECK-LABEL: func.func @greatest_of_one_column
// CHECK: %[[COLUMN:.*]] = memref.subview %arg2
// CHECK: %[[OLD:.*]] = memref.load %[[COLUMN]][%[[S:.*]]]
// CHECK: %[[LESS:.*]] = arith.cmpf olt, %[[OLD]], %[[NEW:.*]] :
// CHECK: scf.if %[[LESS]] {
// CHECK: memref.store %{{.*}}, %[[COLUMN]][%[[S]]]
func.func @greatest_of_one_column(%r: memref<64xindex>, %x: memref<64x1xf32>, %y: memref<?x1xf32>) {
  gs.generic (i, j) [s = %r[i]] ins(%x[i, j]) outs(%y[s, j]) iterators(i = reduction)
      : (memref<64x1xf32>, memref<64xindex>, memref<?x1xf32>) -> () {
  ^bb0(%e: f32, %old: f32):
    %less = arith.cmpf olt, %old, %e : f32
    %new = arith.select %less, %e, %old : f32
    gs.yield %new : f32
  }
  return
}

// -----

// Nothing has a coordinate: vectors.

// CHECK-LABEL: func.func @in_a_row
// CHECK: vector.load
// CHECK-NOT: scf.if
func.func @in_a_row(%m: memref<64xf32>, %x: memref<64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  gs.generic (i) ins(%m[i], %x[i]) outs(%y[i]) iterators(i = parallel)
      : (memref<64xf32>, memref<64xf32>, memref<64xf32>) -> () {
  ^bb0(%asked: f32, %e: f32, %old: f32):
    %mask = arith.cmpf ogt, %asked, %zero : f32
    %new = arith.select %mask, %e, %old : f32
    gs.yield %new : f32
  }
  return
}

// -----

// The condition differs within rows that lie at coordinates: vectors choose between their elements.

// CHECK-LABEL: func.func @within_rows
// CHECK: vector.load %arg2
// CHECK-NOT: scf.if
// CHECK: arith.select %{{.*}} : vector<
func.func @within_rows(%m: memref<64x32xf32>, %c: memref<64xindex>, %x: memref<9x32xf32>, %y: memref<64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  gs.generic (i, j) [s = %c[i]] ins(%m[i, j], %x[s, j]) outs(%y[i, j])
      iterators(i = parallel, j = parallel)
      : (memref<64x32xf32>, memref<9x32xf32>, memref<64xindex>, memref<64x32xf32>) -> () {
  ^bb0(%asked: f32, %e: f32, %old: f32):
    %mask = arith.cmpf ogt, %asked, %zero : f32
    %new = arith.select %mask, %e, %old : f32
    gs.yield %new : f32
  }
  return
}
