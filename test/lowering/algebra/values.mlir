// RUN: gs-opt %s --gs-canonicalize | filecheck %s

// CHECK-LABEL: func.func @gather_of_one_value
// CHECK: %[[C:.*]] = arith.constant dense<2.500000e+00> : tensor<5x4xf32>
// CHECK: %[[N:.*]] = tensor.dim %arg1
// CHECK: %[[E:.*]] = tensor.empty(%[[N]])
// CHECK: %[[F:.*]] = linalg.fill ins(%arg2 : f32) outs(%[[E]] : tensor<?x4xf32>)
// CHECK: return %[[C]], %[[F]]
func.func @gather_of_one_value(%i: tensor<5x1xi32>, %k: tensor<?x1xi32>, %v: f32) -> (tensor<5x4xf32>, tensor<?x4xf32>) {
  %x = arith.constant dense<2.5> : tensor<9x4xf32>
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  %e = tensor.empty() : tensor<7x4xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<7x4xf32>) -> tensor<7x4xf32>
  %h = gs.gather %f[%k] gather_dims([0]) mode(clip)
      : (tensor<7x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  return %g, %h : tensor<5x4xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @gather_of_one_value_not
// CHECK-COUNT-2: gs.gather %
func.func @gather_of_one_value_not(%i: tensor<5x1xi32>, %v: f32) -> (tensor<5x4xf32>, tensor<5x4xf32>) {
  %x = arith.constant dense<2.5> : tensor<9x4xf32>
  %g = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<9x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  %e = tensor.empty() : tensor<7x4xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<7x4xf32>) -> tensor<7x4xf32>
  %h = gs.gather %f[%i] gather_dims([0]) mode(error)
      : (tensor<7x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %g, %h : tensor<5x4xf32>, tensor<5x4xf32>
}

// CHECK-LABEL: func.func @scatter_of_one_value
// CHECK-NOT: gs.scatter %
// CHECK: return
func.func @scatter_of_one_value(%i: tensor<5x1xi32>) -> tensor<9xf32> {
  %u = arith.constant dense<2.5> : tensor<5xf32>
  %d = arith.constant dense<2.5> : tensor<9xf32>
  %s = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop)
      : (tensor<5xf32>, tensor<9xf32>, tensor<5x1xi32>) -> tensor<9xf32>
  return %s : tensor<9xf32>
}

// Another value; coordinates that are looked at.
// CHECK-LABEL: func.func @scatter_of_one_value_not
// CHECK-COUNT-2: gs.scatter %
func.func @scatter_of_one_value_not(%i: tensor<5x1xi32>) -> (tensor<9xf32>, tensor<9xf32>) {
  %u = arith.constant dense<2.5> : tensor<5xf32>
  %d = arith.constant dense<0.0> : tensor<9xf32>
  %s = gs.scatter %u into %d[%i] scatter_dims([0])
      : (tensor<5xf32>, tensor<9xf32>, tensor<5x1xi32>) -> tensor<9xf32>
  %f = arith.constant dense<2.5> : tensor<9xf32>
  %t = gs.scatter %u into %f[%i] scatter_dims([0]) mode(error)
      : (tensor<5xf32>, tensor<9xf32>, tensor<5x1xi32>) -> tensor<9xf32>
  return %s, %t : tensor<9xf32>, tensor<9xf32>
}

// CHECK-LABEL: func.func @gather_in_unit_dims
// CHECK: %[[C:.*]] = tensor.collapse_shape %arg0
// CHECK: linalg.broadcast ins(%[[C]] : tensor<?xf32>) outs(%{{.*}} : tensor<?x?xf32>) dimensions = [0]
// CHECK-NOT: gs.gather %
// CHECK: return
func.func @gather_in_unit_dims(%x: tensor<1x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %h = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<1x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %h : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @gather_in_unit_dims_not
// CHECK-COUNT-2: gs.gather %
func.func @gather_in_unit_dims_not(%x: tensor<1x?xf32>, %y: tensor<?x4xf32>, %i: tensor<?x1xi32>) -> (tensor<?x?xf32>, tensor<?x4xf32>) {
  %g = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<1x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %h = gs.gather %y[%i] gather_dims([0]) : (tensor<?x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  return %g, %h : tensor<?x?xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @gather_without_unit_batch
// CHECK: %[[X:.*]] = tensor.collapse_shape %arg0 {{\[\[}}0, 1], [2]]
// CHECK: %[[I:.*]] = tensor.collapse_shape %arg1 {{\[\[}}0, 1], [2]]
// CHECK: %[[G:.*]] = gs.gather %[[X]][%[[I]]] gather_dims([0]) mode(clip)
// CHECK: tensor.expand_shape %[[G]]
func.func @gather_without_unit_batch(%x: tensor<1x7x3xf32>, %i: tensor<1x?x1xi32>) -> tensor<1x?x3xf32> {
  %b = gs.gather %x[%i] gather_dims([1]) mode(clip) batch_dims(1)
      : (tensor<1x7x3xf32>, tensor<1x?x1xi32>) -> tensor<1x?x3xf32>
  return %b : tensor<1x?x3xf32>
}

// CHECK-LABEL: func.func @gather_without_unit_batch_not_checked
// CHECK: gs.gather %arg0[%arg1] gather_dims({{.*}}) batch_dims(1)
func.func @gather_without_unit_batch_not_checked(%x: tensor<1x7x3xf32>, %i: tensor<1x?x1xi32>) -> tensor<1x?x3xf32> {
  %r = gs.gather %x[%i] gather_dims([1]) mode(error) batch_dims(1)
      : (tensor<1x7x3xf32>, tensor<1x?x1xi32>) -> tensor<1x?x3xf32>
  return %r : tensor<1x?x3xf32>
}

// CHECK-LABEL: func.func @gather_without_unit_batch_not
// CHECK: batch_dims(1)
func.func @gather_without_unit_batch_not(%x: tensor<?x7x3xf32>, %i: tensor<?x?x1xi32>) -> tensor<?x?x3xf32> {
  %b = gs.gather %x[%i] gather_dims([1]) batch_dims(1)
      : (tensor<?x7x3xf32>, tensor<?x?x1xi32>) -> tensor<?x?x3xf32>
  return %b : tensor<?x?x3xf32>
}
