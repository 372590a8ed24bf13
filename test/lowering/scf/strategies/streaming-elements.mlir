// Single elements, by non-temporal stores where they are too many for the caches.
// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s

// One loop, whose vectors are stored by non-temporal or by ordinary stores.
// CHECK-LABEL: func.func @elements
// CHECK: %[[PAST:.*]] = arith.andi %{{.*}}, %{{.*}} : i1
// CHECK: scf.for %{{.*}} step %c16
// CHECK: vector.from_elements
// CHECK: scf.if
// CHECK-NEXT: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK-NEXT: } else {
// CHECK-NEXT: vector.store
// CHECK-NOT: vector.store
// CHECK: scf.if
// CHECK-NEXT: llvm.fence
// CHECK: return
func.func @elements(%table: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
