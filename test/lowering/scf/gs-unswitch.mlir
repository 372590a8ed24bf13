// RUN: gs-opt %s --gs-unswitch --split-input-file | filecheck %s

// One loop with prefetches, whose condition holds in it, and one without; what is prefetched in any
// case is in both.

// CHECK-LABEL: func.func @asked
// CHECK-SAME: %[[FAR:.*]]: i1
// CHECK: scf.if %[[FAR]] {
// CHECK-NEXT: scf.for
// CHECK-NOT: scf.if
// CHECK: memref.prefetch
// CHECK: memref.prefetch
// CHECK: memref.store
// CHECK: } else {
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: memref.prefetch
// CHECK-NOT: memref.prefetch
// CHECK: memref.store
func.func @asked(%far: i1, %x: memref<?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.prefetch %x[%i], read, locality<3>, data : memref<?xf32>
    scf.if %far {
      %later = arith.addi %i, %c1 : index
      memref.prefetch %x[%later], write, locality<2>, data : memref<?xf32>
    }
    memref.store %v, %x[%i] : memref<?xf32>
  }
  return
}

// -----

// Two conditions: the first loop asks for each.

// CHECK-LABEL: func.func @two
// CHECK-SAME: %[[A:.*]]: i1, %[[B:.*]]: i1
// CHECK: %[[ANY:.*]] = arith.ori %[[A]], %[[B]]
// CHECK: scf.if %[[ANY]] {
// CHECK-NEXT: scf.for
// CHECK: scf.if %[[A]]
// CHECK: scf.if %[[B]]
// CHECK: } else {
// CHECK-NEXT: scf.for
// CHECK-NEXT: memref.store
func.func @two(%a: i1, %b: i1, %x: memref<?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %a {
      memref.prefetch %x[%i], read, locality<3>, data : memref<?xf32>
    }
    scf.if %b {
      memref.prefetch %x[%i], read, locality<2>, data : memref<?xf32>
    }
    memref.store %v, %x[%i] : memref<?xf32>
  }
  return
}

// -----

// A condition of each iteration, an if that writes, a loop with a result, and a loop with one inside.

// CHECK-LABEL: func.func @stay
// CHECK-COUNT-5: scf.for
// CHECK-NOT: scf.for
func.func @stay(%far: i1, %flags: memref<?xi1>, %x: memref<?xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %flag = memref.load %flags[%i] : memref<?xi1>
    scf.if %flag {
      memref.prefetch %x[%i], read, locality<3>, data : memref<?xf32>
    }
    memref.store %v, %x[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.if %far {
      memref.prefetch %x[%i], read, locality<3>, data : memref<?xf32>
      memref.store %v, %x[%i] : memref<?xf32>
    }
  }
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> f32 {
    scf.if %far {
      memref.prefetch %x[%i], read, locality<3>, data : memref<?xf32>
    }
    %e = memref.load %x[%i] : memref<?xf32>
    %t = arith.addf %s, %e : f32
    scf.yield %t : f32
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.if %far {
      memref.prefetch %x[%i], read, locality<3>, data : memref<?xf32>
    }
    scf.for %j = %c0 to %i step %c1 {
      memref.store %v, %x[%j] : memref<?xf32>
    }
  }
  return %sum : f32
}
