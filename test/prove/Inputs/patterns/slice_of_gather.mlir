// pattern: slice_of_gather
// status: proved
// any: m = 39, 42; s = 4, 5; k = 7, 6; c = 15, 18; q = 16, 19
// where: s + k <= m; c > 0; q > 0

func.func @rows(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %o: index, %n: index, %q: index, %m: index) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %s = tensor.extract_slice %g[%o, %q] [%n, %m] [1, 2] : tensor<?x?xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

func.func @filled_rows(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %o: index, %n: index, %m: index) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) unique mode(fill)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %s = tensor.extract_slice %g[%o, 3] [%n, %m] [3, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}

func.func @batches(%x: tensor<?x?x?xf32>, %i: tensor<?x?x1xi32>, %o: index, %n: index, %m: index, %k: index) -> tensor<?x?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([1]) batch_dims(1)
      : (tensor<?x?x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  %s = tensor.extract_slice %g[%o, 0, 1] [%n, %m, %k] [1, 1, 1] : tensor<?x?x?xf32> to tensor<?x?x?xf32>
  return %s : tensor<?x?x?xf32>
}

func.func @elements(%x: tensor<?x$(m)xf32>, %i: tensor<?x?xi32>, %o: index, %n: index) -> tensor<?x$(k)xf32> {
  %g = gs.gather_elements %x[%i] dim(0)
      : (tensor<?x$(m)xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  %s = tensor.extract_slice %g[%o, $s] [%n, $k] [2, 1] : tensor<?x?xf32> to tensor<?x$(k)xf32>
  return %s : tensor<?x$(k)xf32>
}

func.func @some_elements(%x: tensor<?x?xf32>, %i: tensor<$(c)x$(q)xi32>, %o: index, %n: index, %m: index) -> tensor<?x?xf32> {
  %g = gs.gather_elements %x[%i] dim(0)
      : (tensor<?x?xf32>, tensor<$(c)x$(q)xi32>) -> tensor<$(c)x$(q)xf32>
  %s = tensor.extract_slice %g[%o, $s] [%n, %m] [2, 1] : tensor<$(c)x$(q)xf32> to tensor<?x?xf32>
  return %s : tensor<?x?xf32>
}
