// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2 target=generic:llc-bytes=1048576" --canonicalize --cse | filecheck %s

// What each strategy is chosen for, and what it emits.

// Sorted coordinates: the points of one row of the output run one after the other, with the row in
// registers; threads meet between two rows.
// CHECK-LABEL: func.func @segments
// CHECK: scf.parallel
// CHECK: func.call @gs_kernel_0
// CHECK-LABEL: func.func private @gs_kernel_0
// CHECK: scf.while
// CHECK: memref.load
// CHECK: scf.condition
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (index, vector<16xf32>, vector<16xf32>)
// CHECK: %[[SAME:.*]] = arith.cmpi eq
// CHECK: scf.if %[[SAME]] -> (vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-2: vector.store
// CHECK-COUNT-2: vector.load
func.func @segments(%updates: memref<90000x32xf32>, %indices: memref<90000xi64>,
    %dest: memref<?x32xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%updates[d0, d1]) outs(%dest[s0, d1]) iterators(d0 = reduction, d1 = parallel) sorted
      : (memref<90000x32xf32>, memref<90000xi64>, memref<?x32xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// -----

// Integers: each thread counts into a copy of its own, two lines from the next one; they are added
// at the end.
// CHECK-LABEL: func.func @private
// CHECK: %[[COPIES:.*]] = memref.alloc() {alignment = 128 : i64} : memref<2x80xi64>
// CHECK: %[[USED:.*]] = memref.subview %[[COPIES]][0, 0] [2, 64] [1, 1]
// CHECK: scf.parallel
// CHECK: %[[MINE:.*]] = memref.subview %[[COPIES]]
// CHECK: func.call @gs_kernel_0_copy_filled(%[[MINE]]
// CHECK: func.call @gs_kernel_0_copy({{.*}}%[[MINE]]
// CHECK: call @gs_kernel_0_copy_combined(%[[USED]]
// CHECK: memref.dealloc %[[COPIES]]
func.func @private(%indices: memref<90000xi64>, %dest: memref<64xi64>) {
  %one = arith.constant 1 : i64
  gs.generic (d0) [s0 = %indices[d0]] outs(%dest[s0]) iterators(d0 = reduction)
      : (memref<90000xi64>, memref<64xi64>) -> () {
  ^bb0(%current: i64):
    %new = arith.addi %current, %one : i64
    gs.yield %new : i64
  }
  return
}

// -----

// Floats do not add up in any order.
// CHECK-LABEL: func.func @not_private
// CHECK-NOT: memref.alloc()
func.func @not_private(%updates: memref<90000xf32>, %indices: memref<90000xi64>,
    %dest: memref<64xf32>) {
  gs.generic (d0) [s0 = %indices[d0]] ins(%updates[d0]) outs(%dest[s0]) iterators(d0 = reduction)
      : (memref<90000xf32>, memref<90000xi64>, memref<64xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// -----

// More than the cache holds: past it, if each row of the output begins at a line.
// CHECK-LABEL: func.func private @gs_kernel_0
// CHECK: memref.extract_aligned_pointer_as_index
// CHECK: scf.if
// CHECK: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: llvm.fence seq_cst
// CHECK: } else {
// CHECK-NOT: nontemporal
// CHECK: return
func.func @streaming(%table: memref<100x64xf32>, %indices: memref<90000xi64>,
    %out: memref<90000x64xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<100x64xf32>, memref<90000xi64>, memref<90000x64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// Long rows that only move, and that stay in the cache.
// CHECK-LABEL: func.func @copies
// CHECK: scf.for %{{.*}} = %c0 to %c2048 step %c16
// CHECK: vector.store
func.func @copies(%table: memref<16x2048xf32>, %indices: memref<8xi64>,
    %out: memref<8x2048xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<16x2048xf32>, memref<8xi64>, memref<8x2048xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// A filled output that is reached whole is written once and not read.
// CHECK-LABEL: func.func @filled
// CHECK-NOT: linalg.fill
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %cst
// CHECK-NOT: linalg.fill
func.func @filled(%table: memref<16x16xf32>, %indices: memref<8x3xi64>, %out: memref<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<8x16xf32>)
  gs.generic (d0, d1, d2) [s0 = %indices[d0, d1]]
      ins(%table[s0, d2]) outs(%out[d0, d2]) iterators(d0 = parallel, d1 = reduction, d2 = parallel)
      : (memref<16x16xf32>, memref<8x3xi64>, memref<8x16xf32>) -> () {
  ^bb0(%x: f32, %sum: f32):
    %new = arith.addf %sum, %x : f32
    gs.yield %new : f32
  }
  return
}

// -----

// Sums along rows: a row in each lane, blocks of rows multiplied and then turned around.
// CHECK-LABEL: func.func @dots
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>)
// CHECK: %[[Q:.*]] = vector.load %{{.*}} : memref<64xf32>, vector<16xf32>
// CHECK: %[[ROW:.*]] = vector.load %{{.*}} : memref<9000x64xf32>, vector<16xf32>
// CHECK: arith.mulf %[[ROW]], %[[Q]] : vector<16xf32>
// CHECK-COUNT-64: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-16: arith.addf {{.*}} : vector<16xf32>
// CHECK: scf.yield
func.func @dots(%table: memref<9000x64xf32>, %query: memref<64xf32>, %indices: memref<256xi64>,
    %out: memref<256xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%table[s0, d1], %query[d1]) outs(%out[d0]) iterators(d0 = parallel, d1 = reduction)
      : (memref<9000x64xf32>, memref<64xf32>, memref<256xi64>, memref<256xf32>) -> () {
  ^bb0(%x: f32, %q: f32, %sum: f32):
    %product = arith.mulf %x, %q : f32
    %new = arith.addf %sum, %product : f32
    gs.yield %new : f32
  }
  return
}

// -----

// Segments of a filled output: what lies between two is filled on the way, what is reached is not.
// CHECK-LABEL: func.func @gaps
// CHECK-NOT: linalg.fill
// CHECK: func.call @gs_kernel_0
// CHECK-NOT: linalg.fill
// CHECK-LABEL: func.func private @gs_kernel_0
// CHECK: %[[ZERO:cst[_0-9]*]] = arith.constant dense<0.0
// CHECK: scf.for
// CHECK-NEXT: vector.store %[[ZERO]],
// CHECK: scf.for {{.*}} iter_args({{.*}} = %[[ZERO]])
// CHECK: vector.store
// CHECK: scf.for
// CHECK-NEXT: vector.store %[[ZERO]],
// CHECK: scf.for
// CHECK-NEXT: vector.store %[[ZERO]],
func.func @gaps(%updates: memref<9000x16xf32>, %indices: memref<9000xi64>,
    %out: memref<500x16xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<500x16xf32>)
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%updates[d0, d1]) outs(%out[s0, d1]) iterators(d0 = reduction, d1 = parallel) sorted
      : (memref<9000x16xf32>, memref<9000xi64>, memref<500x16xf32>) -> () {
  ^bb0(%x: f32, %sum: f32):
    %new = arith.addf %sum, %x : f32
    gs.yield %new : f32
  }
  return
}

// -----

// Rows that are long, or of any length: each segment is searched for its end first.
// CHECK-LABEL: func.func @long_segments
// CHECK: scf.while
// CHECK: scf.while
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>
func.func @long_segments(%updates: memref<300x?xf32>, %indices: memref<300xi64>,
    %dest: memref<?x?xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%updates[d0, d1]) outs(%dest[s0, d1]) iterators(d0 = reduction, d1 = parallel) sorted
      : (memref<300x?xf32>, memref<300xi64>, memref<?x?xf32>) -> () {
  ^bb0(%update: f32, %current: f32):
    %new = arith.addf %current, %update : f32
    gs.yield %new : f32
  }
  return
}

// -----

// Sums of rows, whose order is free: the row in lanes, four vectors side by side, combined at the end.
// CHECK-LABEL: func.func @across
// CHECK: scf.for
// CHECK: %[[FOUR:.*]]:4 = scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-4: vector.load
// CHECK: %[[REST:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[FOUR]]#0) -> (vector<16xf32>)
// CHECK: %[[LAST:.*]] = scf.for {{.*}} -> (f32)
// CHECK: arith.addf {{.*}} fastmath<reassoc> : vector<16xf32>
// CHECK: vector.reduction <add>, %{{.*}}, %[[LAST]] fastmath<reassoc> : vector<16xf32> into f32
func.func @across(%source: memref<90x?xf32>, %rows: memref<7xi64>, %dest: memref<7xf32>) {
  gs.generic (d0, d1) [s0 = %rows[d0]]
      ins(%source[s0, d1]) outs(%dest[d0]) iterators(d0 = parallel, d1 = reduction)
      : (memref<90x?xf32>, memref<7xi64>, memref<7xf32>) -> () {
  ^bb0(%element: f32, %current: f32):
    %new = arith.addf %current, %element fastmath<reassoc> : f32
    gs.yield %new : f32
  }
  return
}

// -----

// Without the flag the order of a sum of floats is that of the loop.
// CHECK-LABEL: func.func @in_order
// CHECK-NOT: vector.reduction
func.func @in_order(%source: memref<90x?xf32>, %dest: memref<90xf32>) {
  gs.generic (d0, d1) ins(%source[d0, d1]) outs(%dest[d0]) iterators(d0 = parallel, d1 = reduction)
      : (memref<90x?xf32>, memref<90xf32>) -> () {
  ^bb0(%element: f32, %current: f32):
    %new = arith.addf %current, %element : f32
    gs.yield %new : f32
  }
  return
}
