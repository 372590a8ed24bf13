// RUN: gs-opt %s --convert-gs-to-scf --canonicalize | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:vector-bytes=16" --canonicalize \
// RUN:     | filecheck %s --check-prefix=NARROW
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:vector-bytes=8" --canonicalize \
// RUN:     | filecheck %s --check-prefix=LOOP

// Loops: what runs in vector lanes and what runs element by element.

// A row that fits into a register is one load and one store.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: (%[[SOURCE:.*]]: memref<9x16xf32>, %[[INDICES:.*]]: memref<7xi32>, %[[OUT:.*]]: memref<7x16xf32>)
// CHECK: scf.for %[[I:.*]] = %c0 to %c7
// CHECK-NEXT: %[[COORDINATE:.*]] = memref.load %[[INDICES]][%[[I]]]
// CHECK-NEXT: %[[ROW:.*]] = arith.index_cast %[[COORDINATE]] : i32 to index
// CHECK-NEXT: %[[VECTOR:.*]] = vector.load %[[SOURCE]][%[[ROW]], %c0] : memref<9x16xf32>, vector<16xf32>
// CHECK-NEXT: vector.store %[[VECTOR]], %[[OUT]][%[[I]], %c0]
// CHECK-NEXT: }
// CHECK-NEXT: return

// One of four registers, too. One of eight is a loop.
// NARROW-LABEL: func.func @rows
// NARROW: scf.for
// NARROW-NEXT: memref.load
// NARROW-NEXT: arith.index_cast
// NARROW-NEXT: vector.load {{.*}} vector<16xf32>
// NARROW-NEXT: vector.store

// LOOP-LABEL: func.func @rows
// LOOP: scf.for
// LOOP: scf.for %{{.*}} = %c0 to %c16 step %c2
// LOOP-NEXT: vector.load {{.*}} vector<2xf32>
// LOOP-NEXT: vector.store
func.func @rows(%source: memref<9x16xf32>, %indices: memref<7xi32>, %out: memref<7x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x16xf32>, memref<7xi32>, memref<7x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// What is left of a static row runs in halves.
// CHECK-LABEL: func.func @rows_with_rest
// CHECK: vector.load {{.*}} vector<16xf32>
// CHECK: vector.load {{.*}}, %c16] : memref<9x21xf32>, vector<4xf32>
// CHECK: memref.load %{{.*}}[%{{.*}}, %c20]
// CHECK-NEXT: memref.store
func.func @rows_with_rest(%source: memref<9x21xf32>, %indices: memref<7xi32>,
    %out: memref<7x21xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x21xf32>, memref<7xi32>, memref<7x21xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// Of a dynamic row whole vectors, then one that ends where the row does. Rows that are narrower are
// left to a function: see strategies/narrow-rows.mlir.
// CHECK-LABEL: func.func @rows_dynamic
// CHECK: %[[COLUMNS:.*]] = arith.minsi
// CHECK: %[[IS_NARROW:.*]] = arith.cmpi slt, %[[COLUMNS]], %c16
// CHECK: scf.if %[[IS_NARROW]] {
// CHECK-NEXT: func.call @gs_narrow_rows(
// CHECK-NEXT: } else {
// CHECK: %[[REST:.*]] = arith.remui %[[COLUMNS]], %c16
// CHECK: %[[WHOLE:.*]] = arith.subi %[[COLUMNS]], %[[REST]]
// CHECK: scf.for %{{.*}} = %c0 to %[[WHOLE]] step %c16
// CHECK: vector.load
// CHECK-NEXT: vector.store
// CHECK: %[[LAST:.*]] = arith.subi %[[COLUMNS]], %c16
// CHECK: %[[IS_LONG:.*]] = arith.cmpi sge, %[[COLUMNS]], %c16
// CHECK: %[[HAS_REST:.*]] = arith.cmpi slt, %[[WHOLE]], %[[COLUMNS]]
// CHECK-NEXT: scf.if %[[HAS_REST]] {
// CHECK-NEXT: scf.if %[[IS_LONG]] {
// CHECK-NEXT: vector.load %{{.*}}[%{{.*}}, %[[LAST]]]
// CHECK-NEXT: vector.store %{{.*}}[%{{.*}}, %[[LAST]]]
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.for %{{.*}} = %[[WHOLE]] to %[[COLUMNS]] step %c1
// CHECK-NEXT: memref.load
// CHECK-NEXT: memref.store
func.func @rows_dynamic(%source: memref<9x?xf32>, %indices: memref<7xi32>, %out: memref<7x?xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x?xf32>, memref<7xi32>, memref<7x?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// A combiner runs on vectors too; the current row is read from the output.
// CHECK-LABEL: func.func @add_rows
// CHECK-SAME: (%[[UPDATES:.*]]: memref<7x16xf32>, %{{.*}}: memref<7xi32>, %[[DEST:.*]]: memref<9x16xf32>)
// CHECK: scf.for %[[I:.*]] = %c0 to %c7
// CHECK: %[[ROW:.*]] = arith.index_cast
// CHECK: %[[UPDATE:.*]] = vector.load %[[UPDATES]][%[[I]], %c0]
// CHECK: %[[CURRENT:.*]] = vector.load %[[DEST]][%[[ROW]], %c0]
// CHECK: %[[NEW:.*]] = arith.addf %[[CURRENT]], %[[UPDATE]] : vector<16xf32>
// CHECK: vector.store %[[NEW]], %[[DEST]][%[[ROW]], %c0]
func.func @add_rows(%updates: memref<7x16xf32>, %indices: memref<7xi32>, %dest: memref<9x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%updates[d0, d1]) outs(%dest[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<7x16xf32>, memref<7xi32>, memref<9x16xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// A coordinate per element: the elements of a vector are loaded one by one.
// CHECK-LABEL: func.func @elements
// CHECK: scf.for %[[I:.*]] = %c0 to %c64 step %c16
// CHECK-COUNT-16: memref.load %{{.*}}[%{{.*}}] : memref<9xf32>
// CHECK: %[[VECTOR:.*]] = vector.from_elements
// CHECK-NEXT: vector.store %[[VECTOR]], %{{.*}}[%[[I]]]
func.func @elements(%source: memref<9xf32>, %indices: memref<64xi32>, %out: memref<64xf32>) {
  gs.generic (d0) [s0 = %indices[d0]] ins(%source[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<9xf32>, memref<64xi32>, memref<64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// An input that stays the same along the vector is read once.
// CHECK-LABEL: func.func @broadcast
// CHECK: %[[ONE:.*]] = memref.load %{{.*}} : memref<9xf32>
// CHECK: %[[VECTOR:.*]] = vector.broadcast %[[ONE]] : f32 to vector<16xf32>
// CHECK: vector.store %[[VECTOR]]
func.func @broadcast(%source: memref<9xf32>, %indices: memref<7xi32>, %out: memref<7x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%source[s0]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9xf32>, memref<7xi32>, memref<7x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// An output that is written through coordinates runs in order, element by element.
// CHECK-LABEL: func.func @scatter_columns
// CHECK-NOT: vector.
// CHECK: memref.load %[[DEST:.*]][%[[I:.*]], %[[J:.*]]] : memref<9x16xf32>
// CHECK-NEXT: %[[NEW:.*]] = arith.addf
// CHECK-NEXT: memref.store %[[NEW]], %[[DEST]][%[[I]], %[[J]]]
// CHECK-NOT: vector.
// CHECK: return
func.func @scatter_columns(%updates: memref<9x7xf32>, %indices: memref<7xi32>,
    %dest: memref<9x16xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d1]]
      ins(%updates[d0, d1]) outs(%dest[d0, s0]) iterators(d0 = parallel, d1 = reduction)
      : (memref<9x7xf32>, memref<7xi32>, memref<9x16xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// A body with control flow does not run on vectors.
// CHECK-LABEL: func.func @body_with_regions
// CHECK-NOT: vector.
// CHECK: scf.if
// CHECK-NOT: vector.
// CHECK: return
func.func @body_with_regions(%x: memref<64xf32>, %out: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  gs.generic (d0) ins(%x[d0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<64xf32>, memref<64xf32>) -> () {
  ^bb0(%xe: f32, %current: f32):
    %positive = arith.cmpf ogt, %xe, %zero : f32
    %new = scf.if %positive -> f32 {
      %root = math.sqrt %xe : f32
      scf.yield %root : f32
    } else {
      scf.yield %current : f32
    }
    gs.yield %new : f32
  }
  return
}

// No dims, no loop; an extent of 0, no code.
// CHECK-LABEL: func.func @one_point_and_none
// CHECK-NOT: scf.for
// CHECK: memref.store %{{.*}}, %{{.*}}[] : memref<f32>
// CHECK-NEXT: return
func.func @one_point_and_none(%source: memref<9xf32>, %index: memref<i32>, %out: memref<f32>,
    %rows: memref<9x0xf32>, %indices: memref<7xi32>, %none: memref<7x0xf32>) {
  gs.generic () [s0 = %index[]] ins(%source[s0]) outs(%out[])
      : (memref<9xf32>, memref<i32>, memref<f32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%rows[s0, d1]) outs(%none[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x0xf32>, memref<7xi32>, memref<7x0xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
