// pattern: scatter_back
// status: proved

func.func @rows_0(%d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = "gs.gather"(%d, %i) {gather_dims = array<i64: 0>} : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter"(%g, %d, %i) ({}) {scatter_dims = array<i64: 0>} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_1(%d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = "gs.gather"(%d, %i) {gather_dims = array<i64: 0>} : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter"(%g, %d, %i) ({}) {scatter_dims = array<i64: 0>, mode = "drop"} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_2(%d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = "gs.gather"(%d, %i) {gather_dims = array<i64: 0>, mode = "fill"} : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter"(%g, %d, %i) ({}) {scatter_dims = array<i64: 0>} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_3(%d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = "gs.gather"(%d, %i) {gather_dims = array<i64: 0>, mode = "fill"} : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter"(%g, %d, %i) ({}) {scatter_dims = array<i64: 0>, mode = "drop"} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_4(%d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = "gs.gather"(%d, %i) {gather_dims = array<i64: 0>, mode = "clip"} : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter"(%g, %d, %i) ({}) {scatter_dims = array<i64: 0>, mode = "clip"} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_5(%d: tensor<?x?xf32>, %i: tensor<?x1xi32>) -> tensor<?x?xf32> {
  %g = "gs.gather"(%d, %i) {gather_dims = array<i64: 0>, mode = "fill", wrap_negative} : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter"(%g, %d, %i) ({}) {scatter_dims = array<i64: 0>, mode = "drop", wrap_negative} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @elements(%d: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %g = "gs.gather_elements"(%d, %i) {dim = 1 : i64, mode = "fill"} : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %r = "gs.scatter_elements"(%g, %d, %i) ({}) {dim = 1 : i64, mode = "drop"} : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @batches(%d: tensor<?x?x?xf32>, %i: tensor<?x?x1xi32>) -> tensor<?x?x?xf32> {
  %g = "gs.gather"(%d, %i) {gather_dims = array<i64: 1>, batch_dims = 1 : i64, mode = "clip"} : (tensor<?x?x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  %r = "gs.scatter"(%g, %d, %i) ({}) {scatter_dims = array<i64: 1>, batch_dims = 1 : i64, mode = "clip"} : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
