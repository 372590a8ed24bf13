// RUN: gs-opt %s --convert-gs-to-scf="threads=2 target=generic:disable=prefetch" --canonicalize --cse | filecheck %s

// Eight rows are less than a tile for each of two threads: each reads half of the columns, 64 of
// them at 256 points at a time, of which the second tile finds them in a near cache. No copy.
// CHECK-LABEL: func.func private @gs_kernel_0
// CHECK-NOT: memref.alloca
// CHECK: scf.for %{{.*}} = %c0 to %c2048 step %c64
// CHECK: scf.for %[[FIRST:.*]] = %c0 to %c512 step %c256
// CHECK: %{{.*}}:24 = scf.for %{{.*}} = %[[FIRST]] to
// CHECK: %{{.*}}:8 = scf.for %{{.*}} = %[[FIRST]] to
func.func @few(%table: memref<1000x512xf32>, %ids: memref<8xi64>, %w: memref<512x4096xf32>,
    %y: memref<8x4096xf32>) {
  gs.generic (m, k, n) [s = %ids[m]]
      ins(%table[s, k], %w[k, n]) outs(%y[m, n])
      iterators(m = parallel, k = reduction, n = parallel)
      : (memref<1000x512xf32>, memref<512x4096xf32>, memref<8xi64>, memref<8x4096xf32>) -> () {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %q = arith.addf %c, %p : f32
    gs.yield %q : f32
  }
  return
}
