// pattern: concat_of_gathers
// status: proved
// any: k = 4, 6

func.func @rows_0(%x: tensor<?x$(k)xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi32>) -> tensor<?x$(k)xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?x$(k)xf32>, tensor<?x1xi32>) -> tensor<?x$(k)xf32>
  %h = gs.gather %x[%k] gather_dims([0]) mode(clip)
      : (tensor<?x$(k)xf32>, tensor<?x1xi32>) -> tensor<?x$(k)xf32>
  %r = tensor.concat dim(0) %g, %h : (tensor<?x$(k)xf32>, tensor<?x$(k)xf32>) -> tensor<?x$(k)xf32>
  return %r : tensor<?x$(k)xf32>
}

func.func @rows_1(%x: tensor<?x$(k)xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi32>) -> tensor<?x$(k)xf32> {
  %g = gs.gather %x[%i] gather_dims([0])
      : (tensor<?x$(k)xf32>, tensor<?x1xi32>) -> tensor<?x$(k)xf32>
  %h = gs.gather %x[%k] gather_dims([0])
      : (tensor<?x$(k)xf32>, tensor<?x1xi32>) -> tensor<?x$(k)xf32>
  %r = tensor.concat dim(0) %g, %h : (tensor<?x$(k)xf32>, tensor<?x$(k)xf32>) -> tensor<?x$(k)xf32>
  return %r : tensor<?x$(k)xf32>
}

func.func @rows_2(%x: tensor<?x$(k)xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi32>) -> tensor<?x$(k)xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<?x$(k)xf32>, tensor<?x1xi32>) -> tensor<?x$(k)xf32>
  %h = gs.gather %x[%k] gather_dims([0]) mode(fill)
      : (tensor<?x$(k)xf32>, tensor<?x1xi32>) -> tensor<?x$(k)xf32>
  %r = tensor.concat dim(0) %g, %h : (tensor<?x$(k)xf32>, tensor<?x$(k)xf32>) -> tensor<?x$(k)xf32>
  return %r : tensor<?x$(k)xf32>
}
