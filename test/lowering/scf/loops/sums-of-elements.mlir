// Sums of a few elements whose coordinates lie in rows: a scalar op takes its element from memory.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf | filecheck %s

// CHECK-LABEL: func.func @mesh
// CHECK-NOT: vector
// CHECK: return
func.func @mesh(%x: memref<900xf32>, %c: memref<90x2xi32>, %y: memref<90xf32>) {
  gs.generic (i) [s = %c[i, 0], t = %c[i, 1]] ins(%x[s], %x[t]) outs(%y[i]) iterators(i = parallel)
      : (memref<900xf32>, memref<900xf32>, memref<90x2xi32>, memref<90xf32>)
      -> () {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %sum = arith.addf %a, %b : f32
    gs.yield %sum : f32
  }
  return
}

// -----

// Coordinates that lie side by side are read in vectors, and functions are worth these.
// CHECK-LABEL: func.func @side_by_side
// CHECK: vector
// CHECK-LABEL: func.func @roots
// CHECK: vector
func.func @side_by_side(%x: memref<900xf32>, %c: memref<2x90xi32>, %y: memref<90xf32>) {
  gs.generic (i) [s = %c[0, i], t = %c[1, i]] ins(%x[s], %x[t]) outs(%y[i]) iterators(i = parallel)
      : (memref<900xf32>, memref<900xf32>, memref<2x90xi32>, memref<90xf32>)
      -> () {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %sum = arith.addf %a, %b : f32
    gs.yield %sum : f32
  }
  return
}
func.func @roots(%x: memref<900xf32>, %c: memref<90x2xi32>, %y: memref<90xf32>) {
  gs.generic (i) [s = %c[i, 0]] ins(%x[s]) outs(%y[i]) iterators(i = parallel)
      : (memref<900xf32>, memref<90x2xi32>, memref<90xf32>) -> () {
  ^bb0(%a: f32, %old: f32):
    %root = math.sqrt %a : f32
    gs.yield %root : f32
  }
  return
}
