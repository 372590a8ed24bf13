// compile
func.func @copies(%table: memref<16x2048xf32>, %indices: memref<8xi64>,
    %out: memref<8x2048xf32>) {
  gs.generic (d0, d1) [s0 = %indices[d0]]
      ins(%table[s0, d1]) outs(%out[d0, d1]) iterators(d0 = parallel, d1 = parallel)
      : (memref<16x2048xf32>, memref<8xi64>, memref<8x2048xf32>) -> () {
  ^bb0(%x: f32, %current: f32):
    gs.yield %x : f32
  }
  return
}


module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<4x6xui8>, %i: tensor<3x1xi32>)
      -> (tensor<3x6xui8> {jax.result_info = "result"}) {
    %r = call @rows(%x, %i) : (tensor<4x6xui8>, tensor<3x1xi32>) -> tensor<3x6xui8>
    %c = stablehlo.constant dense<200> : tensor<3x6xui8>
    %m = stablehlo.maximum %r, %c : tensor<3x6xui8>
    return %m : tensor<3x6xui8>
  }
  func.func private @rows(%x: tensor<4x6xui8>, %i: tensor<3x1xi32>) -> tensor<3x6xui8> {
    %r = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
        slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xui8>, tensor<3x1xi32>) -> tensor<3x6xui8>
    return %r : tensor<3x6xui8>
  }
}
