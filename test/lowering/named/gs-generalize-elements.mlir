// RUN: gs-opt %s --gs-generalize --mlir-print-local-scope | filecheck %s

// gs.gather_elements and gs.scatter_elements: one coordinate per point, in the place of `dim`.

// CHECK-LABEL: func.func @gather_elements
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<3x4x5xf32>, %[[INDICES:.*]]: tensor<3x2x4xi64>)
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<3x2x4xf32>
// CHECK: "gs.generic"(%[[SOURCE]], %[[INDICES]], %[[EMPTY]]) ({
// CHECK-NEXT: ^bb0(%[[ELEMENT:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: "gs.yield"(%[[ELEMENT]])
// CHECK: coordinate_maps = {{\[\[}}affine_map<(d0, d1, d2)[s0] -> (d0, d1, d2)>]]
// CHECK-SAME: indexing_maps = [affine_map<(d0, d1, d2)[s0] -> (d0, s0, d2)>, affine_map<(d0, d1, d2)[s0] -> (d0, d1, d2)>]
// CHECK-SAME: iterator_types = ["parallel", "parallel", "parallel"]
func.func @gather_elements(%source: tensor<3x4x5xf32>, %indices: tensor<3x2x4xi64>)
    -> tensor<3x2x4xf32> {
  %0 = "gs.gather_elements"(%source, %indices) {dim = 1 : i64}
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
  %0 = "gs.gather_elements"(%source, %indices) {dim = 0 : i64}
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @gather_elements_attributes
// CHECK: modes = ["clip"]
// CHECK-SAME: sorted, unique, wrap_negative = array<i1: true>
// CHECK: fill_values = [7 : ui8]
// CHECK-SAME: modes = ["fill_or_drop"]
// CHECK: modes = ["error"]
func.func @gather_elements_attributes(%source: tensor<9xui8>, %i: tensor<4xi16>) {
  %0 = "gs.gather_elements"(%source, %i)
      {dim = 0 : i64, mode = "clip", sorted, unique, wrap_negative}
      : (tensor<9xui8>, tensor<4xi16>) -> tensor<4xui8>
  %1 = "gs.gather_elements"(%source, %i) {dim = 0 : i64, fill_value = 7 : ui8, mode = "fill"}
      : (tensor<9xui8>, tensor<4xi16>) -> tensor<4xui8>
  %2 = "gs.gather_elements"(%source, %i) {dim = 0 : i64, mode = "error"}
      : (tensor<9xui8>, tensor<4xi16>) -> tensor<4xui8>
  return
}

// Elements that differ in another dim than `dim` lie apart: only `dim` is ordered.
// CHECK-LABEL: func.func @scatter_elements
// CHECK-SAME: (%[[UPDATES:.*]]: tensor<8x9xi32>, %[[DEST:.*]]: tensor<8x4xi32>, %[[INDICES:.*]]: tensor<8x9xindex>)
// CHECK: "gs.generic"(%[[UPDATES]], %[[INDICES]], %[[DEST]]) ({
// CHECK-NEXT: ^bb0(%[[UPDATE:.*]]: i32, %[[CURRENT:.*]]: i32):
// CHECK-NEXT: %[[NEW:.*]] = arith.subi %[[CURRENT]], %[[UPDATE]]
// CHECK-NEXT: "gs.yield"(%[[NEW]])
// CHECK: coordinate_maps = {{\[\[}}affine_map<(d0, d1)[s0] -> (d0, d1)>]]
// CHECK-SAME: indexing_maps = [affine_map<(d0, d1)[s0] -> (d0, d1)>, affine_map<(d0, d1)[s0] -> (d0, s0)>]
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
func.func @scatter_elements(%updates: tensor<8x9xi32>, %dest: tensor<8x4xi32>,
    %indices: tensor<8x9xindex>) -> tensor<8x4xi32> {
  %0 = "gs.scatter_elements"(%updates, %dest, %indices) ({
  ^bb0(%current: i32, %update: i32):
    %new = arith.subi %current, %update : i32
    "gs.yield"(%new) : (i32) -> ()
  }) {dim = 1 : i64}
      : (tensor<8x9xi32>, tensor<8x4xi32>, tensor<8x9xindex>) -> tensor<8x4xi32>
  return %0 : tensor<8x4xi32>
}

// CHECK-LABEL: func.func @scatter_elements_attributes
// CHECK: iterator_types = ["parallel"]
// CHECK-SAME: unique
// CHECK: iterator_types = ["reduction"], modes = ["fill_or_drop"]
func.func @scatter_elements_attributes(%u: tensor<4xf32>, %d: tensor<9xf32>, %i: tensor<4xindex>)
    -> tensor<9xf32> {
  %0 = "gs.scatter_elements"(%u, %d, %i) ({}) {dim = 0 : i64, unique}
      : (tensor<4xf32>, tensor<9xf32>, tensor<4xindex>) -> tensor<9xf32>
  %1 = "gs.scatter_elements"(%u, %0, %i) ({}) {dim = 0 : i64, mode = "drop"}
      : (tensor<4xf32>, tensor<9xf32>, tensor<4xindex>) -> tensor<9xf32>
  return %1 : tensor<9xf32>
}

// A negative stride starts at the end of its window: 0 + 4 - 1 = 3.
// CHECK-LABEL: func.func @strided_slice
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<2x2xf32>
// CHECK: "gs.generic"(%{{.*}}, %[[EMPTY]])
// CHECK: coordinate_maps = []
// CHECK-SAME: indexing_maps = [affine_map<(d0, d1) -> (d0 * -2 + 3, d1 * 2 + 1)>, affine_map<(d0, d1) -> (d0, d1)>]
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
func.func @strided_slice(%source: tensor<6x5xf32>) -> tensor<2x2xf32> {
  %0 = "gs.strided_slice"(%source)
      {offsets = array<i64: 0, 1>, sizes = array<i64: 4, 3>, strides = array<i64: -2, 2>}
      : (tensor<6x5xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// A dynamic result has all that the window allows: 1 + (9 - 1) floordiv 3 = 3.
// CHECK-LABEL: func.func @strided_slice_dynamic_result
// CHECK: %[[SIZE:.*]] = arith.constant 3 : index
// CHECK: tensor.empty(%[[SIZE]]) : tensor<?xi1>
func.func @strided_slice_dynamic_result(%source: tensor<?xi1>) -> tensor<?xi1> {
  %0 = "gs.strided_slice"(%source)
      {offsets = array<i64: 0>, sizes = array<i64: 9>, strides = array<i64: 3>}
      : (tensor<?xi1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

// What is no named op stays as it is.
// CHECK-LABEL: func.func @nothing_to_do
// CHECK-NEXT: tensor.gather %{{.*}}[%{{.*}}] gather_dims([0])
// CHECK-NEXT: "gs.generic"(%{{.*}}) ({
// CHECK: return
func.func @nothing_to_do(%x: tensor<9xf32>, %i: tensor<4x1xindex>, %m: memref<4xf32>)
    -> tensor<4xf32> {
  %0 = tensor.gather %x[%i] gather_dims([0])
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  "gs.generic"(%m) ({
  ^bb0(%current: f32):
    %sum = arith.addf %current, %current : f32
    "gs.yield"(%sum) : (f32) -> ()
  }) {coordinate_maps = [], indexing_maps = [affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"],
      operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0>,
      resultSegmentSizes = array<i32: 0, 0, 0, 0>} : (memref<4xf32>) -> ()
  return %0 : tensor<4xf32>
}
