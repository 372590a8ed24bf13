// RUN: gs-opt %s --gs-canonicalize | filecheck %s

// As many as there are, in any mode; some of them, if that is promised.
// CHECK-LABEL: func.func @gather_at_iota
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?x4xf32>, %[[Y:[a-z0-9]+]]: tensor<?xf32>, %[[N:[a-z0-9]+]]: index)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[Y]][0] [%{{.*}}] [1] : tensor<?xf32> to tensor<?xf32>
// CHECK-NOT: gs.gather %
// CHECK: return %[[X]], %[[S]]
func.func @gather_at_iota(%x: tensor<?x4xf32>, %y: tensor<?xf32>, %n: index) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x4xf32>
  %i = tensor.generate %m {
  ^bb0(%a: index):
    %r = arith.index_cast %a : index to i64
    tensor.yield %r : i64
  } : tensor<?xi64>
  %k = tensor.expand_shape %i [[0, 1]] output_shape [%m, 1] : tensor<?xi64> into tensor<?x1xi64>
  %g = gs.gather %x[%k] gather_dims([0]) mode(clip)
      : (tensor<?x4xf32>, tensor<?x1xi64>) -> tensor<?x4xf32>
  %l = tensor.generate %n {
  ^bb0(%a: index):
    tensor.yield %a : index
  } : tensor<?xindex>
  %h = gs.gather_elements %y[%l] dim(0) : (tensor<?xf32>, tensor<?xindex>) -> tensor<?xf32>
  return %g, %h : tensor<?x4xf32>, tensor<?xf32>
}

// Perhaps more than there are; counted down; a dim that would move to the front.
// CHECK-LABEL: func.func @gather_at_iota_not
// CHECK-COUNT-3: gs.gather %
// CHECK: return
func.func @gather_at_iota_not(%x: tensor<?x4xf32>, %y: tensor<4x?xf32>, %n: index) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %i = tensor.generate %n {
  ^bb0(%a: index, %b: index):
    tensor.yield %a : index
  } : tensor<?x1xindex>
  %g = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  %k = tensor.generate %n {
  ^bb0(%a: index, %b: index):
    %c = arith.subi %n, %a : index
    tensor.yield %c : index
  } : tensor<?x1xindex>
  %h = gs.gather %x[%k] gather_dims([0]) : (tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  %l = gs.gather %y[%i] gather_dims([1]) : (tensor<4x?xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  return %g, %h, %l : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: func.func @scatter_at_iota
// CHECK-SAME: (%[[U:[a-z0-9]+]]: tensor<?x4xf32>,
// CHECK-NOT: gs.scatter %
// CHECK: return %[[U]]
func.func @scatter_at_iota(%u: tensor<?x4xf32>, %d: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %d, %c0 : tensor<?x4xf32>
  %i = tensor.generate %m {
  ^bb0(%a: index, %b: index):
    tensor.yield %a : index
  } : tensor<?x1xindex>
  %s = gs.scatter %u into %d[%i] scatter_dims([0]) mode(drop)
      : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}

// With a combiner; fewer updates than slices.
// CHECK-LABEL: func.func @scatter_at_iota_not
// CHECK-COUNT-2: gs.scatter %
func.func @scatter_at_iota_not(%u: tensor<?x4xf32>, %d: tensor<?x4xf32>, %n: index) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %d, %c0 : tensor<?x4xf32>
  %i = tensor.generate %m {
  ^bb0(%a: index, %b: index):
    tensor.yield %a : index
  } : tensor<?x1xindex>
  %s = gs.scatter %u into %d[%i] scatter_dims([0]) combine(add)
      : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  %k = tensor.generate %n {
  ^bb0(%a: index, %b: index):
    tensor.yield %a : index
  } : tensor<?x1xindex>
  %t = gs.scatter %u into %d[%k] scatter_dims([0])
      : (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x1xindex>) -> tensor<?x4xf32>
  return %s, %t : tensor<?x4xf32>, tensor<?x4xf32>
}
