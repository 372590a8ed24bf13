// What is at coordinates fits into the caches, what is read in order next to it does not.
// RUN: gs-opt %s --gs-prefetch="target=generic:read-ahead=2048:far-bytes=1048576:memory-bytes=1048576" --canonicalize --cse | filecheck %s

// Rows: each iteration goes through a line of what is in order.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %[[TABLE:.*]]: memref<100x16xf32>, %[[IDS:.*]]: memref<50000xi32>, %[[ROWS:[a-z0-9]*]]: memref
// CHECK: scf.for %[[I:.*]] = %c0
// CHECK-NOT: memref.prefetch %[[IDS]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c32
// CHECK: memref.prefetch %[[ROWS]][%[[NEXT]], %c0], read
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @rows(%table: memref<100x16xf32>, %ids: memref<50000xi32>, %rows: memref<50000x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 50000 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<50000xi32>
    %at = arith.index_cast %id : i32 to index
    %x = vector.load %rows[%i, %c0] : memref<50000x16xf32>, vector<16xf32>
    vector.store %x, %table[%at, %c0] : memref<100x16xf32>, vector<16xf32>
  }
  return
}

// Elements: a line comes for many iterations.
// CHECK-LABEL: func.func @elements
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @elements(%table: memref<100xf32>, %ids: memref<500000xi32>, %all: memref<500000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 500000 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<500000xi32>
    %at = arith.index_cast %id : i32 to index
    %x = memref.load %all[%i] : memref<500000xf32>
    memref.store %x, %table[%at] : memref<100xf32>
  }
  return
}

// Without coordinates the hardware sees what is in order.
// CHECK-LABEL: func.func @copy
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @copy(%out: memref<16xf32>, %rows: memref<50000x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 50000 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = vector.load %rows[%i, %c0] : memref<50000x16xf32>, vector<16xf32>
    vector.store %x, %out[%c0] : memref<16xf32>, vector<16xf32>
  }
  return
}

// Rows in order are as far ahead as rows at coordinates.
// CHECK-LABEL: func.func @wide_rows
// CHECK-SAME: %[[TABLE:.*]]: memref<100x64xf32>, %[[IDS:.*]]: memref<50000xi32>, %[[ROWS:[a-z0-9]*]]: memref
// CHECK: scf.for %[[I:.*]] = %c0
// CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c32
// CHECK: memref.prefetch %[[ROWS]][%[[NEXT]], %c0], read
func.func @wide_rows(%table: memref<100x64xf32>, %ids: memref<50000xi32>, %rows: memref<50000x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 50000 : index
  scf.for %i = %c0 to %n step %c1 {
    %id = memref.load %ids[%i] : memref<50000xi32>
    %at = arith.index_cast %id : i32 to index
    %x = vector.load %rows[%i, %c0] : memref<50000x64xf32>, vector<64xf32>
    vector.store %x, %table[%at, %c0] : memref<100x64xf32>, vector<64xf32>
  }
  return
}
