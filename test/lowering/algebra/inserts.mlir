// RUN: gs-opt %s --gs-canonicalize | filecheck %s

// CHECK-LABEL: func.func @insert_of_result
// CHECK-SAME: (%[[X:[a-z0-9]+]]: tensor<?xf64>, %[[OUT:[a-z0-9]+]]: tensor<?x4xf64>, %[[I:[a-z0-9]+]]: index)
// CHECK: %[[SUM:.*]] = linalg.reduce
// CHECK-NOT: tensor.extract
// CHECK: %[[R:.*]] = tensor.insert_slice %[[SUM]] into %[[OUT]][%[[I]], %{{.*}}] [1, 1] [1, 1] : tensor<f64> into tensor<?x4xf64>
// CHECK: return %[[R]]
func.func @insert_of_result(%x: tensor<?xf64>, %out: tensor<?x4xf64>, %i: index) -> tensor<?x4xf64> {
  %two = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<f64>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<?xf64>) outs(%zero : tensor<f64>) dimensions = [0]
  %v = tensor.extract %s[] : tensor<f64>
  %r = tensor.insert %v into %out[%i, %two] : tensor<?x4xf64>
  return %r : tensor<?x4xf64>
}

// CHECK-LABEL: func.func @read_again
// CHECK: tensor.insert %
func.func @read_again(%x: tensor<?xf64>, %out: tensor<?xf64>, %i: index) -> (tensor<?xf64>, tensor<f64>) {
  %zero = arith.constant dense<0.0> : tensor<f64>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<?xf64>) outs(%zero : tensor<f64>) dimensions = [0]
  %v = tensor.extract %s[] : tensor<f64>
  %r = tensor.insert %v into %out[%i] : tensor<?xf64>
  return %r, %s : tensor<?xf64>, tensor<f64>
}

// CHECK-LABEL: func.func @of_a_vector
// CHECK: tensor.insert %
func.func @of_a_vector(%x: tensor<?x3xf64>, %out: tensor<?xf64>, %start: tensor<3xf64>, %i: index) -> tensor<?xf64> {
  %s = linalg.reduce {arith.addf} ins(%x : tensor<?x3xf64>) outs(%start : tensor<3xf64>) dimensions = [0]
  %v = tensor.extract %s[%i] : tensor<3xf64>
  %r = tensor.insert %v into %out[%i] : tensor<?xf64>
  return %r : tensor<?xf64>
}

// CHECK-LABEL: func.func @of_an_argument
// CHECK: tensor.insert %
func.func @of_an_argument(%s: tensor<f64>, %out: tensor<?xf64>, %i: index) -> tensor<?xf64> {
  %v = tensor.extract %s[] : tensor<f64>
  %r = tensor.insert %v into %out[%i] : tensor<?xf64>
  return %r : tensor<?xf64>
}
