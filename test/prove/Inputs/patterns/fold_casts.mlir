// pattern: fold_casts
// status: proved
// any: n = 9, 12; m = 5, 7; k = 4, 8; b = 6, 3

func.func @rows(%x: tensor<$(n)x?xf32>, %i: tensor<$(m)x1xi32>, %u: tensor<$(m)x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %a = tensor.cast %x : tensor<$(n)x?xf32> to tensor<?x?xf32>
  %b = tensor.cast %i : tensor<$(m)x1xi32> to tensor<?x1xi32>
  %c = tensor.cast %u : tensor<$(m)x?xf32> to tensor<?x?xf32>
  %g = gs.gather %a[%b] gather_dims([0]) mode(clip)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %s = gs.scatter %c into %a[%b] scatter_dims([0]) combine(add)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  return %g, %s : tensor<?x?xf32>, tensor<?x?xf32>
}

func.func @elements(%x: tensor<?x$(k)xf32>, %i: tensor<?x$(k)xi32>) -> tensor<?x?xf32> {
  %a = tensor.cast %x : tensor<?x$(k)xf32> to tensor<?x?xf32>
  %b = tensor.cast %i : tensor<?x$(k)xi32> to tensor<?x?xi32>
  %g = gs.gather_elements %a[%b] dim(0) mode(fill)
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %g : tensor<?x?xf32>
}

func.func @batches(%x: tensor<$(b)x$(k)x?xf32>, %i: tensor<?x$(k)x?x2xi64>) -> tensor<?x$(k)x?xf32> {
  %a = tensor.cast %x : tensor<$(b)x$(k)x?xf32> to tensor<?x?x?xf32>
  %g = gs.gather %a[%i] gather_dims([1, 2]) batch_dims(1)
      : (tensor<?x?x?xf32>, tensor<?x$(k)x?x2xi64>) -> tensor<?x$(k)x?xf32>
  return %g : tensor<?x$(k)x?xf32>
}
