// RUN: gs-opt %s --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:pack-words=false" --canonicalize --cse | filecheck %s --check-prefix=VECTORS
// RUN: gs-opt %s --convert-gs-to-scf="target=generic:pack-words=false" --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=TOLD

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
  gs.generic (d0) [s0 = %places[d0]] ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
