// RUN: gs-opt %s --convert-gs-to-scf --canonicalize | filecheck %s

// Coordinates out of bounds, mode by mode.

// CHECK: module attributes {gs.sites = ["{{.*}}modes.mlir:[[# @LINE + 105]]:3: 'gs.generic' op, s0 into dimension 0 of 'inputs #0'", "{{.*}}s0 into dimension 0 of 'inputs #0'"]}
// CHECK: func.func private @__gs_raise_1(i64, i64, i64, i64)

// Nothing is checked under promise_in_bounds.
// CHECK-LABEL: func.func @promise
// CHECK-NOT: arith.cmpi
// CHECK-NOT: scf.if
// CHECK: return
func.func @promise(%source: memref<9x16xf32>, %indices: memref<7xi32>, %out: memref<7x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xf32>, memref<7xi32>, memref<7x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// One branch per row: the row, or a vector of the fill value.
// CHECK-LABEL: func.func @fill
// CHECK-SAME: (%[[SOURCE:.*]]: memref<9x16xf32>, %{{.*}}: memref<7xi32>, %[[OUT:.*]]: memref<7x16xf32>)
// CHECK: %[[FILL:.*]] = arith.constant dense<3.000000e+00> : vector<16xf32>
// CHECK: scf.for %[[I:.*]] = %c0 to %c7
// CHECK: %[[ROW:.*]] = arith.index_cast
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[ROW]], %c9
// CHECK: %[[VECTOR:.*]] = scf.if %[[INSIDE]] -> (vector<16xf32>) {
// CHECK-NEXT: %[[FOUND:.*]] = vector.load %[[SOURCE]][%[[ROW]], %c0]
// CHECK-NEXT: scf.yield %[[FOUND]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[FILL]]
// CHECK: vector.store %[[VECTOR]], %[[OUT]][%[[I]], %c0]
func.func @fill(%source: memref<9x16xf32>, %indices: memref<7xi32>, %out: memref<7x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0] mode(fill_or_drop)]
      ins(%source[s0, d1] fill(3.0 : f32)) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xf32>, memref<7xi32>, memref<7x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// An update that is dropped is not even read.
// CHECK-LABEL: func.func @drop
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK: scf.if %[[INSIDE]] {
// CHECK-NEXT: vector.load
// CHECK-NEXT: vector.load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: vector.store
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @drop(%updates: memref<7x16xf32>, %indices: memref<7xi32>, %dest: memref<9x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0] mode(fill_or_drop)]
      ins(%updates[d0, d1]) outs(%dest[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<7x16xf32>, memref<7xi32>, memref<9x16xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// A negative coordinate is moved by the size, once; then it is clipped.
// CHECK-LABEL: func.func @wrap_and_clip
// CHECK: %[[RAW:.*]] = arith.index_cast
// CHECK-DAG: %[[MOVED:.*]] = arith.addi %[[RAW]], %c9
// CHECK-DAG: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[RAW]], %c0
// CHECK: %[[WRAPPED:.*]] = arith.select %[[NEGATIVE]], %[[MOVED]], %[[RAW]]
// CHECK: %[[BELOW:.*]] = arith.minsi %[[WRAPPED]], %c8
// CHECK: %[[ROW:.*]] = arith.maxsi %[[BELOW]], %c0
// CHECK-NOT: scf.if
// CHECK: vector.load %{{.*}}[%[[ROW]], %c0]
func.func @wrap_and_clip(%source: memref<9x16xf32>, %indices: memref<7xi32>,
    %out: memref<7x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0] mode(clip) wrap_negative]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xf32>, memref<7xi32>, memref<7x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// Every coordinate is checked before anything is written; the loops after that check nothing.
// CHECK-LABEL: func.func @error
// CHECK: %[[FARTHEST:.*]] = scf.for %{{.*}} = %c0 to %c7 step %c1 iter_args(%[[FAR:.*]] = %c0_i32)
// CHECK: %[[LARGER:.*]] = arith.maxui %[[FAR]], %{{.*}} : i32
// CHECK-NEXT: scf.yield %[[LARGER]]
// CHECK: %[[WIDE:.*]] = arith.index_cast %[[FARTHEST]] : i32 to index
// CHECK-NEXT: %[[ANY:.*]] = arith.cmpi ugt, %[[WIDE]], %c8
// CHECK: scf.for %[[I:.*]] = %c0 to %c7
// CHECK: %[[COORDINATE:.*]] = memref.load %{{.*}}[%[[I]]]
// CHECK: %[[OUTSIDE:.*]] = arith.cmpi uge
// CHECK: scf.if %[[OUTSIDE]] {
// CHECK-DAG: %[[VALUE:.*]] = arith.index_cast %{{.*}} : index to i64
// CHECK-DAG: %[[POSITION:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK: func.call @__gs_raise_1(%c0_i64, %[[VALUE]], %c9_i64, %[[POSITION]])
// CHECK-NOT: store
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK-NOT: scf.if
// CHECK: vector.store
// CHECK: return
func.func @error(%source: memref<9x16xf32>, %indices: memref<7xi32>, %out: memref<7x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0] mode(error)]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xf32>, memref<7xi32>, memref<7x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// A window of 4 starts at 12 at most, so that all of it lies within the 16 columns.
// CHECK-LABEL: func.func @window_clip
// CHECK: %[[BELOW:.*]] = arith.minsi %{{.*}}, %c12
// CHECK: %[[START:.*]] = arith.maxsi %[[BELOW]], %c0
// CHECK: vector.load %{{.*}}[%c2, %[[START]]] : memref<9x16xf32>, vector<4xf32>
func.func @window_clip(%source: memref<9x16xf32>, %indices: memref<7xi32>, %out: memref<7x4xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0] mode(clip)]
      ins(%source[2, d1 + s0]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xf32>, memref<7xi32>, memref<7x4xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// A window that leaves the operand anywhere is filled whole: one branch outside of its loop.
// CHECK-LABEL: func.func @window_fill
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %c13
// CHECK: scf.if %[[INSIDE]] -> (vector<4xf32>)
// CHECK-NOT: scf.if
// CHECK: return
func.func @window_fill(%source: memref<9x16xf32>, %indices: memref<7xi32>, %out: memref<7x4xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0] mode(fill_or_drop)]
      ins(%source[2, d1 + s0]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xf32>, memref<7xi32>, memref<7x4xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// A coordinate read through another one: that read is masked as well.
// CHECK-LABEL: func.func @coordinate_of_coordinate
// CHECK: %[[KNOWN:.*]] = arith.cmpi ult
// CHECK: scf.if %[[KNOWN]]
// CHECK-NEXT: memref.load %{{.*}} : memref<5xi32>
// CHECK: } else {
func.func @coordinate_of_coordinate(%source: memref<9xf32>, %i: memref<7xi32>, %j: memref<5xi32>,
    %out: memref<7xf32>) {
  gs.generic (d0) [s0 = %i[d0] mode(fill_or_drop), s1 = %j[s0]]
      ins(%source[s1]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<9xf32>, memref<7xi32>, memref<5xi32>, memref<7xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// Where a size may be 0, there has to be a position to clip to.
// CHECK-LABEL: func.func @clip_to_what
// CHECK: %[[LAST:.*]] = arith.subi %{{.*}}, %c1
// CHECK: %[[NOWHERE:.*]] = arith.cmpi slt, %[[LAST]], %c0
// CHECK: scf.if %[[NOWHERE]] {
// CHECK: scf.for
// CHECK: func.call @__gs_raise_1(%c1_i64
// CHECK: scf.for
// CHECK: arith.maxsi
func.func @clip_to_what(%source: memref<?x16xf32>, %indices: memref<7xi32>,
    %out: memref<7x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0] mode(clip)]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<?x16xf32>, memref<7xi32>, memref<7x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// Short rows of coordinates side by side are looked at as one row, where all of them are needed.
// CHECK-LABEL: func.func @short_rows
// CHECK: %[[ALL:.*]] = arith.andi
// CHECK: %[[FOUND:.*]] = scf.if %[[ALL]] -> (i32)
// CHECK: %[[ROW:.*]] = memref.reinterpret_cast %arg1
// CHECK: scf.for %[[I:[^ ]+]] =
// CHECK-NEXT: memref.load %[[ROW]][%[[I]]]
// CHECK: } else {
// CHECK: scf.for %[[K:[^ ]+]] =
// CHECK: scf.for %[[L:[^ ]+]] =
// CHECK-NEXT: memref.load %arg1[%[[K]], %[[L]]]
// CHECK: %[[FAR:.*]] = arith.index_cast %[[FOUND]] : i32 to index
// CHECK: arith.cmpi ugt, %[[FAR]]
func.func @short_rows(%source: memref<9x16xf32>, %indices: memref<?x?xi32>,
    %out: memref<?x3x16xf32>) {
  gs.generic (d0, d1, d2) [s0 = %indices[d0, d1] mode(error)]
      ins(%source[s0, d2]) outs(%out[d0, d1, d2]) iterators(d0 = parallel, d1 = parallel, d2 = parallel)
      : (memref<9x16xf32>, memref<?x?xi32>, memref<?x3x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
