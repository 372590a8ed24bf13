// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:words=false" --canonicalize --cse | filecheck %s --check-prefix=VECTORS
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:words=false" --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=TOLD

// TOLD: input #0 by elements, each has a coordinate of its own{{$}}

// Two elements of 4 bytes are a word in a register for integers, unless the core puts vectors
// together as fast.
// CHECK-LABEL: func.func @take
// CHECK: arith.shli %{{.*}}, %c32_i64
// CHECK: vector.store %{{.*}}, %arg2{{.*}} : memref<?xf32>, vector<2xf32>
// CHECK: return
// VECTORS-LABEL: func.func @take
// VECTORS-NOT: arith.shli
// VECTORS: %[[ALL:.*]] = vector.from_elements %{{.*}} : vector<16xf32>
// VECTORS: vector.store %[[ALL]], %arg2
// VECTORS: return
func.func @take(%table: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
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
