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

// What a loop carries is carried by both.

// CHECK-LABEL: func.func @sum
// CHECK: %[[SUM:.*]] = scf.if %{{.*}} -> (f32) {
// CHECK-NEXT: %[[FAR:.*]] = scf.for
// CHECK-NEXT: memref.prefetch
// CHECK: scf.yield %[[FAR]]
// CHECK: } else {
// CHECK-NEXT: %[[NEAR:.*]] = scf.for
// CHECK-NOT: memref.prefetch
// CHECK: scf.yield %[[NEAR]]
// CHECK: return %[[SUM]]
func.func @sum(%far: i1, %x: memref<?xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %v) -> f32 {
    scf.if %far {
      memref.prefetch %x[%i], read, locality<3>, data : memref<?xf32>
    }
    %e = memref.load %x[%i] : memref<?xf32>
    %t = arith.addf %s, %e : f32
    scf.yield %t : f32
  }
  return %sum : f32
}

// -----

// A condition of each iteration, an if that writes, and a loop with one inside.

// CHECK-LABEL: func.func @stay
// CHECK-COUNT-4: scf.for
// CHECK-NOT: scf.for
func.func @stay(%far: i1, %flags: memref<?xi1>, %x: memref<?xf32>, %n: index, %v: f32) {
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
  scf.for %i = %c0 to %n step %c1 {
    scf.if %far {
      memref.prefetch %x[%i], read, locality<3>, data : memref<?xf32>
    }
    scf.for %j = %c0 to %i step %c1 {
      memref.store %v, %x[%j] : memref<?xf32>
    }
  }
  return
}

// -----

// Several elements at a time: asked between their loads, all addresses would stay in registers.

// CHECK-LABEL: func.func @eight
// CHECK: scf.if
// CHECK: scf.for
// CHECK: memref.prefetch
// CHECK: } else {
// CHECK: scf.for
// CHECK-NOT: memref.prefetch
// CHECK: vector.store
func.func @eight(%far: i1, %at: memref<?xindex>, %x: memref<?xf32>, %out: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c8 {
    %a0 = arith.addi %i, %c0 : index
    %p0 = memref.load %at[%a0] : memref<?xindex>
    %x0 = memref.load %x[%p0] : memref<?xf32>
    %a1 = arith.addi %i, %c1 : index
    %p1 = memref.load %at[%a1] : memref<?xindex>
    %x1 = memref.load %x[%p1] : memref<?xf32>
    %a2 = arith.addi %i, %c2 : index
    %p2 = memref.load %at[%a2] : memref<?xindex>
    %x2 = memref.load %x[%p2] : memref<?xf32>
    %a3 = arith.addi %i, %c3 : index
    %p3 = memref.load %at[%a3] : memref<?xindex>
    %x3 = memref.load %x[%p3] : memref<?xf32>
    %a4 = arith.addi %i, %c4 : index
    %p4 = memref.load %at[%a4] : memref<?xindex>
    %x4 = memref.load %x[%p4] : memref<?xf32>
    %a5 = arith.addi %i, %c5 : index
    %p5 = memref.load %at[%a5] : memref<?xindex>
    %x5 = memref.load %x[%p5] : memref<?xf32>
    %a6 = arith.addi %i, %c6 : index
    %p6 = memref.load %at[%a6] : memref<?xindex>
    %x6 = memref.load %x[%p6] : memref<?xf32>
    %a7 = arith.addi %i, %c7 : index
    %p7 = memref.load %at[%a7] : memref<?xindex>
    %x7 = memref.load %x[%p7] : memref<?xf32>
    scf.if %far {
      memref.prefetch %x[%p7], read, locality<3>, data : memref<?xf32>
    }
    %v = vector.from_elements %x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7 : vector<8xf32>
    vector.store %v, %out[%i] : memref<?xf32>, vector<8xf32>
  }
  return
}
