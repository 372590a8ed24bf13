// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:stream-gbs=10" --canonicalize --cse | filecheck %s --check-prefix=NEVER

// Stores are non-temporal where the caches cannot hold what is touched, if such stores are faster.
// NEVER-NOT: nontemporal

// Rows that are copied, of a known number.
// CHECK-LABEL: func.func @copied
// CHECK: nontemporal = true
func.func @copied(%table: memref<1000000x64xf32>, %rows: memref<200000xi64>, %out: memref<200000x64xf32>) {
  gs.generic (d0, d1) [s0 = %rows[d0]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<1000000x64xf32>, memref<200000xi64>, memref<200000x64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// Rows that are summed.
// CHECK-LABEL: func.func @summed
// CHECK: nontemporal = true
func.func @summed(%table: memref<1000000x64xf32>, %rows: memref<200000x2xi64>, %out: memref<200000x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<200000x64xf32>)
  gs.generic (d0, d1, d2) [s0 = %rows[d0, d1]]
      ins(%table[s0, d2]) outs(%out[d0, d2]) iterators(d0 = parallel, d1 = reduction, d2 = parallel)
      : (memref<1000000x64xf32>, memref<200000x2xi64>, memref<200000x64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    gs.yield %sum : f32
  }
  return
}

// -----

// Sizes of run time are compared.
// CHECK-LABEL: func.func @sizes_of_run_time
// CHECK: arith.cmpi sge
// CHECK: scf.if
// CHECK: nontemporal = true
func.func @sizes_of_run_time(%table: memref<?x64xf32>, %rows: memref<?x?xi64>, %out: memref<?x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<?x64xf32>)
  gs.generic (d0, d1, d2) [s0 = %rows[d0, d1]]
      ins(%table[s0, d2]) outs(%out[d0, d2]) iterators(d0 = parallel, d1 = reduction, d2 = parallel)
      : (memref<?x64xf32>, memref<?x?xi64>, memref<?x64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    gs.yield %sum : f32
  }
  return
}

// -----

// A copy of them.
// CHECK-LABEL: func.func @copied_at_run_time
// CHECK: arith.cmpi sge
// CHECK: scf.if
// CHECK: nontemporal = true
func.func @copied_at_run_time(%table: memref<?x64xf32>, %rows: memref<?xi64>, %out: memref<?x64xf32>) {
  gs.generic (d0, d1) [s0 = %rows[d0]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<?x64xf32>, memref<?xi64>, memref<?x64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// Elements that are put together one by one.
// CHECK-LABEL: func.func @elements
// CHECK: nontemporal = true
func.func @elements(%table: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
