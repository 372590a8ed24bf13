// pattern: scatter_of_nothing
// status: proved

func.func @no_updates_0(%u: tensor<0x?xf32>, %d: tensor<?x?xf32>, %i: tensor<0x1xi32>) -> tensor<?x?xf32> {
  %r = "gs.scatter"(%u, %d, %i) ({}) {scatter_dims = array<i64: 0>} : (tensor<0x?xf32>, tensor<?x?xf32>, tensor<0x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @no_updates_1(%u: tensor<0x?xf32>, %d: tensor<?x?xf32>, %i: tensor<0x1xi32>) -> tensor<?x?xf32> {
  %r = "gs.scatter"(%u, %d, %i) ({
  ^bb0(%old: f32, %new: f32):
    %both = arith.addf %old, %new : f32
    "gs.yield"(%both) : (f32) -> ()
  }) {scatter_dims = array<i64: 0>, mode = "clip"} : (tensor<0x?xf32>, tensor<?x?xf32>, tensor<0x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @no_updates_2(%u: tensor<0x?xf32>, %d: tensor<?x?xf32>, %i: tensor<0x1xi32>) -> tensor<?x?xf32> {
  %r = "gs.scatter"(%u, %d, %i) ({}) {scatter_dims = array<i64: 0>, mode = "drop"} : (tensor<0x?xf32>, tensor<?x?xf32>, tensor<0x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @empty_slices(%u: tensor<?x0xf32>, %d: tensor<?x0xf32>, %i: tensor<?x1xi32>) -> tensor<?x0xf32> {
  %r = "gs.scatter"(%u, %d, %i) ({}) {scatter_dims = array<i64: 0>} : (tensor<?x0xf32>, tensor<?x0xf32>, tensor<?x1xi32>) -> tensor<?x0xf32>
  return %r : tensor<?x0xf32>
}

func.func @elements(%u: tensor<0x?xf32>, %d: tensor<?x?xf32>, %i: tensor<0x?xi32>) -> tensor<?x?xf32> {
  %r = "gs.scatter_elements"(%u, %d, %i) ({
  ^bb0(%old: f32, %new: f32):
    %both = arith.addf %old, %new : f32
    "gs.yield"(%both) : (f32) -> ()
  }) {dim = 0 : i64, mode = "drop"} : (tensor<0x?xf32>, tensor<?x?xf32>, tensor<0x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
