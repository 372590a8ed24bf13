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

// Tiles that are transposed, of rows that are whole vectors.
// CHECK-LABEL: func.func @turned_whole
// CHECK: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: return
func.func @turned_whole(%x: memref<16x?xf32>, %out: memref<?x16xf32>) {
  gs.generic (d0, d1) ins(%x[d1, d0]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<16x?xf32>, memref<?x16xf32>) -> () {
  ^bb0(%a: f32, %current: f32):
    gs.yield %a : f32
  }
  return
}

// Of rows that are not, where the last tile overlaps another and begins no line.
// CHECK-LABEL: func.func @turned_overlapping
// CHECK-NOT: nontemporal
// CHECK: return
func.func @turned_overlapping(%x: memref<24x?xf32>, %out: memref<?x24xf32>) {
  gs.generic (d0, d1) ins(%x[d1, d0]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<24x?xf32>, memref<?x24xf32>) -> () {
  ^bb0(%a: f32, %current: f32):
    gs.yield %a : f32
  }
  return
}
