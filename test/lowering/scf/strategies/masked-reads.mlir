// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --canonicalize --cse | filecheck %s
// RUN: gs-opt %s --split-input-file --convert-gs-to-scf --gs-explain -o /dev/null 2>&1 | filecheck %s --check-prefix=TOLD

// TOLD: runs: input #0 without a branch: what is out of bounds reads the first element, and takes the fill
// TOLD: runs: d0 in vectors of 8: outputs step by one element along it; input #0 by elements, each has a coordinate of its own{{$}}
// TOLD: runs: element by element, where there is nothing to read
// TOLD-NOT: nothing to read
// TOLD: runs: input #0 without a branch: what is out of bounds reads the first element, and takes the fill
// TOLD: runs: d0 in vectors of 64:
// TOLD-NOT: nothing to read
// TOLD: runs: d1 in vectors of 16: outputs step by one element along it{{$}}
// TOLD-NOT: nothing to read

// A lane that is out of bounds reads the first element, and takes the fill; with an empty table
// each point has a branch.
// CHECK-LABEL: func.func @fill
// CHECK-SAME: (%[[TABLE:[a-z0-9]+]]: memref<?xf64>
// CHECK-DAG: %[[FILL:.*]] = arith.constant 4619567317775286272 : i64
// CHECK: %[[SIZE:.*]] = memref.dim %[[TABLE]], %c0
// CHECK: %[[SOME:.*]] = arith.cmpi sge, %[[SIZE]], %c1
// CHECK: scf.if %[[SOME]] {
// CHECK: scf.for {{.*}} step %c8
// CHECK: %[[GIVEN:.*]] = llvm.inline_asm "", "=r,0" %{{.*}} : (i64) -> i64
// CHECK-NEXT: %[[PLACE:.*]] = arith.index_cast %[[GIVEN]] : i64 to index
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi ult, %[[PLACE]], %{{.*}} : index
// CHECK-NOT: scf.if
// CHECK: %[[READ:.*]] = arith.select %[[INSIDE]], %[[PLACE]], %c0 : index
// CHECK-NEXT: %[[ELEMENT:.*]] = memref.load %[[TABLE]][%[[READ]]]
// CHECK-NEXT: %[[BITS:.*]] = arith.bitcast %[[ELEMENT]] : f64 to i64
// CHECK-NEXT: %[[FOUND:.*]] = llvm.inline_asm "", "=r,0" %[[BITS]]
// CHECK-NEXT: %[[CHOSEN:.*]] = arith.select %[[INSIDE]], %[[FOUND]], %[[FILL]] : i64
// CHECK-NEXT: llvm.inline_asm "", "=r,0" %[[CHOSEN]]
// CHECK: } else {
// CHECK: scf.if %{{.*}} -> (f64)
// CHECK-NOT: inline_asm
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

// A table that is known to hold something needs no other loop; narrow elements are chosen between
// in registers of 4 bytes.
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: scf.if
// CHECK: %[[ELEMENT:.*]] = memref.load %arg0[{{.*}}] : memref<9x5xi8>
// CHECK-NEXT: arith.extui %[[ELEMENT]] : i8 to i32
// CHECK-NOT: scf.if
// CHECK: return
func.func @narrow(%table: memref<9x5xi8>, %places: memref<2x1000xi64>, %out: memref<1000xi8>) {
  gs.generic (d0) [s0 = %places[0, d0] mode(fill_or_drop), s1 = %places[1, d0] mode(fill_or_drop)]
      ins(%table[s0, s1]) outs(%out[d0]) iterators(d0 = parallel)
      : (memref<9x5xi8>, memref<2x1000xi64>, memref<1000xi8>) -> () {
  ^bb0(%x: i8, %current: i8):
    gs.yield %x : i8
  }
  return
}

// -----

// A row that is out of bounds as a whole has one branch.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: inline_asm
// CHECK: return
func.func @rows(%table: memref<?x64xf32>, %places: memref<?xi64>, %out: memref<?x64xf32>) {
  gs.generic (d0, d1) [s0 = %places[d0] mode(fill_or_drop)]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<?x64xf32>, memref<?xi64>, memref<?x64xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}
