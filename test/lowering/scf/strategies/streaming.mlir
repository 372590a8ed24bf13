// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:stream-reads=2" --canonicalize --cse | filecheck %s

// On a core whose stores past the cache are slow: as much is read as written.
// CHECK-LABEL: func.func @copied
// CHECK: vector.store
// CHECK-NOT: nontemporal
// CHECK: return
func.func @copied(%table: memref<1000000x64xf32>, %rows: memref<200000xi64>, %out: memref<200000x64xf32>) {
  "gs.generic"(%table, %rows, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<1000000x64xf32>, memref<200000xi64>, memref<200000x64xf32>) -> ()
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
  "gs.generic"(%table, %rows, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1, d2)[s0] -> (d0, d1)>]],
      indexing_maps = [affine_map<(d0, d1, d2)[s0] -> (s0, d2)>,
                       affine_map<(d0, d1, d2)[s0] -> (d0, d2)>],
      iterator_types = ["parallel", "reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<1000000x64xf32>, memref<200000x2xi64>, memref<200000x64xf32>) -> ()
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
  "gs.generic"(%table, %rows, %out) ({
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1, d2)[s0] -> (d0, d1)>]],
      indexing_maps = [affine_map<(d0, d1, d2)[s0] -> (s0, d2)>,
                       affine_map<(d0, d1, d2)[s0] -> (d0, d2)>],
      iterator_types = ["parallel", "reduction", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x64xf32>, memref<?x?xi64>, memref<?x64xf32>) -> ()
  return
}

// -----

// Whatever the sizes are, a copy reads hardly more than it writes.
// CHECK-LABEL: func.func @copied_at_run_time
// CHECK-NOT: nontemporal
// CHECK: return
func.func @copied_at_run_time(%table: memref<?x64xf32>, %rows: memref<?xi64>, %out: memref<?x64xf32>) {
  "gs.generic"(%table, %rows, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?x64xf32>, memref<?xi64>, memref<?x64xf32>) -> ()
  return
}

// -----

// Elements one by one take longer than any store.
// CHECK-LABEL: func.func @elements
// CHECK: llvm.inline_asm
// CHECK-NOT: nontemporal
// CHECK: return
func.func @elements(%table: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
    : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> ()
  return
}
