// RUN: gs-opt %s --gs-import-stablehlo --gs-optimize --gs-bufferize --split-input-file | filecheck %s

// Softmax over segments as JAX spells it: what is stored beside the result has an element for each
// segment. Quotients are written over the exponentials.

// CHECK-LABEL: func.func @softmax
// CHECK: memref.alloc() {{.*}} : memref<50xf32>
// CHECK: arith.maximumf
// CHECK: memref.alloc() {{.*}} : memref<400xf32>
// CHECK: math.exp
// CHECK: arith.addf
// CHECK: outs(%[[RESULT:[a-z_0-9]+]][d0]) iterators(d0 = parallel)
// CHECK: arith.divf
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return %[[RESULT]] : memref<400xf32>
func.func @softmax(%arg0: tensor<400xf32>, %arg1: tensor<400xi32>) -> (tensor<400xf32> {jax.result_info = "result"}) {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<50xf32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<400xi32>) -> tensor<400x1xi32>
  %2 = "stablehlo.scatter"(%0, %1, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %23 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
    stablehlo.return %23 : tensor<f32>
  }) : (tensor<50xf32>, tensor<400x1xi32>, tensor<400xf32>) -> tensor<50xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<400xi32>
  %4 = stablehlo.compare LT, %arg1, %3, SIGNED : (tensor<400xi32>, tensor<400xi32>) -> tensor<400xi1>
  %c_0 = stablehlo.constant dense<50> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<400xi32>
  %6 = stablehlo.add %arg1, %5 : tensor<400xi32>
  %7 = stablehlo.select %4, %6, %arg1 : tensor<400xi1>, tensor<400xi32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<400xi32>) -> tensor<400x1xi32>
  %9 = "stablehlo.gather"(%2, %8) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<50xf32>, tensor<400x1xi32>) -> tensor<400xf32>
  %10 = stablehlo.subtract %arg0, %9 : tensor<400xf32>
  %11 = stablehlo.exponential %10 : tensor<400xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<50xf32>
  %13 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<400xi32>) -> tensor<400x1xi32>
  %14 = "stablehlo.scatter"(%12, %13, %11) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %23 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %23 : tensor<f32>
  }) : (tensor<50xf32>, tensor<400x1xi32>, tensor<400xf32>) -> tensor<50xf32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %15 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<400xi32>
  %16 = stablehlo.compare LT, %arg1, %15, SIGNED : (tensor<400xi32>, tensor<400xi32>) -> tensor<400xi1>
  %c_3 = stablehlo.constant dense<50> : tensor<i32>
  %17 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<400xi32>
  %18 = stablehlo.add %arg1, %17 : tensor<400xi32>
  %19 = stablehlo.select %16, %18, %arg1 : tensor<400xi1>, tensor<400xi32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<400xi32>) -> tensor<400x1xi32>
  %21 = "stablehlo.gather"(%14, %20) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<50xf32>, tensor<400x1xi32>) -> tensor<400xf32>
  %22 = stablehlo.divide %11, %21 : tensor<400xf32>
  return %22 : tensor<400xf32>
}

// -----

// y * (g - segment_sum(g * y)[ids]): no products and no sums of rows are stored.
// CHECK-LABEL: func.func @gradient
// CHECK-DAG: memref.alloc() {{.*}} : memref<400x8xf32>
// CHECK-DAG: memref.alloc() {{.*}} : memref<50x8xf32>
// CHECK: gs.generic {{.*}} iterators(d0 = reduction, d1 = parallel)
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: memref.alloc
// CHECK: gs.generic {{.*}} iterators(d0 = parallel, d1 = parallel)
// CHECK: arith.subf
// CHECK: arith.mulf
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @gradient(%arg0: tensor<400x8xf32>, %arg1: tensor<400x8xf32>, %arg2: tensor<400xi32>) -> (tensor<400x8xf32> {jax.result_info = "result"}) {
  %0 = stablehlo.multiply %arg0, %arg1 : tensor<400x8xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<50x8xf32>
  %2 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<400xi32>) -> tensor<400x1xi32>
  %3 = "stablehlo.scatter"(%1, %2, %0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %13 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %13 : tensor<f32>
  }) : (tensor<50x8xf32>, tensor<400x1xi32>, tensor<400x8xf32>) -> tensor<50x8xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<400xi32>
  %5 = stablehlo.compare LT, %arg2, %4, SIGNED : (tensor<400xi32>, tensor<400xi32>) -> tensor<400xi1>
  %c_0 = stablehlo.constant dense<50> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<400xi32>
  %7 = stablehlo.add %arg2, %6 : tensor<400xi32>
  %8 = stablehlo.select %5, %7, %arg2 : tensor<400xi1>, tensor<400xi32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<400xi32>) -> tensor<400x1xi32>
  %10 = "stablehlo.gather"(%3, %9) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 8>}> : (tensor<50x8xf32>, tensor<400x1xi32>) -> tensor<400x8xf32>
  %11 = stablehlo.subtract %arg0, %10 : tensor<400x8xf32>
  %12 = stablehlo.multiply %arg1, %11 : tensor<400x8xf32>
  return %12 : tensor<400x8xf32>
}
