// RUN: gs-opt %s --gs-whole-bytes | FileCheck %s

// CHECK-LABEL: func.func @bits
// CHECK: %[[BYTES:.*]] = builtin.unrealized_conversion_cast %arg0 : memref<?xi1> to memref<?xi8>
// CHECK: %[[WHOLE:.*]] = vector.load %[[BYTES]][%arg1] : memref<?xi8>, vector<8xi8>
// CHECK: arith.trunci %[[WHOLE]] : vector<8xi8> to vector<8xi1>
func.func @bits(%m: memref<?xi1>, %i: index) -> vector<8xi1> {
  %v = vector.load %m[%i] : memref<?xi1>, vector<8xi1>
  return %v : vector<8xi1>
}

// CHECK-LABEL: func.func @bytes
// CHECK-NEXT: vector.load %arg0[%arg1] : memref<?xi8>, vector<8xi8>
func.func @bytes(%m: memref<?xi8>, %i: index) -> vector<8xi8> {
  %v = vector.load %m[%i] : memref<?xi8>, vector<8xi8>
  return %v : vector<8xi8>
}
