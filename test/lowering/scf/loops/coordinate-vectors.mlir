// Coordinates that are wrapped or clipped, 16 at once, before elements are read there one by one.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s

// CHECK-LABEL: func.func @clip
// CHECK: scf.for
// CHECK: %[[GIVEN:.*]] = vector.load %arg1[%{{.*}}] : memref<512xi64>, vector<16xi64>
// CHECK: %[[POSITIONS:.*]] = arith.index_cast %[[GIVEN]] : vector<16xi64> to vector<16xindex>
// CHECK: %[[BELOW:.*]] = arith.minsi %[[POSITIONS]], %{{.*}} : vector<16xindex>
// CHECK: %[[CLIPPED:.*]] = arith.maxsi %[[BELOW]], %{{.*}} : vector<16xindex>
// CHECK: %[[FIRST:.*]] = vector.extract %[[CLIPPED]][0]
// CHECK: memref.load %arg0[%[[FIRST]]]
// CHECK: vector.extract %[[CLIPPED]][15]
// CHECK: return
func.func @clip(%table: memref<1000xf32>, %places: memref<512xi64>, %out: memref<512xf32>) {
  gs.generic (d0) [s0 = %places[d0] mode(clip)]
      ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<1000xf32>, memref<512xi64>, memref<512xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @wrap
// CHECK: %[[GIVEN:.*]] = vector.load %arg1[%{{.*}}] : memref<512xi32>, vector<16xi32>
// CHECK: %[[POSITIONS:.*]] = arith.index_cast %[[GIVEN]] : vector<16xi32> to vector<16xindex>
// CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[POSITIONS]]
// CHECK: %[[MOVED:.*]] = arith.addi %[[POSITIONS]]
// CHECK: %[[WRAPPED:.*]] = arith.select %[[NEGATIVE]], %[[MOVED]], %[[POSITIONS]]
// CHECK: vector.extract %[[WRAPPED]][0]
// CHECK: return
func.func @wrap(%table: memref<1000xf32>, %places: memref<512xi32>, %out: memref<512xf32>) {
  gs.generic (d0) [s0 = %places[d0] wrap_negative]
      ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<1000xf32>, memref<512xi32>, memref<512xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// Bytes at coordinates of 8: one by one.
// CHECK-LABEL: func.func @bytes
// CHECK-NOT: vector<{{.*}}xindex>
// CHECK: return
func.func @bytes(%table: memref<1000xi8>, %places: memref<512xi64>, %out: memref<512xi8>) {
  gs.generic (d0) [s0 = %places[d0] mode(clip)]
      ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<1000xi8>, memref<512xi64>, memref<512xi8>) -> () {
  ^bb0(%x: i8, %current: i8):
    gs.yield %x : i8
  }
  return
}

// -----

// Unsigned ones as well.
// CHECK-LABEL: func.func @unsigned
// CHECK-NOT: vector<{{.*}}xindex>
// CHECK: return
func.func @unsigned(%table: memref<1000xf32>, %places: memref<512xui64>, %out: memref<512xf32>) {
  gs.generic (d0) [s0 = %places[d0] mode(clip)]
      ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<1000xf32>, memref<512xui64>, memref<512xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// And those of less than a byte, which lie in bytes of their own.
// CHECK-LABEL: func.func @bits
// CHECK-NOT: vector<{{.*}}xindex>
// CHECK: return
func.func @bits(%table: memref<1000xf32>, %places: memref<512xi4>, %out: memref<512xf32>) {
  gs.generic (d0) [s0 = %places[d0] mode(clip)]
      ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<1000xf32>, memref<512xi4>, memref<512xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
