// RUN: gs-opt %s --gs-generalize --mlir-print-local-scope | filecheck %s

// gs.gather and gs.scatter to gs.generic: one iteration dim per index dim, then one per dim of the
// slice; a coordinate per addressed dim.

// CHECK-LABEL: func.func @gather
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<3x4x5xf32>, %[[INDICES:.*]]: tensor<6x2xi64>)
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<6x4xf32>
// CHECK: %[[RESULT:.*]] = gs.generic (d0, d1) [s0 = %[[INDICES]][d0, 0], s1 = %[[INDICES]][d0, 1]] ins(%[[SOURCE]][s0, d1, s1]) outs(%[[EMPTY]][d0, d1]) iterators(d0 = parallel, d1 = parallel)
// CHECK-NEXT: ^bb0(%[[ELEMENT:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: gs.yield %[[ELEMENT]]
// CHECK-NOT: gs.gather
// CHECK: return %[[RESULT]]
func.func @gather(%source: tensor<3x4x5xf32>, %indices: tensor<6x2xi64>) -> tensor<6x4xf32> {
  %0 = gs.gather %source[%indices] gather_dims([0, 2])
      : (tensor<3x4x5xf32>, tensor<6x2xi64>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// Dims that are kept as 1 are addressed by 0.
// CHECK-LABEL: func.func @gather_unit_dims
// CHECK: ins(%{{.*}}[s0, d1, s1]) outs(%{{.*}}[d0, 0, d1, 0])
func.func @gather_unit_dims(%source: tensor<3x4x5xf32>, %indices: tensor<6x2xi64>)
    -> tensor<6x1x4x1xf32> {
  %0 = gs.gather %source[%indices] gather_dims([0, 2])
      : (tensor<3x4x5xf32>, tensor<6x2xi64>) -> tensor<6x1x4x1xf32>
  return %0 : tensor<6x1x4x1xf32>
}

// CHECK-LABEL: func.func @gather_several_index_dims
// CHECK: gs.generic (d0, d1, d2, d3) [s0 = %{{.*}}[d0, d1, 0]] ins(%{{.*}}[d2, s0, d3]) outs(%{{.*}}[d0, d1, d2, d3])
func.func @gather_several_index_dims(%source: tensor<3x4x5xf32>, %indices: tensor<6x7x1xi32>)
    -> tensor<6x7x3x5xf32> {
  %0 = gs.gather %source[%indices] gather_dims([1])
      : (tensor<3x4x5xf32>, tensor<6x7x1xi32>) -> tensor<6x7x3x5xf32>
  return %0 : tensor<6x7x3x5xf32>
}

// CHECK-LABEL: func.func @gather_one_element
// CHECK: gs.generic () [s0 = %[[I:.*]][0], s1 = %[[I]][1]] ins(%{{.*}}[s0, s1]) outs(%{{.*}}[])
// CHECK-NOT: iterators
func.func @gather_one_element(%source: tensor<3x4xf32>, %indices: tensor<2xindex>) -> tensor<f32> {
  %0 = gs.gather %source[%indices] gather_dims([0, 1])
      : (tensor<3x4xf32>, tensor<2xindex>) -> tensor<f32>
  return %0 : tensor<f32>
}

// A batch dim is one iteration dim for source and indices.
// CHECK-LABEL: func.func @gather_batch
// CHECK: gs.generic (d0, d1, d2) [s0 = %{{.*}}[d0, d1, 0]] ins(%{{.*}}[d0, d2, s0]) outs(%{{.*}}[d0, d1, d2])
func.func @gather_batch(%source: tensor<2x4x5xf32>, %indices: tensor<2x6x1xi32>)
    -> tensor<2x6x4xf32> {
  %0 = gs.gather %source[%indices] gather_dims([2]) batch_dims(1)
      : (tensor<2x4x5xf32>, tensor<2x6x1xi32>) -> tensor<2x6x4xf32>
  return %0 : tensor<2x6x4xf32>
}

// The sizes of the result come from indices and, for the slice, from source.
// CHECK-LABEL: func.func @gather_dynamic
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<?x?xf32>, %[[INDICES:.*]]: tensor<?x1xindex>)
// CHECK-DAG: %[[ROWS:.*]] = tensor.dim %[[INDICES]], %c0
// CHECK-DAG: %[[COLUMNS:.*]] = tensor.dim %[[SOURCE]], %c1
// CHECK: tensor.empty(%[[ROWS]], %[[COLUMNS]]) : tensor<?x?xf32>
func.func @gather_dynamic(%source: tensor<?x?xf32>, %indices: tensor<?x1xindex>)
    -> tensor<?x?xf32> {
  %0 = gs.gather %source[%indices] gather_dims([0])
      : (tensor<?x?xf32>, tensor<?x1xindex>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @gather_attributes
// CHECK: gs.generic (d0) [s0 = %{{.*}}[d0, 0]] {{.*}} iterators(d0 = parallel) unique sorted :
// CHECK: [s0 = %{{.*}} mode(clip) wrap_negative, s1 = %{{.*}} mode(clip) wrap_negative]
// CHECK: mode(error)]
// CHECK: mode(fill_or_drop)] ins(%{{.*}}[s0]) outs(%{{.*}}[d0]) iterators(d0 = parallel)
// CHECK: mode(fill_or_drop)] ins(%{{.*}}[s0] fill(-1.000000e+00 : f32))
func.func @gather_attributes(%x: tensor<9xf32>, %y: tensor<3x3xf32>, %i: tensor<4x1xindex>,
    %j: tensor<4x2xindex>) {
  %0 = gs.gather %x[%i] gather_dims([0]) unique sorted mode(promise_in_bounds)
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  %1 = gs.gather %y[%j] gather_dims([0, 1]) mode(clip) wrap_negative
      : (tensor<3x3xf32>, tensor<4x2xindex>) -> tensor<4xf32>
  %2 = gs.gather %x[%i] gather_dims([0]) mode(error)
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  %3 = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  %4 = gs.gather %x[%i] gather_dims([0]) mode(fill) fill_value(-1.0 : f32)
      : (tensor<9xf32>, tensor<4x1xindex>) -> tensor<4xf32>
  return
}

// dest is the output itself; index dims are ordered, the dims of the slice are not.
// CHECK-LABEL: func.func @scatter
// CHECK-SAME: (%[[UPDATES:.*]]: tensor<7x5xf32>, %[[DEST:.*]]: tensor<4x5xf32>, %[[INDICES:.*]]: tensor<7x1xi32>)
// CHECK-NOT: tensor.empty
// CHECK: %[[RESULT:.*]] = gs.generic (d0, d1) [s0 = %[[INDICES]][d0, 0]] ins(%[[UPDATES]][d0, d1]) outs(%[[DEST]][s0, d1]) iterators(d0 = reduction, d1 = parallel)
// CHECK-NEXT: ^bb0(%[[UPDATE:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: gs.yield %[[UPDATE]]
// CHECK: return %[[RESULT]]
func.func @scatter(%updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>, %indices: tensor<7x1xi32>)
    -> tensor<4x5xf32> {
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// The combiner's (current, update) become the body's (update, current); captured values stay.
// CHECK-LABEL: func.func @scatter_combiner
// CHECK-SAME: (%[[SCALE:.*]]: f32,
// CHECK: ^bb0(%[[UPDATE:.*]]: f32, %[[CURRENT:.*]]: f32):
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[UPDATE]], %[[SCALE]]
// CHECK-NEXT: %[[NEW:.*]] = arith.subf %[[CURRENT]], %[[SCALED]]
// CHECK-NEXT: gs.yield %[[NEW]]
func.func @scatter_combiner(%scale: f32, %updates: tensor<7x5xf32>, %dest: tensor<4x5xf32>,
    %indices: tensor<7x1xi32>) -> tensor<4x5xf32> {
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([0])
      : (tensor<7x5xf32>, tensor<4x5xf32>, tensor<7x1xi32>) -> tensor<4x5xf32> {
  ^bb0(%current: f32, %update: f32):
    %scaled = arith.mulf %update, %scale : f32
    %new = arith.subf %current, %scaled : f32
    gs.yield %new : f32
  }
  return %0 : tensor<4x5xf32>
}

// Batches lie apart, so only the index dims after them are ordered.
// CHECK-LABEL: func.func @scatter_batch
// CHECK: outs(%{{.*}}[d0, d2, s0]) iterators(d0 = parallel, d1 = reduction, d2 = parallel)
func.func @scatter_batch(%updates: tensor<2x6x4xf32>, %dest: tensor<2x4x5xf32>,
    %indices: tensor<2x6x1xi32>) -> tensor<2x4x5xf32> {
  %0 = gs.scatter %updates into %dest[%indices] scatter_dims([2]) batch_dims(1)
      : (tensor<2x6x4xf32>, tensor<2x4x5xf32>, tensor<2x6x1xi32>) -> tensor<2x4x5xf32>
  return %0 : tensor<2x4x5xf32>
}

// CHECK-LABEL: func.func @scatter_attributes
// CHECK: iterators(d0 = parallel) unique sorted
// CHECK: mode(clip) wrap_negative] {{.*}} iterators(d0 = reduction)
// CHECK: mode(fill_or_drop)]
// CHECK: mode(error)]
func.func @scatter_attributes(%u: tensor<7xf32>, %dest: tensor<4xf32>, %i: tensor<7x1xindex>)
    -> tensor<4xf32> {
  %0 = gs.scatter %u into %dest[%i] scatter_dims([0]) unique sorted
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32>
  %1 = gs.scatter %u into %0[%i] scatter_dims([0]) mode(clip) wrap_negative
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32>
  %2 = gs.scatter %u into %1[%i] scatter_dims([0]) mode(drop)
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32>
  %3 = gs.scatter %u into %2[%i] scatter_dims([0]) mode(error)
      : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// Ops in nested regions are rewritten where they stand.
// CHECK-LABEL: func.func @in_a_loop
// CHECK: scf.for {{.*}} iter_args(%[[ITER:.*]] = %{{.*}})
// CHECK-NEXT: %[[NEW:.*]] = gs.generic {{.*}} = %{{.*}}[{{.*}} ins(%{{.*}}[{{.*}} outs(%[[ITER]][
// CHECK: scf.yield %[[NEW]]
func.func @in_a_loop(%n: index, %u: tensor<7xf32>, %dest: tensor<4xf32>, %i: tensor<7x1xindex>)
    -> tensor<4xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = scf.for %k = %0 to %n step %1 iter_args(%iter = %dest) -> tensor<4xf32> {
    %3 = gs.scatter %u into %iter[%i] scatter_dims([0])
        : (tensor<7xf32>, tensor<4xf32>, tensor<7x1xindex>) -> tensor<4xf32>
    scf.yield %3 : tensor<4xf32>
  }
  return %2 : tensor<4xf32>
}
