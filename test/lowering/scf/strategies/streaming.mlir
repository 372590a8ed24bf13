// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:stream-reads=2" --canonicalize --cse | filecheck %s

// On a core whose stores past the cache are slow: as much is read as written.
// CHECK-LABEL: func.func @copied
// CHECK: vector.store
// CHECK-NOT: nontemporal
// CHECK: return
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

// Twice as much is read.
// CHECK-LABEL: func.func @summed
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: llvm.fence seq_cst
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

// How much is decided by sizes of run time.
// CHECK-LABEL: func.func @sizes_of_run_time
// CHECK: %[[LARGE:.*]] = arith.cmpi sge
// CHECK: %[[READS:.*]] = arith.cmpi sge
// CHECK: arith.andi
// CHECK: scf.if
// CHECK: nontemporal = true
// CHECK: } else {
// CHECK-NOT: nontemporal
// CHECK: return
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

// Whatever the sizes are, a copy reads hardly more than it writes.
// CHECK-LABEL: func.func @copied_at_run_time
// CHECK-NOT: nontemporal
// CHECK: return
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

// Elements one by one take longer than any store.
// CHECK-LABEL: func.func @elements
// CHECK: llvm.inline_asm
// CHECK-NOT: nontemporal
// CHECK: return
func.func @elements(%table: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
