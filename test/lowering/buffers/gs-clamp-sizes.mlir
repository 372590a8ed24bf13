// RUN: gs-opt %s --gs-clamp-sizes | filecheck %s

// CHECK-LABEL: func.func @f
// CHECK: %[[MOST:.*]] = arith.maxsi %[[N:.*]], %{{.*}}
// CHECK: memref.alloc(%[[MOST]]) : memref<?xf32>
// CHECK: memref.alloc(%{{.*}}) : memref<?xi32>
// CHECK: memref.alloc() : memref<4xf32>
// CHECK: memref.alloc(%[[N]]) : memref<?xf64>
func.func @f(%n: index, %x: memref<?xf32>, %y: memref<f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%d) : memref<?xi32>
  %e = memref.alloc() : memref<4xf32>
  // Not only in the loop.
  %f = memref.alloc(%n) : memref<?xf64>
  %u = memref.load %f[%c0] : memref<?xf64>
  memref.store %u, %y[] : memref<f64>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %e[%i] : memref<4xf32>
    %w = memref.load %b[%i] : memref<?xi32>
    memref.store %w, %b[%c0] : memref<?xi32>
    %z = memref.load %f[%i] : memref<?xf64>
    memref.store %z, %y[] : memref<f64>
  }
  return
}
