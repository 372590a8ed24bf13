// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:stream-scattered=false" --canonicalize --cse | filecheck %s --check-prefix=ORDER

// Rows at coordinates are written by non-temporal stores only where that pays.
// CHECK-LABEL: func.func @set
// CHECK: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: return
// ORDER-LABEL: func.func @set
// ORDER: vector.store
// ORDER-NOT: nontemporal
// ORDER: return
func.func @set(%rows: memref<200000x64xf32>, %places: memref<200000xi64>, %out: memref<1000000x64xf32>) {
  gs.generic (d0, d1) [s0 = %places[d0]]
      ins(%rows[d0, d1]) outs(%out[s0, d1]) iterators(d0 = parallel, d1 = parallel) unique
      : (memref<200000x64xf32>, memref<200000xi64>, memref<1000000x64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// Rows in order are in any case.
// CHECK-LABEL: func.func @take
// CHECK: nontemporal = true
// CHECK: return
// ORDER-LABEL: func.func @take
// ORDER: nontemporal = true
// ORDER: return
func.func @take(%table: memref<1000000x64xf32>, %places: memref<200000xi64>, %out: memref<200000x64xf32>) {
  gs.generic (d0, d1) [s0 = %places[d0]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<1000000x64xf32>, memref<200000xi64>, memref<200000x64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// Rows that are written four times each, on average: the caches hold all of them in the first
// function, as is compared in the second one.
// CHECK-LABEL: func.func @often
// CHECK-NOT: nontemporal
// CHECK: return
// CHECK-LABEL: func.func @maybe_often
// CHECK: %[[ROWS:.*]] = memref.dim %arg2, %c0
// CHECK: %[[SIZE:.*]] = arith.muli %[[ROWS]], %c128
// CHECK: arith.cmpi sge, %[[SIZE]], %c25165824
// CHECK: nontemporal
// CHECK: return
func.func @often(%rows: memref<200000x32xf32>, %places: memref<200000xi64>, %out: memref<50000x32xf32>) {
  gs.generic (d0, d1) [s0 = %places[d0]]
      ins(%rows[d0, d1]) outs(%out[s0, d1]) iterators(d0 = parallel, d1 = parallel) unique
      : (memref<200000x32xf32>, memref<200000xi64>, memref<50000x32xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

func.func @maybe_often(%rows: memref<200000x32xf32>, %places: memref<200000xi64>, %out: memref<?x32xf32>) {
  gs.generic (d0, d1) [s0 = %places[d0]]
      ins(%rows[d0, d1]) outs(%out[s0, d1]) iterators(d0 = parallel, d1 = parallel) unique
      : (memref<200000x32xf32>, memref<200000xi64>, memref<?x32xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
