// RUN: gs-opt %s --convert-gs-to-scf="threads=2" | filecheck %s

// Equal ops that threads share are loops in the kernel: views of their many operands are no
// function.
// CHECK-LABEL: func.func @shared(
// CHECK-NOT: call @gs_loop
// CHECK: scf.parallel
// CHECK: call @[[ONE:gs_kernel_[0-9]+]](
// CHECK-NOT: call @gs_loop
// CHECK: scf.parallel
// CHECK: call @gs_kernel_
// CHECK: return
// CHECK: func.func private @[[ONE]](
// CHECK: vector.store
!t = memref<64x128x4x4xf32>
func.func @shared(%a: !t, %b: !t, %c: !t, %d: !t, %e: !t, %f: !t) attributes {gs.kernel} {
  gs.generic (d0, d1, d2, d3)
      ins(%a[d0, d1, d2, d3], %b[d0, d1, d2, d3], %c[d0, d1, d2, d3], %d[d0, d1, d2, d3],
          %e[d0, d1, d2, d3]) outs(%f[d0, d1, d2, d3])
      iterators(d0 = parallel, d1 = parallel, d2 = parallel, d3 = parallel)
      : (!t, !t, !t, !t, !t, !t) -> () {
  ^bb0(%0: f32, %1: f32, %2: f32, %3: f32, %4: f32, %5: f32):
    %6 = arith.addf %0, %1 : f32
    %7 = arith.mulf %2, %3 : f32
    %8 = arith.addf %6, %7 : f32
    %9 = arith.mulf %8, %4 : f32
    gs.yield %9 : f32
  }
  gs.generic (d0, d1, d2, d3)
      ins(%b[d0, d1, d2, d3], %c[d0, d1, d2, d3], %d[d0, d1, d2, d3], %a[d0, d1, d2, d3],
          %f[d0, d1, d2, d3]) outs(%e[d0, d1, d2, d3])
      iterators(d0 = parallel, d1 = parallel, d2 = parallel, d3 = parallel)
      : (!t, !t, !t, !t, !t, !t) -> () {
  ^bb0(%0: f32, %1: f32, %2: f32, %3: f32, %4: f32, %5: f32):
    %6 = arith.addf %0, %1 : f32
    %7 = arith.mulf %2, %3 : f32
    %8 = arith.addf %6, %7 : f32
    %9 = arith.mulf %8, %4 : f32
    gs.yield %9 : f32
  }
  return
}
