// RUN: gs-opt %s --gs-canonicalize --canonicalize | filecheck %s

// CHECK-LABEL: func.func @select_in_bounds
// CHECK-SAME: (%[[X:.*]]: tensor<9xf32>, %[[I:.*]]: tensor<5xi32>)
// CHECK-NEXT: %[[C:.*]] = tensor.expand_shape %[[I]]
// CHECK-NEXT: %[[G:.*]] = gs.gather %[[X]][%[[C]]] gather_dims([0]) mode(fill) fill_value(-1.000000e+00 : f32)
// CHECK-NEXT: return %[[G]]
func.func @select_in_bounds(%x: tensor<9xf32>, %i: tensor<5xi32>) -> tensor<5xf32> {
  %zero = arith.constant dense<0> : tensor<5xi32>
  %nine = arith.constant dense<9> : tensor<5xi32>
  %c = arith.constant dense<-1.0> : tensor<5xf32>
  %a = arith.cmpi sge, %i, %zero : tensor<5xi32>
  %b = arith.cmpi slt, %i, %nine : tensor<5xi32>
  %m = arith.andi %a, %b : tensor<5xi1>
  %safe = arith.select %m, %i, %zero : tensor<5xi1>, tensor<5xi32>
  %k = tensor.expand_shape %safe [[0, 1]] output_shape [5, 1] : tensor<5xi32> into tensor<5x1xi32>
  %g = gs.gather %x[%k] gather_dims([0]) : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  %r = arith.select %m, %g, %c : tensor<5xi1>, tensor<5xf32>
  return %r : tensor<5xf32>
}

// One unsigned comparison, for rows, with clamped coordinates.
// CHECK-LABEL: func.func @select_rows_in_bounds
// CHECK: %[[C:.*]] = tensor.expand_shape %arg1
// CHECK: %[[G:.*]] = gs.gather %arg0[%[[C]]] gather_dims([0]) mode(fill) fill_value(0.000000e+00 : f32)
// CHECK: return %[[G]]
func.func @select_rows_in_bounds(%x: tensor<9x4xf32>, %i: tensor<5xi64>) -> tensor<5x4xf32> {
  %zero = arith.constant dense<0> : tensor<5xi64>
  %eight = arith.constant dense<8> : tensor<5xi64>
  %nine = arith.constant dense<9> : tensor<5xi64>
  %c = arith.constant dense<0.0> : tensor<5x4xf32>
  %m = arith.cmpi ult, %i, %nine : tensor<5xi64>
  %low = arith.maxsi %i, %zero : tensor<5xi64>
  %safe = arith.minsi %low, %eight : tensor<5xi64>
  %k = tensor.expand_shape %safe [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64>
  %g = gs.gather %x[%k] gather_dims([0]) : (tensor<9x4xf32>, tensor<5x1xi64>) -> tensor<5x4xf32>
  %e = tensor.empty() : tensor<5x4xi1>
  %w = linalg.broadcast ins(%m : tensor<5xi1>) outs(%e : tensor<5x4xi1>) dimensions = [1]
  %r = arith.select %w, %g, %c : tensor<5x4xi1>, tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}

// Other bounds than those of the source; a clamp that moves coordinates in bounds.
// CHECK-LABEL: func.func @select_in_bounds_not
// CHECK-COUNT-2: arith.select
// CHECK: return
func.func @select_in_bounds_not(%x: tensor<9xf32>, %i: tensor<5xi32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %c = arith.constant dense<-1.0> : tensor<5xf32>
  %eight = arith.constant dense<8> : tensor<5xi32>
  %three = arith.constant dense<3> : tensor<5xi32>
  %nine = arith.constant dense<9> : tensor<5xi32>
  %m = arith.cmpi ult, %i, %eight : tensor<5xi32>
  %k = tensor.expand_shape %i [[0, 1]] output_shape [5, 1] : tensor<5xi32> into tensor<5x1xi32>
  %g = gs.gather %x[%k] gather_dims([0]) mode(clip)
      : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  %r = arith.select %m, %g, %c : tensor<5xi1>, tensor<5xf32>
  %n = arith.cmpi ult, %i, %nine : tensor<5xi32>
  %low = arith.minsi %i, %three : tensor<5xi32>
  %l = tensor.expand_shape %low [[0, 1]] output_shape [5, 1] : tensor<5xi32> into tensor<5x1xi32>
  %h = gs.gather %x[%l] gather_dims([0]) mode(clip)
      : (tensor<9xf32>, tensor<5x1xi32>) -> tensor<5xf32>
  %s = arith.select %n, %h, %c : tensor<5xi1>, tensor<5xf32>
  return %r, %s : tensor<5xf32>, tensor<5xf32>
}
