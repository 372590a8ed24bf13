// RUN: gs-opt %s --gs-bufferize | filecheck %s --check-prefixes=BOTH,IDENTITY
// RUN: gs-opt %s --gs-bufferize="layout=dynamic" | filecheck %s --check-prefixes=BOTH,DYNAMIC
// RUN: not gs-opt %s --gs-bufferize="layout=strided" 2>&1 | filecheck %s --check-prefix=WRONG

// WRONG: layout

// What function arguments look like, and that only gs.generic on tensors changes.

// BOTH-LABEL: func.func @layout
// IDENTITY-SAME: memref<?x8xf32>, %{{.*}}: memref<5xi32>)
// DYNAMIC-SAME: memref<?x8xf32, strided<[?, ?], offset: ?>>, %{{.*}}: memref<5xi32, strided<[?], offset: ?>>)
// BOTH: "gs.generic"
// IDENTITY: (memref<?x8xf32>, memref<5xi32>, memref<5x8xf32>) -> ()
// DYNAMIC: (memref<?x8xf32, strided<[?, ?], offset: ?>>, memref<5xi32, strided<[?], offset: ?>>, memref<5x8xf32>) -> ()
func.func @layout(%source: tensor<?x8xf32>, %indices: tensor<5xi32>) -> tensor<5x8xf32> {
  %empty = tensor.empty() : tensor<5x8xf32>
  %0 = "gs.generic"(%source, %indices, %empty) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0, d1)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0, d1)[s0] -> (s0, d1)>, affine_map<(d0, d1)[s0] -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<?x8xf32>, tensor<5xi32>, tensor<5x8xf32>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// Attributes of the op ride through.
// BOTH-LABEL: func.func @attributes
// BOTH: fill_values = [1.000000e+00 : f32]
// BOTH-SAME: iterator_types = ["parallel"], modes = ["fill_or_drop"]
// BOTH-SAME: sorted, unique, wrap_negative = array<i1: true>
func.func @attributes(%source: tensor<9xf32>, %indices: tensor<5xi32>) -> tensor<5xf32> {
  %empty = tensor.empty() : tensor<5xf32>
  %0 = "gs.generic"(%source, %indices, %empty) ({
  ^bb0(%x: f32, %current: f32):
    "gs.yield"(%x) : (f32) -> ()
  }) {coordinate_maps = [[affine_map<(d0)[s0] -> (d0)>]],
      indexing_maps = [affine_map<(d0)[s0] -> (s0)>, affine_map<(d0)[s0] -> (d0)>],
      iterator_types = ["parallel"], modes = ["fill_or_drop"], fill_values = [1.0 : f32],
      sorted, unique, wrap_negative = array<i1: true>,
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 1, 0, 0, 0>}
      : (tensor<9xf32>, tensor<5xi32>, tensor<5xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// Two outputs, one overwritten and one read.
// BOTH-LABEL: func.func @two_outputs
// BOTH: memref.copy
// BOTH-NOT: memref.copy
// BOTH: "gs.generic"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// BOTH-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32, %[[SUM:.*]]: f32):
// BOTH-NEXT: %[[NEW:.*]] = arith.addf %[[SUM]], %[[X]]
// BOTH-NEXT: "gs.yield"(%[[X]], %[[NEW]])
func.func @two_outputs(%x: tensor<5xf32>, %sums: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %empty = tensor.empty() : tensor<5xf32>
  %0:2 = "gs.generic"(%x, %empty, %sums) ({
  ^bb0(%xe: f32, %current: f32, %sum: f32):
    %new = arith.addf %sum, %xe : f32
    "gs.yield"(%xe, %new) : (f32, f32) -> ()
  }) {coordinate_maps = [],
      indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>,
      resultSegmentSizes = array<i32: 1, 1, 0, 0>}
      : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>)
  return %0#0, %0#1 : tensor<5xf32>, tensor<5xf32>
}

// On memrefs already: nothing changes, nor does a linalg.generic of someone else.
// BOTH-LABEL: func.func @on_memrefs
// BOTH-NEXT: "gs.generic"(%{{.*}}) ({
// BOTH: linalg.generic
// BOTH-NEXT: ^bb0
// BOTH-NEXT: arith.negf
func.func @on_memrefs(%m: memref<4xf32>) {
  "gs.generic"(%m) ({
  ^bb0(%current: f32):
    "gs.yield"(%current) : (f32) -> ()
  }) {coordinate_maps = [], indexing_maps = [affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>} : (memref<4xf32>) -> ()
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%m : memref<4xf32>) {
  ^bb0(%x: f32):
    %n = arith.negf %x : f32
    linalg.yield %n : f32
  }
  return
}
