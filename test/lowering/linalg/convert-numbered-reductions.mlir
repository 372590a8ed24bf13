// RUN: gs-opt %s --convert-products-to-gs | filecheck %s

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The place along the reduced dim is read, of the type that it is cast to.
// CHECK-LABEL: func.func @argmax
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>
// CHECK: %[[SIZE:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[N:.*]] = tensor.generate %[[SIZE]]
// CHECK: arith.index_cast %{{.*}} : index to i32
// CHECK: gs.generic (d0, d1)
// CHECK-SAME: ins(%[[X]][d0, d1], %[[N]][d1])
// CHECK-NOT: linalg.index
func.func @argmax(%x: tensor<?x?xf32>, %v: tensor<?xf32>, %k: tensor<?xi32>) -> tensor<?xi32> {
  %r:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%v, %k : tensor<?xf32>, tensor<?xi32>) {
  ^bb0(%in: f32, %best: f32, %at: i32):
    %p = linalg.index 1 : index
    %n = arith.index_cast %p : index to i32
    %c = arith.cmpf oge, %best, %in : f32
    %b = arith.select %c, %best, %in : f32
    %a = arith.select %c, %at, %n : i32
    linalg.yield %b, %a : f32, i32
  } -> (tensor<?xf32>, tensor<?xi32>)
  return %r#1 : tensor<?xi32>
}

// Two types of two places; one of them is an index.
// CHECK-LABEL: func.func @places
// CHECK-DAG: tensor<3xindex>
// CHECK-DAG: tensor<4xindex>
// CHECK-DAG: tensor<4xi64>
// CHECK: gs.generic
// CHECK-NOT: linalg.index
func.func @places(%x: tensor<3x4xi64>, %k: tensor<3xi64>) -> tensor<3xi64> {
  %r = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x4xi64>) outs(%k : tensor<3xi64>) {
  ^bb0(%in: i64, %sum: i64):
    %p = linalg.index 1 : index
    %q = linalg.index 0 : index
    %n = arith.index_cast %p : index to i64
    %s = arith.addi %p, %q : index
    %m = arith.index_cast %s : index to i64
    %t = arith.muli %m, %n : i64
    %u = arith.muli %t, %in : i64
    %y = arith.addi %sum, %u : i64
    linalg.yield %y : i64
  } -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// One row has no other beside it, and what does not reduce is in vectors already.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-2: linalg.index
// CHECK-NOT: gs.generic
func.func @stays(%x: tensor<1x9xf32>, %k: tensor<1xindex>, %m: tensor<1x9xindex>)
    -> (tensor<1xindex>, tensor<1x9xindex>) {
  %r = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<1x9xf32>) outs(%k : tensor<1xindex>) {
  ^bb0(%in: f32, %at: index):
    %p = linalg.index 1 : index
    %c = arith.cmpf oeq, %in, %in : f32
    %a = arith.select %c, %at, %p : index
    linalg.yield %a : index
  } -> tensor<1xindex>
  %s = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]}
      outs(%m : tensor<1x9xindex>) {
  ^bb0(%at: index):
    %p = linalg.index 1 : index
    linalg.yield %p : index
  } -> tensor<1x9xindex>
  return %r, %s : tensor<1xindex>, tensor<1x9xindex>
}
