// RUN: gs-opt %s --gs-split-parallel | filecheck %s

// Threads share all dims but the last.
// CHECK-LABEL: func.func @cube
// CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0, %c0) to (%c4, %c5) step (%c1, %c2) {
// CHECK: scf.for %[[K:.*]] = %c0 to %c6 step %c1 {
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]], %[[K]]]
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) = (
// CHECK: scf.reduce
func.func @cube(%x: memref<4x5x6xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%c4, %c5, %c6) step (%c1, %c2, %c1) {
    memref.store %v, %x[%i, %j, %k] : memref<4x5x6xf32>
    scf.parallel (%a, %b) = (%c0, %c0) to (%c1, %c2) step (%c1, %c1) {
      memref.store %v, %x[%a, %b, %k] : memref<4x5x6xf32>
      scf.reduce
    }
    scf.reduce
  }
  return
}

// Loops of one dim, and those with results, stay.
// CHECK-LABEL: func.func @stay
// CHECK: scf.parallel (%{{.*}}) = (
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) = (
// CHECK-NOT: scf.for
// CHECK: return
func.func @stay(%x: memref<?xf32>, %n: index, %v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %x[%i] : memref<?xf32>
    scf.reduce
  }
  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) init (%v) -> f32 {
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}

// Where the outer dims have fewer points than there are threads, these share the last one.
// CHECK-LABEL: func.func @few
// CHECK: scf.for %[[A:.*]] = %c0 to %c1 step %c1 {
// CHECK: scf.for %[[I:.*]] = %c0 to %c1 step %c1 {
// CHECK: scf.parallel (%[[J:[^,]*]]) = (%c0) to (%arg2) step (%c1) {
// CHECK: memref.store %arg3, %arg0[%[[I]], %[[J]]]
// CHECK: %[[ENOUGH:.*]] = arith.cmpi sge, %arg1, %{{.*}} : index
// CHECK: scf.if %[[ENOUGH]] {
// CHECK: scf.parallel (%{{[^,]*}}) = (%c0) to (%arg1) step (%c1)
// CHECK: scf.for
// CHECK: } else {
// CHECK: scf.for %{{.*}} = %c0 to %arg1
// CHECK: scf.parallel (%{{[^,]*}}) = (%c0) to (%arg2)
func.func @few(%x: memref<?x?xf32>, %m: index, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%a, %i, %j) = (%c0, %c0, %c0) to (%c1, %c1, %n) step (%c1, %c1, %c1) {
    memref.store %v, %x[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    memref.store %v, %x[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  return
}
