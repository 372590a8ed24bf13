// Hardware gathers read elements of what a cache near the core holds; of the rest loads one by one do,
// which has LLVM not see that it could gather there as well.
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:gathered-bytes=98304:gathered-fill-bytes=4194304" --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:gathered-fill-bytes=4194304" --canonicalize --cse | filecheck %s --check-prefix=FILL
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf="target=generic:gathered-bytes=98304:gathered-fill-bytes=4194304" --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=TOLD

// TOLD: runs: input #0 by hardware gathers where a cache near the core holds them
// TOLD: runs: input #0 by hardware gathers{{$}}
// TOLD: input #0 by elements

// A size that is not known: one comparison before the loop.
// CHECK-LABEL: func.func @unknown
// CHECK: %[[NEAR:.*]] = arith.cmpi sle, %{{.*}}, %c98304
// CHECK: scf.for
// CHECK: scf.if %[[NEAR]] -> (vector<16xf32>) {
// CHECK: vector.gather %arg0
// CHECK: } else {
// CHECK: %[[PLACE:.*]] = llvm.inline_asm "", "=r,0" %{{.*}} : (i64) -> i64
// CHECK: %[[AT:.*]] = arith.index_cast %[[PLACE]] : i64 to index
// CHECK: memref.load %arg0[%[[AT]]]
// CHECK: vector.from_elements
// CHECK: return
// FILL-LABEL: func.func @unknown
// FILL-NOT: vector.gather
// FILL: return
func.func @unknown(%table: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @small
// CHECK-NOT: llvm.inline_asm
// CHECK: vector.gather %arg0
// CHECK-NOT: llvm.inline_asm
// CHECK: return
func.func @small(%table: memref<24576xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<24576xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// CHECK-LABEL: func.func @large
// CHECK-NOT: vector.gather
// CHECK: return
func.func @large(%table: memref<24577xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0]] ins(%table[s0]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<24577xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}

// -----

// Under fill up to another size: from there on each element has a branch.
// CHECK-LABEL: func.func @fill
// CHECK: %[[NEAR:.*]] = arith.cmpi sle, %{{.*}}, %c4194304
// CHECK: scf.if %[[NEAR]] -> (vector<16xf32>) {
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK: vector.gather %arg0[%c0] {{\[}}%{{.*}}{{\]}}, %[[INSIDE]]
// CHECK: } else {
// CHECK: scf.if %{{.*}} -> (f32) {
// CHECK: return
// FILL-LABEL: func.func @fill
// FILL: vector.gather
// FILL: return
func.func @fill(%table: memref<?xf32>, %places: memref<?xi64>, %out: memref<?xf32>) {
  gs.generic (d0) [s0 = %places[d0] mode(fill_or_drop)]
      ins(%table[s0] fill(7.0 : f32)) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<?xf32>, memref<?xi64>, memref<?xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
