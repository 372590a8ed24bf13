// Dims that are one in memory: what reads them divides by nothing.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --fold-memref-alias-ops --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --fold-memref-alias-ops --canonicalize --cse | filecheck %s --check-prefix=ANYWHERE

// ANYWHERE-NOT: affine.delinearize_index
// ANYWHERE-NOT: arith.div
// ANYWHERE-NOT: arith.floordivsi
// ANYWHERE-NOT: arith.rem

// Three coordinates for each face, and a vertex of three for each, are one list of vertices.
// CHECK-LABEL: func.func @faces
// CHECK: %[[SIZE:.*]] = arith.muli %{{.*}}, %c3
// CHECK: %[[VERTICES:.*]] = memref.reinterpret_cast %arg1 to offset: [0], sizes: [%[[SIZE]], 1], strides: [1, 1]
// CHECK: memref.reinterpret_cast %arg2 to offset: [0], sizes: [%{{.*}}, 3], strides: [3, 1]
// CHECK: scf.for %[[K:[^ ]+]] =
// CHECK: memref.load %[[VERTICES]][%[[K]], %c0]
func.func @faces(%points: memref<?x3xf32>, %faces: memref<?x3x1xi32>, %out: memref<?x3x3xf32>) {
  gs.generic (d0, d1, d2) [s0 = %faces[d0, d1, 0]]
      ins(%points[s0, d2]) outs(%out[d0, d1, d2]) iterators(d0 = parallel, d1 = parallel, d2 = parallel)
      : (memref<?x3xf32>, memref<?x3x1xi32>, memref<?x3x3xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// A table that the program has collapsed.
// CHECK-LABEL: func.func @collapsed
// CHECK: %[[TABLE:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%{{.*}}, 4], strides: [4, 1]
// CHECK: vector.load %[[TABLE]][%{{.*}}, %c0]
func.func @collapsed(%points: memref<?x?x3x4xf32>, %ids: memref<?xi32>, %out: memref<?x4xf32>) {
  %table = memref.collapse_shape %points [[0, 1, 2], [3]]
      : memref<?x?x3x4xf32> into memref<?x4xf32>
  gs.generic (d0, d1) [s0 = %ids[d0]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<?x4xf32>, memref<?xi32>, memref<?x4xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
