// RUN: gs-opt %s --gs-canonicalize | filecheck %s

// A row of padding behind a table.
// CHECK-LABEL: func.func @gather_of_padded
// CHECK-SAME: (%[[X:.*]]: tensor<9x4xf32>, %[[I:.*]]: tensor<?x1xi32>)
// CHECK-NEXT: gs.gather %[[X]][%[[I]]] gather_dims([0]) mode(fill) fill_value(2.500000e+00 : f32)
func.func @gather_of_padded(%x: tensor<9x4xf32>, %i: tensor<?x1xi32>) -> tensor<?x4xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[0, 0] high[1, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<9x4xf32> to tensor<10x4xf32>
  %g = gs.gather %p[%i] gather_dims([0]) : (tensor<10x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  return %g : tensor<?x4xf32>
}

// Columns of padding; a last row that clipped coordinates mean.
// CHECK-LABEL: func.func @gather_of_padded_not
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: gs.gather %[[P]][
// CHECK: %[[Q:.*]] = tensor.pad
// CHECK: gs.gather %[[Q]][
func.func @gather_of_padded_not(%x: tensor<9x4xf32>, %i: tensor<?x1xi32>) -> (tensor<?x5xf32>, tensor<?x4xf32>) {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[0, 0] high[0, 1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<9x4xf32> to tensor<9x5xf32>
  %g = gs.gather %p[%i] gather_dims([0]) : (tensor<9x5xf32>, tensor<?x1xi32>) -> tensor<?x5xf32>
  %q = tensor.pad %x low[0, 0] high[1, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<9x4xf32> to tensor<10x4xf32>
  %h = gs.gather %q[%i] gather_dims([0]) mode(clip)
      : (tensor<10x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  return %g, %h : tensor<?x5xf32>, tensor<?x4xf32>
}

// Rows of padding before a table: the known coordinates, then fewer than it has elements.
// CHECK-LABEL: func.func @gather_of_padded_low
// CHECK-SAME: (%[[X:.*]]: tensor<9x4xf32>, %[[Y:.*]]: tensor<9x4xf32>, %[[I:.*]]: tensor<3x2xi32>)
// CHECK-DAG: %[[LOW:.*]] = arith.constant dense<{{\[\[}}3, 2], [3, 2], [3, 2]]> : tensor<3x2xi32>
// CHECK-DAG: %[[K:.*]] = arith.constant dense<{{\[\[}}-3], [0], [10]]> : tensor<3x1xi32>
// CHECK: %[[G:.*]] = gs.gather %[[X]][%[[K]]] gather_dims([0]) unique mode(fill) fill_value(2.500000e+00 : f32)
// CHECK: %[[J:.*]] = arith.subi %[[I]], %[[LOW]]
// CHECK: %[[H:.*]] = gs.gather %[[Y]][%[[J]]] gather_dims([0, 1]) mode(fill) fill_value(2.500000e+00 : f32)
// CHECK: return %[[G]], %[[H]]
func.func @gather_of_padded_low(%x: tensor<9x4xf32>, %y: tensor<9x4xf32>, %i: tensor<3x2xi32>) -> (tensor<3x4xf32>, tensor<3xf32>) {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[3, 0] high[1, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<9x4xf32> to tensor<13x4xf32>
  %k = arith.constant dense<[[0], [3], [13]]> : tensor<3x1xi32>
  %g = gs.gather %p[%k] gather_dims([0]) unique
      : (tensor<13x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  %q = tensor.pad %y low[3, 2] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<9x4xf32> to tensor<12x6xf32>
  %h = gs.gather %q[%i] gather_dims([0, 1]) : (tensor<12x6xf32>, tensor<3x2xi32>) -> tensor<3xf32>
  return %g, %h : tensor<3x4xf32>, tensor<3xf32>
}

// CHECK-LABEL: func.func @elements_of_padded
// CHECK-SAME: (%[[X:.*]]: tensor<5x8xi8>, %[[I:.*]]: tensor<5x2xi16>)
// CHECK: %[[J:.*]] = arith.subi %[[I]]
// CHECK: gs.gather_elements %[[X]][%[[J]]] dim(1) mode(fill) fill_value(7 : i8)
func.func @elements_of_padded(%x: tensor<5x8xi8>, %i: tensor<5x2xi16>) -> tensor<5x2xi8> {
  %v = arith.constant 7 : i8
  %p = tensor.pad %x low[0, 4] high[0, 1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : i8
  } : tensor<5x8xi8> to tensor<5x13xi8>
  %g = gs.gather_elements %p[%i] dim(1) : (tensor<5x13xi8>, tensor<5x2xi16>) -> tensor<5x2xi8>
  return %g : tensor<5x2xi8>
}

// Before the first element: an unknown number of coordinates, a width that they do not hold,
// coordinates anywhere, which may overflow, and a tensor that is padded for something else too.
// CHECK-LABEL: func.func @gather_of_padded_low_not
// CHECK-COUNT-4: gs.gather %padded
func.func @gather_of_padded_low_not(%x: tensor<9x4xf32>, %i: tensor<?x1xi32>, %n: tensor<2x1xi2>, %k: tensor<2x1xi32>) -> (tensor<?x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<12x4xf32>) {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[3, 0] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<9x4xf32> to tensor<12x4xf32>
  %g = gs.gather %p[%i] gather_dims([0]) : (tensor<12x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  %h = gs.gather %p[%n] gather_dims([0]) : (tensor<12x4xf32>, tensor<2x1xi2>) -> tensor<2x4xf32>
  %j = gs.gather %p[%k] gather_dims([0]) mode(fill) fill_value(2.5 : f32)
      : (tensor<12x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  %l = gs.gather %p[%k] gather_dims([0]) : (tensor<12x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
  return %g, %h, %j, %l, %p : tensor<?x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<12x4xf32>
}

// Padded columns of few rows: the padding moves behind the gather.
// CHECK-LABEL: func.func @padding_behind_gather
// CHECK-SAME: (%[[X:.*]]: tensor<2x9x4xf32>, %[[I:.*]]: tensor<2x3x1xi32>)
// CHECK: %[[G:.*]] = gs.gather %[[X]][%[[I]]] gather_dims([1]) mode(clip) batch_dims(1) : {{.*}} -> tensor<2x3x4xf32>
// CHECK: tensor.pad %[[G]] low[0, 0, 1] high[0, 0, 2]
func.func @padding_behind_gather(%x: tensor<2x9x4xf32>, %i: tensor<2x3x1xi32>) -> tensor<2x3x7xf32> {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[0, 0, 1] high[0, 0, 2] {
  ^bb0(%a: index, %b: index, %c: index):
    tensor.yield %v : f32
  } : tensor<2x9x4xf32> to tensor<2x9x7xf32>
  %g = gs.gather %p[%i] gather_dims([1]) mode(clip) batch_dims(1)
      : (tensor<2x9x7xf32>, tensor<2x3x1xi32>) -> tensor<2x3x7xf32>
  return %g : tensor<2x3x7xf32>
}

// As many rows as there are, filled with something else.
// CHECK-LABEL: func.func @padding_behind_gather_not
// CHECK-COUNT-2: gs.gather %padded
func.func @padding_behind_gather_not(%x: tensor<9x4xf32>, %y: tensor<9x4xf32>, %i: tensor<9x1xi32>, %k: tensor<2x1xi32>) -> (tensor<9x5xf32>, tensor<2x5xf32>) {
  %v = arith.constant 2.5 : f32
  %p = tensor.pad %x low[0, 0] high[0, 1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<9x4xf32> to tensor<9x5xf32>
  %g = gs.gather %p[%i] gather_dims([0]) : (tensor<9x5xf32>, tensor<9x1xi32>) -> tensor<9x5xf32>
  %q = tensor.pad %y low[0, 0] high[0, 1] {
  ^bb0(%a: index, %b: index):
    tensor.yield %v : f32
  } : tensor<9x4xf32> to tensor<9x5xf32>
  %h = gs.gather %q[%k] gather_dims([0]) mode(fill) fill_value(1.0 : f32)
      : (tensor<9x5xf32>, tensor<2x1xi32>) -> tensor<2x5xf32>
  return %g, %h : tensor<9x5xf32>, tensor<2x5xf32>
}
