// RUN: gs-opt %s --gs-generalize --canonicalize | filecheck %s

// gs.histogram: positions sorted by coordinates, the first position of each bin gathered, the others
// scattered into it with the combiner.


// CHECK-LABEL: func.func @bins_of_pairs
// CHECK-SAME: (%[[UPDATES:.*]]: tensor<9x6xf32>, %[[INDICES:.*]]: tensor<9x2xi32>)
// Runs of 1, 2, 4, ... are merged; a tie takes the left run, so that equal tuples keep their order.
// CHECK: %[[SORTED:.*]]:3 = scf.while
// CHECK: scf.condition
// CHECK: scf.for
// CHECK: scf.for
// CHECK: arith.cmpi slt
// CHECK: %[[BINS:.*]]:3 = scf.for {{.*}} iter_args(
// CHECK: tensor.extract %[[SORTED]]#0
// CHECK: %[[FIRSTS:.*]] = tensor.extract_slice %[[BINS]]#1[0] [%[[BINS]]#2] [1]
// CHECK: %[[FIRST:.*]] = tensor.expand_shape %[[FIRSTS]]
// CHECK: %[[UNIQUE:.*]] = gs.generic (d0, d1) [s0 = %[[FIRST]][d0, 0]{{.*}}] ins(%[[INDICES]][s0, d1]) outs(%{{.*}}[d0, d1]) iterators(d0 = parallel, d1 = parallel)
// CHECK: %[[START:.*]] = gs.generic (d0, d1) [s0 = %[[FIRST]][d0, 0]{{.*}}] ins(%[[UPDATES]][s0, d1]) outs(%{{.*}}[d0, d1])
// CHECK: %[[BIN:.*]] = tensor.expand_shape %[[BINS]]#0
// CHECK: %[[COMBINED:.*]] = gs.generic (d0, d1) [s0 = %[[BIN]][d0, 0] mode(fill_or_drop)] ins(%[[UPDATES]][d0, d1]) outs(%[[START]][s0, d1]) iterators(d0 = reduction, d1 = parallel)
// CHECK-NEXT: ^bb0(%[[UPDATE:.*]]: f32, %[[CURRENT:.*]]: f32):
// CHECK-NEXT: %[[NEW:.*]] = arith.subf %[[CURRENT]], %[[UPDATE]]
// CHECK-NEXT: gs.yield %[[NEW]]
// CHECK: return %[[COMBINED]], %[[UNIQUE]]
func.func @bins_of_pairs(%updates: tensor<9x6xf32>, %indices: tensor<9x2xi32>)
    -> (tensor<?x6xf32>, tensor<?x2xi32>) {
  %combined, %bins = gs.histogram %updates at %indices
      : (tensor<9x6xf32>, tensor<9x2xi32>) -> (tensor<?x6xf32>, tensor<?x2xi32>) {
  ^bb0(%current: f32, %update: f32):
    %new = arith.subf %current, %update : f32
    gs.yield %new : f32
  }
  return %combined, %bins : tensor<?x6xf32>, tensor<?x2xi32>
}

// The promise `sorted`: nothing is sorted.
// CHECK-LABEL: func.func @sorted
// CHECK-NOT: scf.while
// CHECK: scf.for
// CHECK-NOT: gs.histogram %
func.func @sorted(%updates: tensor<?xi64>, %indices: tensor<?x1xindex>)
    -> (tensor<?xi64>, tensor<?x1xindex>) {
  %combined, %bins = gs.histogram %updates at %indices sorted combine(add)
      : (tensor<?xi64>, tensor<?x1xindex>) -> (tensor<?xi64>, tensor<?x1xindex>)
  return %combined, %bins : tensor<?xi64>, tensor<?x1xindex>
}

// Unsigned coordinates are in the order of unsigned numbers.
// CHECK-LABEL: func.func @unsigned
// CHECK: arith.cmpi ult
func.func @unsigned(%updates: tensor<9xi64>, %indices: tensor<9x1xui8>)
    -> (tensor<?xi64>, tensor<?x1xui8>) {
  %combined, %bins = gs.histogram %updates at %indices
      : (tensor<9xi64>, tensor<9x1xui8>) -> (tensor<?xi64>, tensor<?x1xui8>) {
  ^bb0(%current: i64, %update: i64):
    gs.yield %update : i64
  }
  return %combined, %bins : tensor<?xi64>, tensor<?x1xui8>
}

// Several index dims are one; none are one of size 1.
// CHECK-LABEL: func.func @index_dims
// CHECK-SAME: (%[[MANY:.*]]: tensor<3x4x6xf32>, %[[INDICES:.*]]: tensor<3x4x2xindex>, %[[ONE:.*]]: tensor<6xf32>
// CHECK-DAG: tensor.collapse_shape %[[MANY]] {{\[\[}}0, 1], [2]] : tensor<3x4x6xf32> into tensor<12x6xf32>
// CHECK-DAG: tensor.collapse_shape %[[INDICES]] {{\[\[}}0, 1], [2]]
// CHECK: tensor.expand_shape %[[ONE]] {{\[\[}}0, 1]] output_shape [1, 6] : tensor<6xf32> into tensor<1x6xf32>
func.func @index_dims(%many: tensor<3x4x6xf32>, %indices: tensor<3x4x2xindex>, %one: tensor<6xf32>,
    %index: tensor<2xindex>)
    -> (tensor<?x6xf32>, tensor<?x2xindex>, tensor<?x6xf32>, tensor<?x2xindex>) {
  %0, %1 = gs.histogram %many at %indices
      : (tensor<3x4x6xf32>, tensor<3x4x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %update : f32
  }
  %2, %3 = gs.histogram %one at %index
      : (tensor<6xf32>, tensor<2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>) {
  ^bb0(%current: f32, %update: f32):
    gs.yield %update : f32
  }
  return %0, %1, %2, %3
      : tensor<?x6xf32>, tensor<?x2xindex>, tensor<?x6xf32>, tensor<?x2xindex>
}

// Leading sizes that may differ are asserted to be equal.
// CHECK-LABEL: func.func @no_elements
// CHECK: cf.assert %{{.*}}, "{{.*}}:[[# @LINE + 6]]:22: 'gs.histogram' op, size of dimension 1 of 'updates' must be that of dimension 1 of 'indices'"
// CHECK-NOT: tensor.extract_slice %arg0
// CHECK-NOT: gs.histogram %
// CHECK: return
func.func @no_elements(%updates: tensor<1x?x0xf64>, %indices: tensor<1x?x3xindex>)
    -> (tensor<?x0xf64>, tensor<?x3xindex>) {
  %combined, %bins = gs.histogram %updates at %indices combine(add)
      : (tensor<1x?x0xf64>, tensor<1x?x3xindex>) -> (tensor<?x0xf64>, tensor<?x3xindex>)
  return %combined, %bins : tensor<?x0xf64>, tensor<?x3xindex>
}
