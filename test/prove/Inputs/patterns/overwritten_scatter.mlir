// pattern: overwritten_scatter
// status: proved

func.func @rows_0(%u: tensor<?x?xf32>, %v: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = "gs.scatter"(%u, %d, %i) ({}) {scatter_dims = array<i64: 0>} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter"(%v, %s, %i) ({}) {scatter_dims = array<i64: 0>} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_1(%u: tensor<?x?xf32>, %v: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = "gs.scatter"(%u, %d, %i) ({}) {scatter_dims = array<i64: 0>, mode = "clip"} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter"(%v, %s, %i) ({}) {scatter_dims = array<i64: 0>, mode = "clip"} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_2(%u: tensor<?x?xf32>, %v: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = "gs.scatter"(%u, %d, %i) ({
  ^bb0(%old: f32, %new: f32):
    %both = arith.addf %old, %new : f32
    "gs.yield"(%both) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>, mode = "drop"} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter"(%v, %s, %i) ({}) {scatter_dims = array<i64: 0>, mode = "drop"} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_3(%u: tensor<?x?xf32>, %v: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = "gs.scatter"(%u, %d, %i) ({}) {scatter_dims = array<i64: 0>, mode = "drop", wrap_negative} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter"(%v, %s, %i) ({}) {scatter_dims = array<i64: 0>, mode = "drop", wrap_negative} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_4(%u: tensor<?x?xf32>, %v: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %s = "gs.scatter"(%u, %d, %i) ({
  ^bb0(%old: f32, %new: f32):
    %both = arith.mulf %old, %new : f32
    "gs.yield"(%both) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>, unique} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter"(%v, %s, %i) ({}) {scatter_dims = array<i64: 0>, unique} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @elements(%u: tensor<?x?xf32>, %v: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %s = "gs.scatter_elements"(%u, %d, %i) ({
  ^bb0(%old: f32, %new: f32):
    %both = arith.addf %old, %new : f32
    "gs.yield"(%both) : (f32) -> ()
  }) {dim = 0 : i64, mode = "drop"} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter_elements"(%v, %s, %i) ({}) {dim = 0 : i64, mode = "drop"} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
