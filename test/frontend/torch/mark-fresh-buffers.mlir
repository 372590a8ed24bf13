// RUN: gs-opt %s --mark-fresh-buffers | filecheck %s

// The tensor is read after the loop has written the buffer.

// CHECK-LABEL: func.func @written_in_a_loop
// CHECK: %[[B:.*]] = memref.alloc
// CHECK-NEXT: scf.for
// CHECK: memref.store
// CHECK: bufferization.to_tensor %[[B]] restrict
func.func @written_in_a_loop(%x: memref<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %b = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %b : memref<4xf32> to tensor<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %x[%i] : memref<4xf32>
    memref.store %v, %b[%i] : memref<4xf32>
  }
  return %t : tensor<4xf32>
}

// CHECK-LABEL: func.func @read_in_between
// CHECK: bufferization.to_tensor
// CHECK: tensor.extract
// CHECK: memref.store
func.func @read_in_between(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %b : memref<4xf32> to tensor<4xf32>
  %r = tensor.extract %t[%c0] : tensor<4xf32>
  memref.store %v, %b[%c0] : memref<4xf32>
  return %r : f32
}
