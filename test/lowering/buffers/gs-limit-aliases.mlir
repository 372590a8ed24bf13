// RUN: gs-opt %s --gs-limit-aliases="most=2" --split-input-file | filecheck %s
// RUN: gs-opt %s --gs-limit-aliases="most=2 arguments=false" --split-input-file | filecheck %s --check-prefix=ARGUMENTS
// RUN: gs-opt %s --gs-limit-aliases="most=2" --gs-bufferize --split-input-file | filecheck %s --check-prefix=BUFFERS
// RUN: gs-opt %s --gs-limit-aliases="most=1" --split-input-file | filecheck %s --check-prefix=ONE

// CHECK-LABEL: func.func @chain
// CHECK: linalg.add
// CHECK-NEXT: %[[B:.*]] = linalg.add
// CHECK-NEXT: %[[M:.*]] = bufferization.to_buffer %[[B]] : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT: %[[T:.*]] = bufferization.to_tensor %[[M]] restrict writable : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT: linalg.add ins(%[[T]], %{{.*}} : {{.*}}) outs(%[[T]] : {{.*}})
// CHECK-NEXT: return
// ARGUMENTS-LABEL: func.func @chain
// ARGUMENTS-NOT: bufferization.to_
// In place, with nothing left of the cut.
// BUFFERS-LABEL: func.func @chain
// BUFFERS-SAME: (%[[X:[a-z0-9]+]]: memref<?xf32>,
// BUFFERS-NOT: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS-COUNT-3: outs(%[[X]] : memref<?xf32>)
// BUFFERS: return %[[X]]
func.func @chain(%x: tensor<?xf32> {bufferization.writable = true}, %y: tensor<?xf32>) -> tensor<?xf32> {
  %a = linalg.add ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  %b = linalg.add ins(%a, %y : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %c = linalg.add ins(%b, %y : tensor<?xf32>, tensor<?xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return %c : tensor<?xf32>
}

// -----

// What may have the same buffer is used later, as it is or as a view.
// CHECK-LABEL: func.func @chain_not
// CHECK-NOT: bufferization.to_
// BUFFERS-LABEL: func.func @chain_not
func.func @chain_not(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4xf32>) {
  %a = linalg.add ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.add ins(%a, %y : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.add ins(%b, %y : tensor<8xf32>, tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.extract_slice %a[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %t = linalg.add ins(%s, %s : tensor<4xf32>, tensor<4xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %u = linalg.add ins(%t, %s : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  return %c, %x, %u : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @empty
// CHECK: %[[E:.*]] = tensor.empty
// CHECK-COUNT-2: outs(%[[E]] :
// CHECK: %[[F:.*]] = tensor.empty
// CHECK-NEXT: outs(%[[F]] :
// BUFFERS-LABEL: func.func @empty
func.func @empty(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.log ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = linalg.abs ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %a, %b, %c : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @in_loop
// CHECK-NOT: bufferization.to_
// BUFFERS-LABEL: func.func @in_loop
func.func @in_loop(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %k = %zero to %n step %one iter_args(%y = %x) -> tensor<8xf32> {
    %a = linalg.add ins(%y, %y : tensor<8xf32>, tensor<8xf32>) outs(%y : tensor<8xf32>) -> tensor<8xf32>
    %b = linalg.add ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    %c = linalg.add ins(%b, %b : tensor<8xf32>, tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %c : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

// Fills that share a tensor.empty, or a view of one, do so among few, too.
// CHECK-LABEL: func.func @fills
// CHECK: %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[V:.*]] = tensor.expand_shape %[[E]]
// CHECK: %[[F:.*]] = linalg.fill {{.*}} outs(%[[V]]
// CHECK: outs(%[[F]]
// CHECK: outs(%[[F]]
// CHECK: %[[E2:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[V2:.*]] = tensor.expand_shape %[[E2]]
// CHECK: %[[F2:.*]] = linalg.fill {{.*}} outs(%[[V2]]
// CHECK: outs(%[[F2]]
// Of one each, all ops have one of their own.
// ONE-LABEL: func.func @fills
// ONE-COUNT-3: tensor.empty() : tensor<4xf32>
func.func @fills(%x: tensor<4x1xf32>, %z: f32)
    -> (tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %v = tensor.expand_shape %e [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %f = linalg.fill ins(%z : f32) outs(%v : tensor<4x1xf32>) -> tensor<4x1xf32>
  %a = linalg.exp ins(%x : tensor<4x1xf32>) outs(%f : tensor<4x1xf32>) -> tensor<4x1xf32>
  %b = linalg.exp ins(%a : tensor<4x1xf32>) outs(%f : tensor<4x1xf32>) -> tensor<4x1xf32>
  %c = linalg.exp ins(%b : tensor<4x1xf32>) outs(%f : tensor<4x1xf32>) -> tensor<4x1xf32>
  return %a, %b, %c : tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>
}
