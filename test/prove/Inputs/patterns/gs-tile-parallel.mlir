// first: gs-generalize
// pass: gs-tile{sizes=4,8 loops=forall}
// status: proved
// note: tiles of 4 by 8

func.func @gather_0(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 0, 2>} : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_5(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 0, 2>, mode = "fill", wrap_negative, fill_value = -0.0 : f32} : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_batches(%x: tensor<?x?x?xf32>, %i: tensor<?x?x1xui8>) -> tensor<?x?x?xf32> {
  %r = "gs.gather"(%x, %i) {gather_dims = array<i64: 1>, batch_dims = 1 : i64, mode = "fill"} : (tensor<?x?x?xf32>, tensor<?x?x1xui8>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_elements_1(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = "gs.gather_elements"(%x, %i) {dim = 1 : i64, mode = "clip"} : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
