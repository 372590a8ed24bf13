// What lies along another dim than the output: tiles, of which the vectors are transposed.
// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf --gs-explain 2>&1 | filecheck %s --check-prefix=EXPLAIN

// 20 rows of 40: the last tiles overlap with those before them, as elements are only moved.
// CHECK-LABEL: func.func @copy
// CHECK: scf.for %[[I:.*]] = %c0 to %c20 step %c16
// CHECK: %[[ROW:.*]] = arith.minsi %[[I]], %c4
// CHECK: scf.for %[[J:.*]] = %c0 to %c40 step %c16
// CHECK: %[[AT:.*]] = arith.minsi %[[J]], %c24
// CHECK: vector.load %arg0[%[[AT]], %[[ROW]]] : memref<40x20xi32>, vector<16xi32>
// CHECK-COUNT-64: vector.shuffle
// CHECK: vector.store %{{.*}}, %arg1[%[[ROW]], %[[AT]]] : memref<20x40xi32>, vector<16xi32>
// CHECK-NOT: memref.load
// EXPLAIN: input #0 in tiles, transposed
func.func @copy(%x: memref<40x20xi32>, %y: memref<20x40xi32>) {
  gs.generic (d0, d1) ins(%x[d1, d0]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<40x20xi32>, memref<20x40xi32>) -> () {
  ^bb0(%a: i32, %old: i32):
    gs.yield %a : i32
  }
  return
}

// What is computed may be written over what it was computed from: the edges have own loops.
// CHECK-LABEL: func.func @add
// CHECK: scf.if
// CHECK: vector.shuffle
// CHECK: arith.addf {{.*}} : vector<16xf32>
// CHECK: memref.load
func.func @add(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %z: memref<?x?xf32>) {
  gs.generic (d0, d1) ins(%x[d1, d0], %y[d0, d1]) outs(%z[d0, d1])
      iterators(d0 = parallel, d1 = parallel)
      : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> () {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %s = arith.addf %a, %b : f32
    gs.yield %s : f32
  }
  return
}
