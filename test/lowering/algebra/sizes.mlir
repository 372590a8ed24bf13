// RUN: gs-opt %s --gs-canonicalize --canonicalize | filecheck %s

// CHECK-LABEL: func.func @dim_of_result
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[I:.*]]: tensor<?x1xi32>, %[[U:.*]]: tensor<?x?xf32>)
// CHECK-NOT: gs.{{[a-z_]+}} {{[(%]}}
// CHECK-DAG: tensor.dim %[[I]], %c0
// CHECK-DAG: tensor.dim %[[X]], %c1
// CHECK-DAG: tensor.dim %[[X]], %c0
// CHECK: return
func.func @dim_of_result(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %u: tensor<?x?xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %m = tensor.dim %g, %c0 : tensor<?x?xf32>
  %n = tensor.dim %g, %c1 : tensor<?x?xf32>
  %s = gs.scatter %u into %x[%i] scatter_dims([0])
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %k = tensor.dim %s, %c0 : tensor<?x?xf32>
  return %m, %n, %k : index, index, index
}

// The data decides how many bins there are; which dim is not known.
// CHECK-LABEL: func.func @dim_of_result_not
// CHECK: %[[B:.*]]:2 = gs.histogram %
// CHECK: tensor.dim %[[B]]#1
// CHECK: %[[G:.*]] = gs.gather %
// CHECK: tensor.dim %[[G]], %arg2
func.func @dim_of_result_not(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %d: index, %u: tensor<?xf32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %h, %b = gs.histogram %u at %i combine(add)
      : (tensor<?xf32>, tensor<?x1xi32>) -> (tensor<?xf32>, tensor<?x1xi32>)
  %n = tensor.dim %b, %c0 : tensor<?x1xi32>
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %m = tensor.dim %g, %d : tensor<?x?xf32>
  return %n, %m : index, index
}
