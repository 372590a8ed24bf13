// Elements one by one, past the caches where they are too many.
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:words=false" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s --check-prefix=WORDS

// One loop, of which each vector is stored past the caches or through them.
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

// By words only through them: two loops.
// WORDS-LABEL: func.func @elements
// WORDS: scf.if
// WORDS: vector.from_elements
// WORDS: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// WORDS: llvm.fence
// WORDS: } else {
// WORDS: arith.shli
// WORDS-NOT: nontemporal
// WORDS: return
func.func @elements(%table: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  "gs.generic"(%table, %places, %out) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>}
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> ()
  return
}
