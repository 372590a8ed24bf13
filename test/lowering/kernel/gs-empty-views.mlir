// RUN: gs-opt %s --gs-empty-views | filecheck %s
// RUN: gs-opt %s --gs-empty-views --fold-memref-alias-ops -o /dev/null

// Upstream divides the constant index of the load by the size 0.

// CHECK-LABEL: func.func @load
// CHECK: %[[R:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%{{.*}}], sizes: [%{{.*}}, 3], strides: [3, 1]
// CHECK: memref.load %[[R]]
func.func @load(%m: memref<?x0x3xf32, strided<[?, 3, 1], offset: ?>>) -> f32 {
  %c1 = arith.constant 1 : index
  %v = memref.collapse_shape %m [[0, 1], [2]]
      : memref<?x0x3xf32, strided<[?, 3, 1], offset: ?>> into memref<?x3xf32, strided<[3, 1], offset: ?>>
  %r = memref.load %v[%c1, %c1] : memref<?x3xf32, strided<[3, 1], offset: ?>>
  return %r : f32
}

// CHECK-LABEL: func.func @static
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [0], strides: [1] : memref<2x0xf32> to memref<0xf32>
func.func @static(%m: memref<2x0xf32>) -> memref<0xf32> {
  %v = memref.collapse_shape %m [[0, 1]] : memref<2x0xf32> into memref<0xf32>
  return %v : memref<0xf32>
}

// CHECK-LABEL: func.func @others
// CHECK: memref.collapse_shape
func.func @others(%m: memref<2x?xf32>) -> memref<?xf32> {
  %v = memref.collapse_shape %m [[0, 1]] : memref<2x?xf32> into memref<?xf32>
  return %v : memref<?xf32>
}
