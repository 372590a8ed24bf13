// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf --gs-explain 2>&1 | filecheck %s --check-prefix=EXPLAIN

// Rows are written by non-temporal stores wherever they begin: the first and the last elements,
// which fill no line, in halves of a vector, down to 16 bytes, which touch no line that is.
// EXPLAIN: non-temporal stores where the caches cannot hold what is touched, wherever rows begin
// CHECK-LABEL: func.func @long
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %arg2
// CHECK: %[[AFTER:.*]] = arith.andi %[[ADDRESS]], %c63
// CHECK: %[[PART:.*]] = arith.andi %[[ADDRESS]], %c15
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %[[PART]], %c0
// CHECK: scf.if %[[WHOLE]]
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c200000
// CHECK: %[[BEGUN:.*]] = arith.shrsi %[[AFTER]], %c2
// CHECK: %[[BEFORE:.*]] = arith.subi %c0, %[[BEGUN]]
// CHECK: %[[FIRST:.*]] = arith.andi %[[BEFORE]], %c15
// CHECK: %[[LEFT:.*]] = arith.subi %c512, %[[FIRST]]
// CHECK: %[[REST:.*]] = arith.andi %[[LEFT]], %c15
// CHECK: %[[END:.*]] = arith.subi %c512, %[[REST]]
// CHECK: %[[EIGHT:.*]] = arith.andi %[[BEFORE]], %c8
// CHECK: arith.cmpi ne, %[[EIGHT]], %c0
// CHECK: scf.if
// CHECK: vector.store %{{.*}}, %arg2[%[[ROW]], %c0] : memref<200000x512xf32>, vector<8xf32>
// CHECK: %[[FOUR:.*]] = arith.andi %[[BEFORE]], %c4
// CHECK: arith.cmpi ne, %[[FOUR]], %c0
// CHECK: scf.if
// CHECK: vector.store %{{.*}}, %arg2[%[[ROW]], %[[EIGHT]]] : memref<200000x512xf32>, vector<4xf32>
// CHECK-NOT: vector<2xf32>
// CHECK: scf.for %[[AT:.*]] = %[[FIRST]] to %[[END]] step %c16
// CHECK: vector.store %{{.*}}, %arg2[%[[ROW]], %[[AT]]] {alignment = 64 : i64, nontemporal = true}
// CHECK: %[[LAST:.*]] = arith.andi %[[LEFT]], %c8
// CHECK: scf.if
// CHECK: vector.store %{{.*}}, %arg2[%[[ROW]], %[[END]]] : memref<200000x512xf32>, vector<8xf32>
// CHECK: %[[FROM:.*]] = arith.addi %[[END]], %[[LAST]]
// CHECK: scf.if
// CHECK: vector.store %{{.*}}, %arg2[%[[ROW]], %[[FROM]]] : memref<200000x512xf32>, vector<4xf32>
// CHECK: llvm.fence
// CHECK: } else {
// CHECK: scf.for %[[OTHER:.*]] = %c0 to %c200000
// CHECK-NOT: nontemporal
// CHECK: return
func.func @long(%table: memref<1000000x512xf32>, %rows: memref<200000xi64>,
    %out: memref<200000x512xf32>) {
  gs.generic (d0, d1) [s0 = %rows[d0]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<1000000x512xf32>, memref<200000xi64>, memref<200000x512xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// Rows of whose length nothing is known: of one line and more if all begin with one, else of 256
// bytes. They may end at any element.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[LEAST:.*]] = arith.select %{{.*}}, %c64, %c256
// CHECK: arith.cmpi sge, %{{.*}}, %[[LEAST]]
// CHECK: vector<8xf32>
// CHECK: vector<4xf32>
// CHECK: vector<2xf32>
// CHECK: memref.store
// CHECK: nontemporal
// CHECK: vector<8xf32>
// CHECK: vector<4xf32>
// CHECK: vector<2xf32>
// CHECK: memref.store
// CHECK: return
func.func @unknown(%table: memref<?x?xf32>, %rows: memref<200000xi64>,
    %out: memref<200000x?xf32>) {
  gs.generic (d0, d1) [s0 = %rows[d0]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<?x?xf32>, memref<200000xi64>, memref<200000x?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// Rows of 400 bytes begin at each multiple of 16 of a line: where one does is found out for each.
// CHECK-LABEL: func.func @apart
// CHECK: scf.for %[[ROW:.*]] = %c0
// CHECK: %[[BEGUN:.*]] = arith.muli %[[ROW]], %c100
// CHECK: arith.addi %{{.*}}, %[[BEGUN]]
// CHECK: nontemporal
// CHECK: return
func.func @apart(%table: memref<1000000x100xf32>, %rows: memref<200000xi64>,
    %out: memref<200000x100xf32>) {
  gs.generic (d0, d1) [s0 = %rows[d0]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<1000000x100xf32>, memref<200000xi64>, memref<200000x100xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// Rows that are written at coordinates and not read.
// CHECK-LABEL: func.func @set
// CHECK: %[[LINES:.*]] = arith.cmpi eq, %{{.*}}, %c0
// CHECK: %[[PARTS:.*]] = arith.cmpi eq, %[[LINES]], %false
// Rows of less than 2 KiB have a loop of a known number of lines where all begin with one.
// CHECK: scf.if %[[PARTS]]
// CHECK: vector<8xf32>
// CHECK: nontemporal
// CHECK: } else {
// CHECK: scf.for %[[LINE:.*]] = %c0 to %c64 step %c16
// CHECK: vector.store %{{.*}}, %arg2[%{{.*}}, %[[LINE]]] {alignment = 64 : i64, nontemporal = true}
// CHECK: return
func.func @set(%updates: memref<200000x64xf32>, %rows: memref<200000xi64>,
    %out: memref<1000000x64xf32>) {
  gs.generic (d0, d1) [s0 = %rows[d0]]
      ins(%updates[d0, d1]) outs(%out[s0, d1]) iterators(d0 = parallel, d1 = parallel) unique
      : (memref<200000x64xf32>, memref<200000xi64>, memref<1000000x64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// At coordinates each row has another length before its first line if rows lie at no number of lines
// from each other, at which a core guesses the wrong way: rows of 400 bytes have non-temporal
// stores, those of 336 and 404 have not. Where nothing is known of them, it is found out.
// CHECK-LABEL: func.func @pieces
// CHECK: nontemporal
// CHECK-LABEL: func.func @short_pieces
// CHECK-NOT: nontemporal
// CHECK-LABEL: func.func @odd
// CHECK-NOT: nontemporal
// CHECK-LABEL: func.func @any
// CHECK: %[[PIECES:.*]] = arith.select %{{.*}}, %c384, %c640
// CHECK: %[[LINES:.*]] = arith.select %{{.*}}, %c256, %[[PIECES]]
// CHECK: %[[MOST:.*]] = arith.select %{{.*}}, %c64, %[[LINES]]
// CHECK: arith.cmpi sge, %{{.*}}, %[[MOST]]
// CHECK: nontemporal
func.func @pieces(%updates: memref<200000x100xf32>, %rows: memref<200000xi64>,
    %out: memref<1000000x100xf32>) {
  gs.generic (d0, d1) [s0 = %rows[d0]]
      ins(%updates[d0, d1]) outs(%out[s0, d1]) iterators(d0 = parallel, d1 = parallel) unique
      : (memref<200000x100xf32>, memref<200000xi64>, memref<1000000x100xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
func.func @short_pieces(%updates: memref<200000x84xf32>, %rows: memref<200000xi64>,
    %out: memref<1000000x84xf32>) {
  gs.generic (d0, d1) [s0 = %rows[d0]]
      ins(%updates[d0, d1]) outs(%out[s0, d1]) iterators(d0 = parallel, d1 = parallel) unique
      : (memref<200000x84xf32>, memref<200000xi64>, memref<1000000x84xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
func.func @odd(%updates: memref<200000x101xf32>, %rows: memref<200000xi64>,
    %out: memref<1000000x101xf32>) {
  gs.generic (d0, d1) [s0 = %rows[d0]]
      ins(%updates[d0, d1]) outs(%out[s0, d1]) iterators(d0 = parallel, d1 = parallel) unique
      : (memref<200000x101xf32>, memref<200000xi64>, memref<1000000x101xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
func.func @any(%updates: memref<200000x?xf32>, %rows: memref<200000xi64>,
    %out: memref<1000000x?xf32>) {
  gs.generic (d0, d1) [s0 = %rows[d0]]
      ins(%updates[d0, d1]) outs(%out[s0, d1]) iterators(d0 = parallel, d1 = parallel) unique
      : (memref<200000x?xf32>, memref<200000xi64>, memref<1000000x?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
