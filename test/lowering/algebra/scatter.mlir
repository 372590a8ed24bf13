// RUN: gs-opt %s --gs-canonicalize | filecheck %s

// CHECK-LABEL: func.func @dim_of_result
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[I:.*]]: tensor<?x1xi32>, %[[D:.*]]: tensor<?x?xf32>)
// CHECK-DAG: tensor.dim %[[I]], %c0
// CHECK-DAG: tensor.dim %[[X]], %c1
// CHECK-DAG: tensor.dim %[[D]], %c0
// CHECK-NOT: gs.{{[a-z_]+}} {{[(%]}}
// CHECK: return
func.func @dim_of_result(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %d: tensor<?x?xf32>) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %s = gs.scatter %g into %d[%i] scatter_dims([0])
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %a = tensor.dim %g, %c0 : tensor<?x?xf32>
  %b = tensor.dim %g, %c1 : tensor<?x?xf32>
  %c = tensor.dim %s, %c0 : tensor<?x?xf32>
  return %a, %b, %c : index, index, index
}

// CHECK-LABEL: func.func @dim_of_result_not
// CHECK: %[[C:.*]]:2 = gs.histogram %
// CHECK: tensor.dim %[[C]]#0
func.func @dim_of_result_not(%u: tensor<?xf32>, %i: tensor<?x1xi32>) -> index {
  %c0 = arith.constant 0 : index
  %c, %b = gs.histogram %u at %i combine(add)
      : (tensor<?xf32>, tensor<?x1xi32>) -> (tensor<?xf32>, tensor<?x1xi32>)
  %n = tensor.dim %c, %c0 : tensor<?xf32>
  return %n : index
}
