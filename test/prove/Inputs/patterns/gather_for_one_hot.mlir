// pattern: gather_for_one_hot
// status: tested only: a sum of products in which one does not vanish is not stated to the solver

#m = affine_map<(m, k) -> (m)>
#mk = affine_map<(m, k) -> (m, k)>

func.func @gather_for_one_hot(%x: tensor<9x4xi32>, %i: tensor<?xi64>, %n: index) -> tensor<?x4xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty(%n) : tensor<?x9xi32>
  %h = linalg.generic {indexing_maps = [#m, #mk], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<?xi64>) outs(%e : tensor<?x9xi32>) {
  ^bb0(%a: i64, %o: i32):
    %k = linalg.index 1 : index
    %c = arith.index_cast %k : index to i64
    %q = arith.cmpi eq, %a, %c : i64
    %z = arith.extui %q : i1 to i32
    linalg.yield %z : i32
  } -> tensor<?x9xi32>
  %f = tensor.empty(%n) : tensor<?x4xi32>
  %y = linalg.fill ins(%zero : i32) outs(%f : tensor<?x4xi32>) -> tensor<?x4xi32>
  %r = linalg.matmul ins(%h, %x : tensor<?x9xi32>, tensor<9x4xi32>) outs(%y : tensor<?x4xi32>) -> tensor<?x4xi32>
  return %r : tensor<?x4xi32>
}

func.func @gather_for_one_hot_of_fast_floats(%x: tensor<9x4xf32>, %i: tensor<5xi32>) -> tensor<5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<5x9xf32>
  %h = linalg.generic {indexing_maps = [#m, #mk], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<5xi32>) outs(%e : tensor<5x9xf32>) {
  ^bb0(%a: i32, %o: f32):
    %k = linalg.index 1 : index
    %c = arith.index_cast %k : index to i32
    %q = arith.cmpi eq, %c, %a : i32
    %z = arith.select %q, %one, %zero : f32
    linalg.yield %z : f32
  } -> tensor<5x9xf32>
  %f = tensor.empty() : tensor<5x4xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<5x4xf32>) -> tensor<5x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%h, %x : tensor<5x9xf32>, tensor<9x4xf32>) outs(%y : tensor<5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b fastmath<nnan,ninf,nsz> : f32
    %s = arith.addf %c, %p fastmath<fast> : f32
    linalg.yield %s : f32
  } -> tensor<5x4xf32>
  return %r : tensor<5x4xf32>
}
