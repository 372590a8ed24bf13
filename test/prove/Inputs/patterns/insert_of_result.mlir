// pattern: insert_of_result
// status: proved
// any: k = 4, 7

func.func @of_a_vector(%x: tensor<?xf64>, %out: tensor<?x$(k)xf64>, %i: index) -> tensor<?x$(k)xf64> {
  %two = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : tensor<f64>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<?xf64>) outs(%zero : tensor<f64>) dimensions = [0]
  %v = tensor.extract %s[] : tensor<f64>
  %r = tensor.insert %v into %out[%i, %two] : tensor<?x$(k)xf64>
  return %r : tensor<?x$(k)xf64>
}

func.func @of_a_matrix(%x: tensor<?x?xf64>, %out: tensor<?xf64>, %i: index) -> tensor<?xf64> {
  %zero = arith.constant dense<0.0> : tensor<f64>
  %s = linalg.reduce {arith.addf} ins(%x : tensor<?x?xf64>) outs(%zero : tensor<f64>) dimensions = [0, 1]
  %v = tensor.extract %s[] : tensor<f64>
  %r = tensor.insert %v into %out[%i] : tensor<?xf64>
  return %r : tensor<?xf64>
}
