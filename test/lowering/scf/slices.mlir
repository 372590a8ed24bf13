// Sums over the tokens of pages that are found at coordinates, for each head.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --gs-explain 2>&1 | filecheck %s --check-prefix=EXPLAIN

// Token by token, as they lie in memory: the sums of eight heads stay in the cache, zeros at first.
// CHECK-LABEL: func.func @values
// CHECK: linalg.fill
// CHECK: scf.for %[[B:[^ ]+]] =
// CHECK: scf.for %[[P:[^ ]+]] =
// CHECK: %[[PAGE:.*]] = arith.index_cast
// CHECK: scf.for %[[T:[^ ]+]] = %c0 to %c16
// CHECK: scf.for %[[H:[^ ]+]] = %c0 to %c8
// CHECK-NOT: iter_args
// CHECK: vector.load %arg0[%[[PAGE]], %[[T]], %[[H]],
// CHECK: vector.load %arg3[%[[B]], %[[H]],
// CHECK: vector.store %{{.*}}, %arg3[%[[B]], %[[H]],
// EXPLAIN: sums stay in memory: slices at coordinates are read in the order they lie in
// EXPLAIN-NOT: sums stay in memory
func.func @values(%values: memref<?x16x8x64xf32>, %pages: memref<?x?xi32>,
    %weights: memref<?x8x?x16xf32>, %out: memref<?x8x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<?x8x64xf32>)
  gs.generic (d0, d1, d2, d3, d4) [s0 = %pages[d0, d3]]
      ins(%values[s0, d4, d1, d2], %weights[d0, d1, d3, d4]) outs(%out[d0, d1, d2]) iterators(d0 = parallel, d1 = parallel, d2 = parallel, d3 = reduction, d4 = reduction)
      : (memref<?x16x8x64xf32>, memref<?x8x?x16xf32>, memref<?x?xi32>, memref<?x8x64xf32>) -> () {
  ^bb0(%value: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %value, %weight : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }
  return
}

// -----

// Where heads are the outer dimension of a page, a head's tokens lie side by side: its sums are in
// registers.
// CHECK-LABEL: func.func @by_heads
// CHECK-NOT: linalg.fill
// CHECK: scf.for %[[H:[^ ]+]] = %c0 to %c8
// CHECK: scf.for %{{[^ ]+}} = {{.*}} iter_args
// CHECK: scf.for %[[T:[^ ]+]] = %c0 to %c16 {{.*}} iter_args
// CHECK: vector.load %arg0[%{{.*}}, %[[H]], %[[T]],
func.func @by_heads(%values: memref<?x8x16x64xf32>, %pages: memref<?xi32>,
    %weights: memref<8x?x16xf32>, %out: memref<8x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<8x64xf32>)
  gs.generic (d0, d1, d2, d3) [s0 = %pages[d2]]
      ins(%values[s0, d0, d3, d1], %weights[d0, d2, d3]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel, d2 = reduction, d3 = reduction)
      : (memref<?x8x16x64xf32>, memref<8x?x16xf32>, memref<?xi32>, memref<8x64xf32>) -> () {
  ^bb0(%value: f32, %weight: f32, %sum: f32):
    %product = arith.mulf %value, %weight : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }
  return
}
