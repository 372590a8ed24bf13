// RUN: gs-opt %s --gs-raise | filecheck %s
// RUN: gs-opt %s --gs-raise --gs-explain 2>&1 | filecheck %s --check-prefix=WHY

// What is asserted to be in bounds is under mode error.

// CHECK-LABEL: func.func @asserted
// CHECK: gs.generic (d0, d1) [s0 = %arg1[d0] mode(error)] ins(%arg0[s0, d1]) outs(%arg2[d0, d1])
// CHECK-NOT: cf.assert
#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @asserted(%x: tensor<?x4xf32>, %c: tensor<?xi64>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %r = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<?xi64>) outs(%o : tensor<?x4xf32>) {
  ^bb0(%in: i64, %out: f32):
    %i = arith.index_cast %in : i64 to index
    %j = linalg.index 1 : index
    %n = tensor.dim %x, %c0 : tensor<?x4xf32>
    %below = arith.cmpi slt, %i, %n : index
    cf.assert %below, "too large"
    %above = arith.cmpi sge, %in, %zero : i64
    cf.assert %above, "negative"
    %e = tensor.extract %x[%i, %j] : tensor<?x4xf32>
    linalg.yield %e : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// Mode error would look at the coordinates also where the rows are empty.

// CHECK-LABEL: func.func @asserted_of_any_width
// CHECK-NOT: gs.generic
// WHY: a coordinate is asserted in a loop that may have no steps
func.func @asserted_of_any_width(%x: tensor<8x?xf32>, %c: tensor<?xindex>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %n = arith.constant 8 : index
  %r = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<?xindex>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%i: index, %out: f32):
    %j = linalg.index 1 : index
    %in = arith.cmpi ult, %i, %n : index
    cf.assert %in, "out of bounds"
    %e = tensor.extract %x[%i, %j] : tensor<8x?xf32>
    linalg.yield %e : f32
  } -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Both bounds have to be asserted, of what is read.

// CHECK-LABEL: func.func @half_asserted
// CHECK-NOT: gs.generic
// WHY: an assertion is about more than bounds
func.func @half_asserted(%x: tensor<8xf32>, %c: tensor<?xindex>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %n = arith.constant 8 : index
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%c : tensor<?xindex>) outs(%o : tensor<?xf32>) {
  ^bb0(%i: index, %out: f32):
    %in = arith.cmpi slt, %i, %n : index
    cf.assert %in, "out of bounds"
    %e = tensor.extract %x[%i] : tensor<8xf32>
    linalg.yield %e : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}
