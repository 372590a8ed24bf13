// RUN: gs-opt %s --gs-generalize --mlir-print-local-scope | filecheck %s

// gs.gather_elements and gs.scatter_elements: one coordinate per point, in the place of `dim`.

// CHECK-LABEL: func.func @gather_elements
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<3x4x5xf32>, %[[INDICES:.*]]: tensor<3x2x4xi64>)
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<3x2x4xf32>
// CHECK: gs.generic (d0, d1, d2) [s0 = %[[INDICES]][d0, d1, d2]] ins(%[[SOURCE]][d0, s0, d2]) outs(%[[EMPTY]][d0, d1, d2]) iterators(d0 = parallel, d1 = parallel, d2 = parallel)
// CHECK-NEXT: ^bb0(%[[ELEMENT:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: gs.yield %[[ELEMENT]]
func.func @gather_elements(%source: tensor<3x4x5xf32>, %indices: tensor<3x2x4xi64>)
    -> tensor<3x2x4xf32> {
  %0 = gs.gather_elements %source[%indices] dim(1)
      : (tensor<3x4x5xf32>, tensor<3x2x4xi64>) -> tensor<3x2x4xf32>
  return %0 : tensor<3x2x4xf32>
}

// All sizes are those of indices, of which those off dim are asserted to fit.
// CHECK-LABEL: func.func @gather_elements_dynamic
// CHECK-SAME: %[[SOURCE:[^:]*]]: tensor<?x?xf32>, %[[INDICES:[^:]*]]: tensor<?x?xi32>)
// CHECK-DAG: %[[GIVEN:.*]] = tensor.dim %[[SOURCE]], %c1
// CHECK-DAG: %[[ASKED:.*]] = tensor.dim %[[INDICES]], %c1
// CHECK: %[[FIT:.*]] = arith.cmpi sge, %[[GIVEN]], %[[ASKED]]
// CHECK: cf.assert %[[FIT]], "{{.*}}'gs.gather_elements' op, size of dimension 1 of 'source' must be at least that of dimension 1 of 'indices'"
// CHECK-DAG: %[[ROWS:.*]] = tensor.dim %[[INDICES]], %c0
// CHECK-DAG: %[[COLUMNS:.*]] = tensor.dim %[[INDICES]], %c1
// CHECK: tensor.empty(%[[ROWS]], %[[COLUMNS]])
func.func @gather_elements_dynamic(%source: tensor<?x?xf32>, %indices: tensor<?x?xi32>)
    -> tensor<?x?xf32> {
  %0 = gs.gather_elements %source[%indices] dim(0)
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @gather_elements_attributes
// CHECK: mode(clip) wrap_negative]
// CHECK-SAME: unique sorted {
// CHECK: mode(fill_or_drop)] ins(%{{.*}}[s0] fill(7 : ui8))
// CHECK: mode(error)]
func.func @gather_elements_attributes(%source: tensor<9xui8>, %i: tensor<4xi16>) {
  %0 = gs.gather_elements %source[%i] dim(0) unique sorted mode(clip) wrap_negative
      : (tensor<9xui8>, tensor<4xi16>) -> tensor<4xui8>
  %1 = gs.gather_elements %source[%i] dim(0) mode(fill) fill_value(7 : ui8)
      : (tensor<9xui8>, tensor<4xi16>) -> tensor<4xui8>
  %2 = gs.gather_elements %source[%i] dim(0) mode(error)
      : (tensor<9xui8>, tensor<4xi16>) -> tensor<4xui8>
  return
}

// Elements that differ in another dim than `dim` lie apart: only `dim` is ordered.
// CHECK-LABEL: func.func @scatter_elements
// CHECK-SAME: (%[[UPDATES:.*]]: tensor<8x9xi32>, %[[DEST:.*]]: tensor<8x4xi32>, %[[INDICES:.*]]: tensor<8x9xindex>)
// CHECK: gs.generic (d0, d1) [s0 = %[[INDICES]][d0, d1]] ins(%[[UPDATES]][d0, d1]) outs(%[[DEST]][d0, s0]) iterators(d0 = parallel, d1 = reduction)
// CHECK-NEXT: ^bb0(%[[UPDATE:.*]]: i32, %[[CURRENT:.*]]: i32):
// CHECK-NEXT: %[[NEW:.*]] = arith.subi %[[CURRENT]], %[[UPDATE]]
// CHECK-NEXT: gs.yield %[[NEW]]
func.func @scatter_elements(%updates: tensor<8x9xi32>, %dest: tensor<8x4xi32>,
    %indices: tensor<8x9xindex>) -> tensor<8x4xi32> {
  %0 = gs.scatter_elements %updates into %dest[%indices] dim(1)
      : (tensor<8x9xi32>, tensor<8x4xi32>, tensor<8x9xindex>) -> tensor<8x4xi32> {
  ^bb0(%current: i32, %update: i32):
    %new = arith.subi %current, %update : i32
    gs.yield %new : i32
  }
  return %0 : tensor<8x4xi32>
}

// CHECK-LABEL: func.func @scatter_elements_attributes
// CHECK: iterators(d0 = parallel) unique
// CHECK: mode(fill_or_drop)] {{.*}} iterators(d0 = reduction)
func.func @scatter_elements_attributes(%u: tensor<4xf32>, %d: tensor<9xf32>, %i: tensor<4xindex>)
    -> tensor<9xf32> {
  %0 = gs.scatter_elements %u into %d[%i] dim(0) unique
      : (tensor<4xf32>, tensor<9xf32>, tensor<4xindex>) -> tensor<9xf32>
  %1 = gs.scatter_elements %u into %0[%i] dim(0) mode(drop)
      : (tensor<4xf32>, tensor<9xf32>, tensor<4xindex>) -> tensor<9xf32>
  return %1 : tensor<9xf32>
}

// A negative stride starts at the end of its window: 0 + 4 - 1 = 3.
// CHECK-LABEL: func.func @strided_slice
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<2x2xf32>
// CHECK: gs.generic (d0, d1) ins(%{{.*}}[d0 * -2 + 3, d1 * 2 + 1]) outs(%[[EMPTY]][d0, d1]) iterators(d0 = parallel, d1 = parallel)
func.func @strided_slice(%source: tensor<6x5xf32>) -> tensor<2x2xf32> {
  %0 = gs.strided_slice %source[0, 1] [4, 3] [-2, 2] : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// A dynamic result has all that the window allows: 1 + (9 - 1) floordiv 3 = 3.
// CHECK-LABEL: func.func @strided_slice_dynamic_result
// CHECK: %[[SIZE:.*]] = arith.constant 3 : index
// CHECK: tensor.empty(%[[SIZE]]) : tensor<?xi1>
func.func @strided_slice_dynamic_result(%source: tensor<?xi1>) -> tensor<?xi1> {
  %0 = gs.strided_slice %source[0] [9] [3] : (tensor<?xi1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

// What is no named op stays as it is.
// CHECK-LABEL: func.func @nothing_to_do
// CHECK-NEXT: tensor.gather %{{.*}}[%{{.*}}] gather_dims([0])
// CHECK-NEXT: gs.generic {{.*}} outs(%{{.*}}[
// CHECK: return
func.func @nothing_to_do(%x: tensor<9xf32>, %i: tensor<4x1xindex>, %m: memref<4xf32>)
    -> tensor<4xf32> {
  %0 = tensor.gather %x[%i] gather_dims([0])
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  gs.generic (d0) outs(%m[d0]) iterators(d0 = parallel) : (memref<4xf32>) -> () {
  ^bb0(%current: f32):
    %sum = arith.addf %current, %current : f32
    gs.yield %sum : f32
  }
  return %0 : tensor<4xf32>
}
