// pass: gs-fuse-coordinates
// status: proved

func.func @added(%x: tensor<?xf32>, %y: tensor<?xi32>, %z: tensor<?xi32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?xi32>
  %0 = tensor.empty(%n) : tensor<?xi32>
  %i = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      ins(%y, %z : tensor<?xi32>, tensor<?xi32>) outs(%0 : tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %k = arith.addi %a, %b : i32
    linalg.yield %k : i32
  } -> tensor<?xi32>
  %1 = tensor.empty(%n) : tensor<?xf32>
  %r = gs.generic (d) [s = %i[d]] ins(%x[s]) outs(%1[d])
      iterators(d = parallel) : (tensor<?xf32>, tensor<?xi32>, tensor<?xf32>) -> tensor<?xf32> {
  ^bb0(%a: f32, %b: f32):
    gs.yield %a : f32
  }
  return %r : tensor<?xf32>
}

func.func @masked(%x: tensor<?x?xf32>, %k: tensor<?x?xi64>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mask = arith.constant 7 : i64
  %n = tensor.dim %k, %c0 : tensor<?x?xi64>
  %m = tensor.dim %k, %c1 : tensor<?x?xi64>
  %0 = tensor.empty(%n, %m) : tensor<?x?xi64>
  %i = linalg.generic {indexing_maps = [affine_map<(d, e) -> (d, e)>, affine_map<(d, e) -> (d, e)>], iterator_types = ["parallel", "parallel"]}
      ins(%k : tensor<?x?xi64>) outs(%0 : tensor<?x?xi64>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.andi %a, %mask : i64
    linalg.yield %c : i64
  } -> tensor<?x?xi64>
  %1 = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = gs.generic (d, e) [s = %i[d, e]] ins(%x[s, s]) outs(%1[d, e])
      iterators(d = parallel, e = parallel)
      : (tensor<?x?xf32>, tensor<?x?xi64>, tensor<?x?xf32>) -> tensor<?x?xf32> {
  ^bb0(%a: f32, %b: f32):
    %p = arith.negf %a : f32
    gs.yield %p : f32
  }
  return %r : tensor<?x?xf32>
}
