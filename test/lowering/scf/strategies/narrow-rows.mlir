// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:vector-bytes=16" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:vector-bytes=16" --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=TOLD

// TOLD: runs: d1 in vectors of 4
// TOLD: runs: less than 4 of d1 as two shorter vectors, which may overlap: in loops of their own for each length of those
// TOLD: runs: d1 in vectors of 4
// TOLD-NOT: two shorter vectors
// TOLD: runs: d1 in vectors of 4
// TOLD: runs: less than 4 of d1
// TOLD: runs: less than 4 of d1

// Rows of 2 and 3 as two vectors of 2, rows of 1 one by one, in a function of their own.
// CHECK-LABEL: func.func @take
// CHECK: %[[SIZE:.*]] = arith.minsi
// CHECK: %[[NARROW:.*]] = arith.cmpi slt, %[[SIZE]], %c4
// CHECK: scf.if %[[NARROW]] {
// CHECK-NEXT: func.call @gs_narrow_rows(%arg0, %arg1, %arg2)
// CHECK-NEXT: } else {
// CHECK: return
// CHECK-LABEL: func.func private @gs_narrow_rows
// CHECK-SAME: no_inline
// CHECK: %[[SIZE:.*]] = arith.minsi
// CHECK: %[[TWO:.*]] = arith.cmpi sge, %[[SIZE]], %c2
// CHECK-NEXT: scf.if %[[TWO]] {
// CHECK-NEXT: scf.for %[[I:.*]] = %c0 to %c7
// CHECK: %[[ROW:.*]] = arith.index_cast
// CHECK-NEXT: %[[FIRST:.*]] = vector.load %arg0[%[[ROW]], %c0] : memref<9x?xf32>, vector<2xf32>
// CHECK-NEXT: vector.store %[[FIRST]], %arg2[%[[I]], %c0]
// CHECK-NEXT: %[[AT:.*]] = arith.subi %[[SIZE]], %c2
// CHECK-NEXT: %[[LAST:.*]] = vector.load %arg0[%[[ROW]], %[[AT]]] : memref<9x?xf32>, vector<2xf32>
// CHECK-NEXT: vector.store %[[LAST]], %arg2[%[[I]], %[[AT]]]
// CHECK: } else {
// CHECK-NEXT: %[[ONE:.*]] = arith.cmpi sge, %[[SIZE]], %c1
// CHECK-NEXT: scf.if %[[ONE]] {
// CHECK: memref.load %arg0[%{{.*}}, %c0]
// CHECK-NEXT: memref.store
// CHECK: return
func.func @take(%source: memref<9x?xf32>, %indices: memref<7xi32>, %out: memref<7x?xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%source[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x?xf32>, memref<7xi32>, memref<7x?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// What is added twice is another sum: the rest one by one.
// CHECK-LABEL: func.func @add
// CHECK-NOT: gs_narrow_rows
// CHECK: scf.for {{.*}} step %c4
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: scf.for {{.*}} step %c1
// CHECK: arith.addf {{.*}} : f32
// CHECK: return
// CHECK-NOT: gs_narrow_rows
func.func @add(%updates: memref<7x?xf32>, %indices: memref<7xi32>, %dest: memref<9x?xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%updates[d0, d1]) outs(%dest[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<7x?xf32>, memref<7xi32>, memref<9x?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    gs.yield %sum : f32
  }
  return
}

// -----

// Each op has a function of its own, of a name that no other has.
// CHECK-LABEL: func.func @gs_narrow_rows()
// CHECK-LABEL: func.func @twice
// CHECK: call @gs_narrow_rows_0(%arg0, %arg1, %arg2)
// CHECK: call @gs_narrow_rows_1(%arg0, %arg1, %arg3)
// CHECK: func.func private @gs_narrow_rows_0
// CHECK: func.func private @gs_narrow_rows_1
func.func @gs_narrow_rows() {
  return
}
func.func @twice(%source: memref<9x?xf32>, %indices: memref<7xi32>, %a: memref<7x?xf32>, %b: memref<7x?xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%source[s0, d1]) outs(%a[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x?xf32>, memref<7xi32>, memref<7x?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%source[s0, d1]) outs(%b[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<9x?xf32>, memref<7xi32>, memref<7x?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
