// pattern: slice_of_gather
// status: proved

func.func @rows(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %o: index, %n: index, %q: index, %m: index) -> tensor<?x?xf32> {
  %g = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>, mode = "clip"} : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %s = tensor.extract_slice %g[%o, %q] [%n, %m] [1, 2] : tensor<?x?xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

func.func @filled_rows(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %o: index, %n: index, %m: index) -> tensor<?x?xf32> {
  %g = "gs.gather"(%x, %i) {gather_dims = array<i64: 0>, mode = "fill", unique} : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %s = tensor.extract_slice %g[%o, 3] [%n, %m] [3, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

func.func @batches(%x: tensor<?x?x?xf32>, %i: tensor<?x?x1xi32>, %o: index, %n: index, %m: index, %k: index) -> tensor<?x?x?xf32> {
  %g = "gs.gather"(%x, %i) {gather_dims = array<i64: 1>, batch_dims = 1 : i64} : (tensor<?x?x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  %s = tensor.extract_slice %g[%o, 0, 1] [%n, %m, %k] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?x?xf32>
  return %s : tensor<?x?x?xf32>
}

func.func @elements(%x: tensor<?x9xf32>, %i: tensor<?x?xi32>, %o: index, %n: index) -> tensor<?x3xf32> {
  %g = "gs.gather_elements"(%x, %i) {dim = 0 : i64} : (tensor<?x9xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %s = tensor.extract_slice %g[%o, 4] [%n, 3] [2, 1] : tensor<?x?xf32> to tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}

func.func @some_elements(%x: tensor<?x?xf32>, %i: tensor<5x6xi32>, %o: index, %n: index, %m: index) -> tensor<?x?xf32> {
  %g = "gs.gather_elements"(%x, %i) {dim = 0 : i64} : (tensor<?x?xf32>, tensor<5x6xi32>) -> tensor<5x6xf32>
  %s = tensor.extract_slice %g[%o, 4] [%n, %m] [2, 1] : tensor<5x6xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}
