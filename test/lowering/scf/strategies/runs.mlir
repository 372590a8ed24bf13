// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s

// Of 64 pairs of neighbours at most two may differ for the loop that keeps a sum in a register.
// CHECK-LABEL: func.func @floats(
// CHECK: %[[CHANGES:.*]] = scf.for
// CHECK: arith.cmpi sle, %[[CHANGES]], %{{.*}} : index
// CHECK: scf.if
// CHECK: scf.for {{.*}} iter_args
// CHECK: else
// CHECK: memref.load
// CHECK: arith.addf
// CHECK: memref.store
func.func @floats(%u: memref<?xf32>, %i: memref<?xi64>, %y: memref<?xf32>) {
  gs.generic (e) [s = %i[e]] ins(%u[e]) outs(%y[s]) iterators(e = reduction)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    gs.yield %r : f32
  }
  return
}

// Integers do not wait, nor do points that the type says are few.
// CHECK-LABEL: func.func @integers(
// CHECK-NOT: iter_args
// CHECK-LABEL: func.func @few(
// CHECK-NOT: iter_args
func.func @integers(%u: memref<?xi32>, %i: memref<?xi64>, %y: memref<?xi32>) {
  gs.generic (e) [s = %i[e]] ins(%u[e]) outs(%y[s]) iterators(e = reduction)
      : (memref<?xi32>, memref<?xi64>, memref<?xi32>) -> () {
  ^bb0(%a: i32, %o: i32):
    %r = arith.addi %o, %a : i32
    gs.yield %r : i32
  }
  return
}

func.func @few(%u: memref<9xf32>, %i: memref<9xi64>, %y: memref<?xf32>) {
  gs.generic (e) [s = %i[e]] ins(%u[e]) outs(%y[s]) iterators(e = reduction)
      : (memref<9xf32>, memref<9xi64>, memref<?xf32>) -> () {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    gs.yield %r : f32
  }
  return
}
