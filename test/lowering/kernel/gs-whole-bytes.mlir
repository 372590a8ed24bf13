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

// CHECK-LABEL: func.func @bit
// CHECK: %[[BYTES:.*]] = builtin.unrealized_conversion_cast %arg0 : memref<?xi1> to memref<?xi8>
// CHECK: %[[WHOLE:.*]] = memref.load %[[BYTES]][%arg1] : memref<?xi8>
// CHECK: arith.trunci %[[WHOLE]] : i8 to i1
// CHECK: %[[WIDE:.*]] = arith.extui %{{.*}} : i1 to i8
// CHECK: memref.store %[[WIDE]], %{{.*}}[%arg2] : memref<?xi8>
func.func @bit(%m: memref<?xi1>, %i: index, %j: index) {
  %v = memref.load %m[%i] : memref<?xi1>
  memref.store %v, %m[%j] : memref<?xi1>
  return
}

// What has no element of whole bytes in a vector stays where it is alone.
// CHECK-LABEL: func.func @wide
// CHECK-NEXT: memref.load %arg0[%arg2] : memref<?xi65>
// CHECK-NEXT: memref.load %arg1[%arg2] : memref<?xcomplex<f32>>
func.func @wide(%m: memref<?xi65>, %c: memref<?xcomplex<f32>>, %i: index) -> (i65, complex<f32>) {
  %v = memref.load %m[%i] : memref<?xi65>
  %w = memref.load %c[%i] : memref<?xcomplex<f32>>
  return %v, %w : i65, complex<f32>
}
