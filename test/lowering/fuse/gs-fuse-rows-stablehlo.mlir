// RUN: gs-opt %s --gs-import-stablehlo --gs-optimize --split-input-file | filecheck %s

// What JAX gives for computing with gathered rows is one op, without an array of the rows.

// x[ids] @ w
// CHECK-LABEL: func.func @product
// CHECK: gs.generic (d0, d1, d2) [s0 = %{{.*}}[d0, 0] mode(clip) wrap_negative]
// CHECK-SAME: ins(%arg0[s0, d2], %arg2[d2, d1]) outs(%{{.*}}[d0, d1])
// CHECK-SAME: iterators(d0 = parallel, d1 = parallel, d2 = reduction)
// CHECK: gs.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @product(%arg0: tensor<1000x512xf32>, %arg1: tensor<64xi32>, %arg2: tensor<512x256xf32>) -> (tensor<64x256xf32> {jax.result_info = "result"}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<64xi32>
  %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
  %c_0 = stablehlo.constant dense<1000> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<64xi32>
  %3 = stablehlo.add %arg1, %2 : tensor<64xi32>
  %4 = stablehlo.select %1, %3, %arg1 : tensor<64xi1>, tensor<64xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
  %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 512>}> : (tensor<1000x512xf32>, tensor<64x1xi32>) -> tensor<64x512xf32>
  %7 = stablehlo.dot_general %6, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<64x512xf32>, tensor<512x256xf32>) -> tensor<64x256xf32>
  return %7 : tensor<64x256xf32>
}

// -----

// x[ids].astype(float32) * scales[ids][:, None]
// CHECK-LABEL: func.func @quantized
// CHECK: gs.generic (d0, d1) {{.*}} ins(%arg0[s0, d1], %arg1[s0]) outs(%{{.*}}[d0, d1])
// CHECK: arith.sitofp
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: gs.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @quantized(%arg0: tensor<1000x64xi8>, %arg1: tensor<1000xf32>, %arg2: tensor<64xi32>) -> (tensor<64x64xf32> {jax.result_info = "result"}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<64xi32>
  %1 = stablehlo.compare LT, %arg2, %0, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
  %c_0 = stablehlo.constant dense<1000> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<64xi32>
  %3 = stablehlo.add %arg2, %2 : tensor<64xi32>
  %4 = stablehlo.select %1, %3, %arg2 : tensor<64xi1>, tensor<64xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
  %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<1000x64xi8>, tensor<64x1xi32>) -> tensor<64x64xi8>
  %7 = stablehlo.convert %6 : (tensor<64x64xi8>) -> tensor<64x64xf32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %8 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<64xi32>
  %9 = stablehlo.compare LT, %arg2, %8, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
  %c_2 = stablehlo.constant dense<1000> : tensor<i32>
  %10 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<64xi32>
  %11 = stablehlo.add %arg2, %10 : tensor<64xi32>
  %12 = stablehlo.select %9, %11, %arg2 : tensor<64xi1>, tensor<64xi32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
  %14 = "stablehlo.gather"(%arg1, %13) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<1000xf32>, tensor<64x1xi32>) -> tensor<64xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x64xf32>
  %17 = stablehlo.multiply %7, %16 : tensor<64x64xf32>
  return %17 : tensor<64x64xf32>
}

// -----

// (x[ids] * w[..., None]).sum(1)
// CHECK-LABEL: func.func @bags
// CHECK: gs.generic (d0, d1, d2) [s0 = %{{.*}}[d0, d2, 0] mode(clip) wrap_negative]
// CHECK-SAME: ins(%arg0[s0, d1], %{{.*}}[d0, d2, 0]) outs(%{{.*}}[d0, d1])
// CHECK-SAME: iterators(d0 = parallel, d1 = parallel, d2 = reduction)
// CHECK: gs.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @bags(%arg0: tensor<1000x64xf32>, %arg1: tensor<32x8xi32>, %arg2: tensor<32x8xf32>) -> (tensor<32x64xf32> {jax.result_info = "result"}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<32x8xi32>
  %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<32x8xi32>, tensor<32x8xi32>) -> tensor<32x8xi1>
  %c_0 = stablehlo.constant dense<1000> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<32x8xi32>
  %3 = stablehlo.add %arg1, %2 : tensor<32x8xi32>
  %4 = stablehlo.select %1, %3, %arg1 : tensor<32x8xi1>, tensor<32x8xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<32x8xi32>) -> tensor<32x8x1xi32>
  %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<1000x64xf32>, tensor<32x8x1xi32>) -> tensor<32x8x64xf32>
  %7 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<32x8xf32>) -> tensor<32x8x1xf32>
  %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<32x8x1xf32>) -> tensor<32x8x64xf32>
  %9 = stablehlo.multiply %6, %8 : tensor<32x8x64xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %10 = stablehlo.reduce(%9 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<32x8x64xf32>, tensor<f32>) -> tensor<32x64xf32>
  return %10 : tensor<32x64xf32>
}
