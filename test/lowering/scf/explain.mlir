// What the lowering says of the loops it chose.
// RUN: gs-opt %s --convert-gs-to-scf="threads=2" --gs-explain -o /dev/null 2>&1 | filecheck %s

// CHECK: explain.mlir:{{[0-9]+}}:3: remark: 'gs.generic' runs: on 2 threads, where enough moves: each has a part of d0, at
// CHECK-NEXT: runs: d1 in vectors of 16: outputs step by one element along it
// CHECK-NEXT: runs: non-temporal stores where
func.func @rows(%a: memref<90000x64xf32>, %i: memref<90000xi64>, %y: memref<90000x64xf32>,
    %b: memref<90000xf32>, %bins: memref<64xf32>, %far: memref<9000000xf32>,
    %n: memref<90000xi32>, %counts: memref<64xi32>, %c: memref<90000xcomplex<f64>>) {
  gs.generic (d0, d1) [s0 = %i[d0]]
      ins(%a[s0, d1]) outs(%y[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<90000x64xf32>, memref<90000xi64>, memref<90000x64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }

  // CHECK: explain.mlir:{{[0-9]+}}:3: remark: 'gs.generic' runs: on one thread: points may write to one place
  // CHECK-NEXT: runs: sums in registers where at most 4 of 64 pairs of neighbours along d0 differ, else in memory
  // CHECK-NEXT: runs: element by element: along no dim all outputs step by one element
  gs.generic (d0) [s0 = %i[d0]] ins(%b[d0]) outs(%bins[s0]) iterators(d0 = reduction)
      : (memref<90000xf32>, memref<90000xi64>, memref<64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    gs.yield %sum : f32
  }

  // CHECK: explain.mlir:{{[0-9]+}}:3: remark: 'gs.generic' runs: on one thread: points may write to one place
  // CHECK-NEXT: runs: sums in registers where at most 4 of 64 pairs of neighbours along d0 differ, else in memory
  // CHECK-NEXT: runs: element by element
  gs.generic (d0) [s0 = %i[d0]] ins(%b[d0]) outs(%far[s0]) iterators(d0 = reduction)
      : (memref<90000xf32>, memref<90000xi64>, memref<9000000xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    gs.yield %sum : f32
  }

  // CHECK: explain.mlir:{{[0-9]+}}:3: remark: 'gs.generic' runs: on 2 threads: each combines into a copy of the small output
  // CHECK-NEXT: runs: element by element
  gs.generic (d0) [s0 = %i[d0]] ins(%n[d0]) outs(%counts[s0]) iterators(d0 = reduction)
      : (memref<90000xi32>, memref<90000xi64>, memref<64xi32>) -> () {
  ^bb0(%x: i32, %current: i32):
    %sum = arith.addi %current, %x : i32
    gs.yield %sum : i32
  }

  // CHECK-NEXT: runs: on one thread: points may write to one place
  // CHECK-NEXT: runs: element by element: the elements are of a type that vectors do not hold
  gs.generic (d0) [s0 = %i[d0]] ins(%c[s0]) outs(%c[s0]) iterators(d0 = reduction)
      : (memref<90000xcomplex<f64>>, memref<90000xi64>, memref<90000xcomplex<f64>>) -> () {
  ^bb0(%x: complex<f64>, %current: complex<f64>):
    gs.yield %x : complex<f64>
  }

  // CHECK: explain.mlir:{{[0-9]+}}:3: remark: 'gs.generic' runs: on 2 threads
  // CHECK-NEXT: runs: sums in registers where at most 4 of 64 pairs of neighbours along d0 differ, else in memory
  // CHECK-NEXT: runs: element by element
  gs.generic (d0) [s0 = %i[d0]] ins(%b[d0]) outs(%far[s0]) iterators(d0 = reduction) sorted
      : (memref<90000xf32>, memref<90000xi64>, memref<9000000xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    %sum = arith.addf %current, %x : f32
    gs.yield %sum : f32
  }
  // CHECK-NOT: runs
  return
}
