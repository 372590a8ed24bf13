// RUN: gs-opt %s --gs-bufferize | filecheck %s --check-prefixes=BOTH,IDENTITY
// RUN: gs-opt %s --gs-bufferize="layout=dynamic" | filecheck %s --check-prefixes=BOTH,DYNAMIC
// RUN: not gs-opt %s --gs-bufferize="layout=strided" 2>&1 | filecheck %s --check-prefix=WRONG

// WRONG: layout

// What function arguments look like, and that only gs.generic on tensors changes.

// BOTH-LABEL: func.func @layout
// IDENTITY-SAME: memref<?x8xf32>, %{{.*}}: memref<5xi32>)
// DYNAMIC-SAME: memref<?x8xf32, strided<[?, ?], offset: ?>>, %{{.*}}: memref<5xi32, strided<[?], offset: ?>>)
// BOTH: gs.generic (
// IDENTITY: (memref<?x8xf32>, memref<5xi32>, memref<5x8xf32>) -> ()
// DYNAMIC: (memref<?x8xf32, strided<[?, ?], offset: ?>>, memref<5xi32, strided<[?], offset: ?>>, memref<5x8xf32>) -> ()
func.func @layout(%source: tensor<?x8xf32>, %indices: tensor<5xi32>) -> tensor<5x8xf32> {
  %empty = tensor.empty() : tensor<5x8xf32>
  %0 = gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%source[s0, d1]) outs(%empty[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (tensor<?x8xf32>, tensor<5xi32>, tensor<5x8xf32>) -> tensor<5x8xf32> {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return %0 : tensor<5x8xf32>
}

// Attributes of the op ride through.
// BOTH-LABEL: func.func @attributes
// BOTH: [s0 = %{{.*}}[d0] mode(fill_or_drop) wrap_negative] ins(%{{.*}}[s0] fill(1.000000e+00 : f32))
// BOTH-SAME: iterators(d0 = parallel) unique sorted :
func.func @attributes(%source: tensor<9xf32>, %indices: tensor<5xi32>) -> tensor<5xf32> {
  %empty = tensor.empty() : tensor<5xf32>
  %0 = gs.generic (d0) [s0 = %indices[d0] mode(fill_or_drop) wrap_negative]
      ins(%source[s0] fill(1.0 : f32)) outs(%empty[d0]) iterators(d0 = parallel) unique sorted
      : (tensor<9xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return %0 : tensor<5xf32>
}

// Two outputs, one overwritten and one read.
// BOTH-LABEL: func.func @two_outputs
// BOTH: memref.copy
// BOTH-NOT: memref.copy
// BOTH: gs.generic {{.*}} outs(%{{.*}}[d0], %{{.*}}[d0])
// BOTH-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32, %[[SUM:.*]]: f32):
// BOTH-NEXT: %[[NEW:.*]] = arith.addf %[[SUM]], %[[X]]
// BOTH-NEXT: gs.yield %[[X]], %[[NEW]]
func.func @two_outputs(%x: tensor<5xf32>, %sums: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %empty = tensor.empty() : tensor<5xf32>
  %0:2 = gs.generic (d0) ins(%x[d0]) outs(%empty[d0], %sums[d0]) iterators(d0 = parallel)
      : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  ^bb0(%xe: f32, %current: f32, %sum: f32):
    %new = arith.addf %sum, %xe : f32
    gs.yield %xe, %new : f32, f32
  }
  return %0#0, %0#1 : tensor<5xf32>, tensor<5xf32>
}

// On memrefs already: nothing changes, nor does a linalg.generic of someone else.
// BOTH-LABEL: func.func @on_memrefs
// BOTH-NEXT: gs.generic {{.*}} outs(%{{.*}}[
// BOTH: linalg.generic
// BOTH-NEXT: ^bb0
// BOTH-NEXT: arith.negf
func.func @on_memrefs(%m: memref<4xf32>) {
  gs.generic (d0) outs(%m[d0]) iterators(d0 = parallel) : (memref<4xf32>) -> () {
  ^bb0(%current: f32):
    gs.yield %current : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%m : memref<4xf32>) {
  ^bb0(%x: f32):
    %n = arith.negf %x : f32
    linalg.yield %n : f32
  }
  return
}
