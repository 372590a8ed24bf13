// Rows of which each lane adds up its own.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --gs-explain 2>&1 | filecheck %s --check-prefix=EXPLAIN

// CHECK-LABEL: func.func @heads
// CHECK: scf.for %[[B:.*]] = %c0 to
// CHECK: scf.for %[[P:.*]] = %c0 to
// CHECK: %[[AT:.*]] = memref.load %arg1[%[[B]], %[[P]]]
// CHECK: %[[KEYS:.*]] = arith.index_cast %[[AT]]
// CHECK: scf.for %[[T:.*]] = %c0 to %c16
// CHECK: scf.for %[[D:.*]] = %c0 to %c64 step %c8
// CHECK: vector.load %arg0[%[[KEYS]], %[[T]], %c0, %[[D]]]
// CHECK: vector.load %arg0[%[[KEYS]], %[[T]], %c7, %[[D]]]
// CHECK: vector.shuffle
// EXPLAIN: rows of input #0 and input #1 along d4 in blocks, a row in each lane: sums in order
func.func @heads(%keys: memref<?x16x8x64xf32>, %pages: memref<?x?xi32>, %query: memref<?x8x64xf32>,
    %out: memref<?x?x16x8xf32>) {
  gs.generic (d0, d1, d2, d3, d4) [s0 = %pages[d0, d1]]
      ins(%keys[s0, d2, d3, d4], %query[d0, d3, d4]) outs(%out[d0, d1, d2, d3]) iterators(d0 = parallel, d1 = parallel, d2 = parallel, d3 = parallel, d4 = reduction)
      : (memref<?x16x8x64xf32>, memref<?x8x64xf32>, memref<?x?xi32>, memref<?x?x16x8xf32>) -> () {
  ^bb0(%key: f32, %q: f32, %sum: f32):
    %product = arith.mulf %key, %q : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }
  return
}

// -----

// 48 heads in lanes of 16.
// CHECK-LABEL: func.func @many_heads
// CHECK: scf.for %[[P:.*]] = %c0 to
// CHECK: scf.for %[[T:.*]] = %c0 to %c16
// CHECK: scf.for %[[H:.*]] = %c0 to %c48 step %c16
// CHECK: scf.for %[[D:.*]] = %c0 to %c128 step %c16
// CHECK: vector.load %arg0[%{{.*}}, %[[T]], %[[H]], %[[D]]]
func.func @many_heads(%keys: memref<?x16x48x128xf32>, %pages: memref<?xi32>,
    %query: memref<48x128xf32>, %out: memref<?x16x48xf32>) {
  gs.generic (d0, d1, d2, d3) [s0 = %pages[d0]]
      ins(%keys[s0, d1, d2, d3], %query[d2, d3]) outs(%out[d0, d1, d2]) iterators(d0 = parallel, d1 = parallel, d2 = parallel, d3 = reduction)
      : (memref<?x16x48x128xf32>, memref<48x128xf32>, memref<?xi32>, memref<?x16x48xf32>) -> () {
  ^bb0(%key: f32, %q: f32, %sum: f32):
    %product = arith.mulf %key, %q : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }
  return
}

// -----

// A small table.
// CHECK-LABEL: func.func @small
// CHECK: vector.shuffle
// CHECK: return
func.func @small(%keys: memref<100x128xf32>, %ids: memref<?xi32>, %query: memref<128xf32>,
    %out: memref<?xf32>) {
  gs.generic (d0, d1) [s0 = %ids[d0]]
      ins(%keys[s0, d1], %query[d1]) outs(%out[d0]) iterators(d0 = parallel, d1 = reduction)
      : (memref<100x128xf32>, memref<128xf32>, memref<?xi32>, memref<?xf32>) -> () {
  ^bb0(%key: f32, %q: f32, %sum: f32):
    %product = arith.mulf %key, %q : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }
  return
}

// -----

// Rows of three are read as four, of which the last is masked; a vector has those of four lanes, and
// four vectors are turned into the columns of sixteen.
// CHECK-LABEL: func.func @points
// CHECK-DAG: %[[THREE:.*]] = arith.constant dense<[true, true, true, false]> : vector<4xi1>
// CHECK: scf.for %{{.*}} step %c16
// CHECK: vector.maskedload %arg2[%c0], %[[THREE]]
// CHECK-COUNT-4: vector.maskedload %arg0[%{{.*}}, %c0], %[[THREE]]
// CHECK: vector.shuffle %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>
// CHECK: %[[FOUR:.*]] = vector.shuffle {{.*}}15] : vector<8xf32>
// CHECK: arith.mulf %[[FOUR]], %{{.*}} : vector<16xf32>
// CHECK: vector.shuffle {{.*}} [0, 2, 4,
// CHECK: vector.shuffle {{.*}} [1, 3, 5,
// CHECK-COUNT-3: arith.addf %{{.*}} : vector<16xf32>
// CHECK-NOT: arith.addf %{{.*}} : vector<16xf32>
// CHECK: return
func.func @points(%points: memref<?x3xf32>, %ids: memref<?xi32>, %scale: memref<3xf32>,
    %out: memref<?xf32>) {
  gs.generic (d0, d1) [s0 = %ids[d0]]
      ins(%points[s0, d1], %scale[d1]) outs(%out[d0]) iterators(d0 = parallel, d1 = reduction)
      : (memref<?x3xf32>, memref<3xf32>, memref<?xi32>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %s: f32, %sum: f32):
    %product = arith.mulf %x, %s : f32
    %next = arith.addf %sum, %product : f32
    gs.yield %next : f32
  }
  return
}
