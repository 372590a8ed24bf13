// RUN: gs-opt %s --convert-gs-to-scf="lines-ahead=8192" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf --gs-explain 2>&1 | filecheck %s --check-prefix=EXPLAIN

// Long rows are written past the caches wherever they begin: the first and the last elements, which
// fill no line, in vectors that repeat some of what is between. Beside such stores a row of 2 KiB is
// asked for two rows ahead, through the caches four.
// EXPLAIN: stores past the caches where they cannot hold what is touched, wherever rows begin
// CHECK-LABEL: func.func @long
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %arg2
// CHECK: %[[AFTER:.*]] = arith.andi %[[ADDRESS]], %c63
// CHECK: %[[BEFORE:.*]] = arith.subi %c0, %[[AFTER]]
// CHECK: %[[ELEMENTS:.*]] = arith.shrsi %[[BEFORE]], %c2
// CHECK: %[[FIRST:.*]] = arith.andi %[[ELEMENTS]], %c15
// CHECK: %[[PART:.*]] = arith.andi %[[ADDRESS]], %c3
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[PART]], %c0
// CHECK: scf.if %[[WHOLE]]
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c200000
// CHECK: arith.addi %[[ROW]], %c2
// CHECK: %[[LEFT:.*]] = arith.subi %c512, %[[FIRST]]
// CHECK: %[[REST:.*]] = arith.andi %[[LEFT]], %c15
// CHECK: %[[END:.*]] = arith.subi %c512, %[[REST]]
// CHECK: arith.cmpi ne, %[[FIRST]], %c0
// CHECK: scf.if
// CHECK: vector.store %{{.*}}, %arg2[%[[ROW]], %c0] : memref<200000x512xf32>, vector<16xf32>
// CHECK: scf.for %[[AT:.*]] = %[[FIRST]] to %[[END]] step %c16
// CHECK: vector.store %{{.*}}, %arg2[%[[ROW]], %[[AT]]] {alignment = 64 : i64, nontemporal = true}
// CHECK: arith.cmpi ne, %[[REST]], %c0
// CHECK: scf.if
// CHECK: vector.store %{{.*}}, %arg2[%[[ROW]], %c496] : memref<200000x512xf32>, vector<16xf32>
// CHECK: llvm.fence
// CHECK: } else {
// CHECK: scf.for %[[OTHER:.*]] = %c0 to %c200000
// CHECK: arith.addi %[[OTHER]], %c4
// CHECK-NOT: nontemporal
// CHECK: return
func.func @long(%table: memref<1000000x512xf32>, %rows: memref<200000xi64>,
    %out: memref<200000x512xf32>) {
  "gs.generic"(%table, %rows, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<1000000x512xf32>, memref<200000xi64>, memref<200000x512xf32>) -> ()
  return
}

// Rows of whose length nothing is known: of one line and more if they begin with one, else of 2 KiB.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[LEAST:.*]] = arith.select %{{.*}}, %c64, %c2048
// CHECK: arith.cmpi sge, %{{.*}}, %[[LEAST]]
// CHECK: nontemporal
// CHECK: return
func.func @unknown(%table: memref<?x?xf32>, %rows: memref<200000xi64>,
    %out: memref<200000x?xf32>) {
  "gs.generic"(%table, %rows, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>,
                       affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<?x?xf32>, memref<200000xi64>, memref<200000x?xf32>) -> ()
  return
}
