// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:gather-bytes=1152921504606846976" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s --check-prefix=ALONE
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:gathered-fill-bytes=1152921504606846976" --canonicalize --cse | filecheck %s --check-prefix=FILL
// RUN: not gs-opt %s --convert-gs-to-scf="target=generic:gather-bytes=some" 2>&1 | filecheck %s --check-prefix=WRONG

// WRONG: option 'gather-bytes': expected int, found 'some'
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:gather-bytes=1152921504606846976" --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=TOLD

// TOLD: runs: input #0 by hardware gathers{{$}}
// TOLD: runs: d0 in vectors of 16: outputs step by one element along it{{$}}
// TOLD: runs: input #0 by hardware gathers{{$}}
// TOLD: runs: d0 in vectors of 8: outputs step by one element along it{{$}}
// TOLD: runs: d0 in vectors of 64: outputs step by one element along it; input #0 by elements

// Coordinates as they are in memory.
// ALONE-NOT: vector.gather
// FILL-LABEL: func.func @take
// FILL-NOT: vector.gather
// FILL: return
// CHECK-LABEL: func.func @take
// CHECK-DAG: %[[ALL:.*]] = arith.constant dense<true> : vector<16xi1>
// CHECK: %[[PLACES:.*]] = vector.load %arg1{{.*}} : memref<?xi32>, vector<16xi32>
// CHECK-NEXT: %[[FOUND:.*]] = vector.gather %arg0[%c0] {{\[}}%[[PLACES]]{{\]}}, %[[ALL]], %{{.*}} : memref<?xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
// CHECK-NEXT: scf.if
// CHECK-NEXT: vector.store %[[FOUND]], %arg2{{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK: return
func.func @take(%table: memref<?xf32>, %places: memref<?xi32>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<?xf32>, memref<?xi32>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// Lanes out of bounds are masked, and read the fill; no point has a branch.
// Some cores gain by gathers there alone.
// FILL-LABEL: func.func @fill
// FILL: vector.gather
// CHECK-LABEL: func.func @fill
// CHECK: %[[REST:.*]] = arith.constant dense<7.000000e+00> : vector<8xf64>
// CHECK: %[[PLACES:.*]] = vector.load %arg1
// CHECK: %[[INDICES:.*]] = arith.index_cast %[[PLACES]] : vector<8xi64> to vector<8xindex>
// CHECK: %[[ROOM:.*]] = vector.broadcast %{{.*}} : index to vector<8xindex>
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[INDICES]], %[[ROOM]]
// CHECK: vector.gather %arg0[%c0] {{\[}}%[[INDICES]]{{\]}}, %[[INSIDE]], %[[REST]]
// CHECK: return
func.func @fill(%table: memref<?xf64>, %places: memref<?xi64>, %out: memref<?xf64>) {
  gs.generic (d0) [s0 = %places[d0] mode(fill_or_drop)]
      ins(%table[s0] fill(7.000000e+00)) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<?xf64>, memref<?xi64>, memref<?xf64>) -> () {
  ^bb0(%x: f64, %current: f64):
    gs.yield %x : f64
  }
  return
}

// -----

// Rows of their own for neighbours: places in memory are computed, from the first element on.
// CHECK-LABEL: func.func @columns
// CHECK: vector.step : vector<16xindex>
// CHECK: %[[FLAT:.*]] = memref.reinterpret_cast
// CHECK: vector.gather %[[FLAT]]{{.*}}vector<16xindex>
// CHECK: return
func.func @columns(%table: memref<?x100xf32>, %places: memref<?x100xi64>, %out: memref<?x100xf32>) {
  gs.generic (d0, d1) [s0 = %places[d0, d1]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<?x100xf32>, memref<?x100xi64>, memref<?x100xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// What x86 does not gather.
// CHECK-LABEL: func.func @bytes
// CHECK-NOT: vector.gather
// CHECK: return
func.func @bytes(%table: memref<?xi8>, %places: memref<?xi32>, %out: memref<?xi8>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<?xi8>, memref<?xi32>, memref<?xi8>) -> () {
  ^bb0(%x: i8, %current: i8):
    gs.yield %x : i8
  }
  return
}
