// Copies of a small output: of floats several for each thread, which points take in turns.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s --check-prefix=ALONE
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2" --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=WHY

// Four copies for each of two threads, which fills its own; four points that follow each other reach
// four of them. What is left over reaches the first.
// CHECK-LABEL: func.func @sums
// CHECK: %[[COPIES:.*]] = memref.alloc() {alignment = 128 : i64} : memref<8x96xf32>
// CHECK: %[[ALL:.*]] = memref.subview %[[COPIES]][0, 0] [8, 64] [1, 1]
// CHECK: scf.parallel (%[[THREAD:.*]]) =
// CHECK: %[[FIRST:.*]] = arith.muli %[[THREAD]], %c4 : index
// CHECK: %[[PART:.*]] = memref.subview %[[COPIES]][%[[FIRST]], 0] [4, 64] [1, 1]
// CHECK: func.call @gs_kernel_0_copy_filled(%[[PART]])
// CHECK: func.call @gs_kernel_0_copy(%{{.*}}, %{{.*}}, %[[PART]]
// CHECK: call @gs_kernel_0_copy_combined(%[[ALL]], %arg2)
// CHECK: memref.dealloc %[[COPIES]]
// CHECK-LABEL: func.func private @gs_kernel_0_copy
// CHECK-SAME: %[[MINE:[a-z0-9]+]]: memref<4x64xf32, strided<[96, 1], offset: ?>>
// CHECK: scf.for %{{.*}} step %c4
// CHECK: memref.load %[[MINE]][%c0, %
// CHECK: memref.store %{{.*}}, %[[MINE]][%c0, %
// CHECK: memref.load %[[MINE]][%c1, %
// CHECK: memref.store %{{.*}}, %[[MINE]][%c1, %
// CHECK: memref.store %{{.*}}, %[[MINE]][%c2, %
// CHECK: memref.store %{{.*}}, %[[MINE]][%c3, %
// CHECK: scf.for %{{.*}} step %c1
// CHECK: memref.store %{{.*}}, %[[MINE]][%c0, %
// CHECK-LABEL: func.func private @gs_kernel_0_copy_filled
// CHECK: %[[NONES:.*]] = arith.constant dense<-0.000000e+00>
// CHECK: vector.store %[[NONES]]
// CHECK-LABEL: func.func private @gs_kernel_0_copy_combined
// CHECK: vector.load %arg0
// ALONE-LABEL: func.func @sums
// ALONE: memref.alloc() {alignment = 128 : i64} : memref<4x96xf32>
// ALONE-NOT: scf.parallel
// ALONE: return
// WHY: runs: on 2 threads: each combines into 4 copies, in turns, of the small output
func.func @sums(%updates: memref<90000xf32>, %places: memref<90000xi64>, %out: memref<64xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%updates[d0]) outs(%out[s0]) iterators(d0 = reduction)
      : (memref<90000xf32>, memref<90000xi64>, memref<64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x fastmath<reassoc> : f32
    gs.yield %sum : f32
  }
  return
}

// -----

// Any order of maxima has the same bits.
// CHECK-LABEL: func.func @maxima
// CHECK: memref.alloc() {alignment = 128 : i64} : memref<8x80xf64>
// CHECK-LABEL: func.func private @gs_kernel_0_copy_filled
// CHECK: arith.constant dense<0xFFF0000000000000> : vector<8xf64>
// WHY: runs: on 2 threads: each combines into 4 copies, in turns, of the small output
func.func @maxima(%updates: memref<90000xf64>, %places: memref<90000xi64>, %out: memref<64xf64>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%updates[d0]) outs(%out[s0]) iterators(d0 = reduction)
      : (memref<90000xf64>, memref<90000xi64>, memref<64xf64>) -> () {
  ^bb0(%x: f64, %current: f64):
    %new = arith.maximumf %current, %x : f64
    gs.yield %new : f64
  }
  return
}

// -----

// Too many for the first-level cache: one copy for each thread, none for one alone. The same for
// rows, which run in vectors.
// CHECK-LABEL: func.func @larger
// CHECK: memref.alloc() {alignment = 128 : i64} : memref<2x4128xf32>
// CHECK: memref.alloc() {alignment = 128 : i64} : memref<2x11x16xf32>
// ALONE-LABEL: func.func @larger
// ALONE-NOT: memref.alloc
// ALONE: return
// WHY: runs: on 2 threads: each combines into a copy of the small output
// WHY: runs: on 2 threads: each combines into a copy of the small output
func.func @larger(%updates: memref<900000xf32>, %places: memref<900000xi64>,
    %out: memref<4096xf32>, %rows: memref<900000x16xf32>, %few: memref<9x16xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%updates[d0]) outs(%out[s0]) iterators(d0 = reduction)
      : (memref<900000xf32>, memref<900000xi64>, memref<4096xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x fastmath<fast> : f32
    gs.yield %sum : f32
  }
  gs.generic (d0, d1) [s0 = %places[d0]]
      ins(%rows[d0, d1]) outs(%few[s0, d1]) iterators(d0 = reduction, d1 = parallel)
      : (memref<900000x16xf32>, memref<900000xi64>, memref<9x16xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x fastmath<reassoc> : f32
    gs.yield %sum : f32
  }
  return
}

// -----

// How many copies there are is known when it runs: they are made, filled and brought together in
// one place, and each thread runs its part into its four, or by the same code into its one; or one
// thread runs all into the output.
// CHECK-LABEL: func.func @some
// CHECK: %[[IN_TURNS:.*]] = arith.andi
// CHECK: %[[ONE_EACH:.*]] = arith.andi
// CHECK: %[[EITHER:.*]] = arith.ori %[[IN_TURNS]], %[[ONE_EACH]]
// CHECK: scf.if %[[EITHER]]
// CHECK: %[[COUNT:.*]] = arith.select %[[IN_TURNS]], %c4, %c1 : index
// CHECK: %[[ALL:.*]] = arith.muli %[[COUNT]], %c2
// CHECK: %[[COPIES:.*]] = memref.alloc(%[[ALL]], %{{.*}}) {alignment = 128 : i64} : memref<?x?xf32>
// CHECK: memref.subview %[[COPIES]][0, 0] [%[[ALL]], %{{.*}}] [1, 1]
// CHECK: scf.parallel
// CHECK: func.call @gs_kernel_0_copy_filled(%{{.*}}) : (memref<?x?xf32
// CHECK: scf.if %[[IN_TURNS]]
// CHECK: %[[FOUR:.*]] = memref.reinterpret_cast %[[COPIES]] to offset: [{{.*}}], sizes: [4, %{{.*}}], strides: [%{{.*}}, 1]
// CHECK: func.call @gs_kernel_0_copy(%{{.*}}, %{{.*}}, %[[FOUR]],
// CHECK: else
// CHECK: %[[ROW:.*]] = memref.reinterpret_cast %[[COPIES]] to offset: [{{.*}}], sizes: [4, %{{.*}}], strides: [0, 1]
// CHECK: %[[ONE:.*]] = memref.cast %[[ROW]]
// CHECK: func.call @gs_kernel_0_copy(%{{.*}}, %{{.*}}, %[[ONE]],
// CHECK: func.call @gs_kernel_0_copy_combined
// CHECK: memref.dealloc %[[COPIES]]
// CHECK: else
// CHECK: scf.parallel
// CHECK: func.call @gs_kernel_0_owned
// CHECK: else
// CHECK: %[[OUT:.*]] = memref.reinterpret_cast %arg2 to offset: [0], sizes: [4, %{{.*}}], strides: [0, 1]
// CHECK: %[[WHOLE:.*]] = memref.cast %[[OUT]]
// CHECK: func.call @gs_kernel_0_copy(%{{.*}}, %{{.*}}, %[[WHOLE]], %c0,
// WHY: runs: on 2 threads, where it is small in proportion to the work: each combines into 4 copies, in turns, or a copy of the small output
func.func @some(%updates: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%updates[d0]) outs(%out[s0]) iterators(d0 = reduction)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x fastmath<reassoc> : f32
    gs.yield %sum : f32
  }
  return
}
