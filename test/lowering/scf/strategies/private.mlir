// Copies of a small output, one for each thread.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s --check-prefix=ALONE
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="threads=2" --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=WHY

// Each thread fills its copy, and runs its share of the points into it.
// CHECK-LABEL: func.func @sums
// CHECK: %[[COPIES:.*]] = memref.alloc() {alignment = 128 : i64} : memref<2x96xf32>
// CHECK: %[[ALL:.*]] = memref.subview %[[COPIES]][0, 0] [2, 64] [1, 1]
// CHECK: scf.parallel (%[[THREAD:.*]]) =
// CHECK: %[[MINE:.*]] = memref.subview %[[COPIES]][%[[THREAD]], 0] [1, 64] [1, 1]
// CHECK: func.call @gs_kernel_0_copy_filled(%[[MINE]])
// CHECK: func.call @gs_kernel_0_copy(%{{.*}}, %{{.*}}, %[[MINE]]
// CHECK: call @gs_kernel_0_copy_combined(%[[ALL]], %arg2)
// CHECK: memref.dealloc %[[COPIES]]
// CHECK-LABEL: func.func private @gs_kernel_0_copy_filled
// CHECK: %[[NONES:.*]] = arith.constant dense<-0.000000e+00>
// CHECK: vector.store %[[NONES]]
// CHECK-LABEL: func.func private @gs_kernel_0_copy_combined
// CHECK: vector.load %arg0
// ALONE-LABEL: func.func @sums
// ALONE-NOT: memref.alloc
// ALONE: return
// WHY: runs: on 2 threads: each combines into a copy of the small output
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
// CHECK: memref.alloc() {alignment = 128 : i64} : memref<2x80xf64>
// CHECK-LABEL: func.func private @gs_kernel_0_copy_filled
// CHECK: arith.constant dense<0xFFF0000000000000> : vector<8xf64>
// WHY: runs: on 2 threads: each combines into a copy of the small output
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

// Rows run in vectors.
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

// Whether copies pay is known when it runs.
// CHECK-LABEL: func.func @some
// CHECK: %[[PAYS:.*]] = arith.andi
// CHECK: scf.if %[[PAYS]]
// CHECK: memref.alloc(%{{.*}}) {alignment = 128 : i64} : memref<2x?xf32>
// CHECK: scf.parallel
// CHECK: func.call @gs_kernel_0_copy_filled
// CHECK: func.call @gs_kernel_0_copy(
// CHECK: func.call @gs_kernel_0_copy_combined
// CHECK: else
// CHECK-NOT: scf.parallel
// CHECK: memref.load %arg1
// WHY: runs: on 2 threads, where it is small in proportion to the work: each combines into a copy of the small output
func.func @some(%updates: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%updates[d0]) outs(%out[s0]) iterators(d0 = reduction)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x fastmath<reassoc> : f32
    gs.yield %sum : f32
  }
  return
}
