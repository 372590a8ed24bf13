// pattern: compose_gathers
// status: proved
// any: k = 4, 7; c = 5, 8
// where: k > 0; c > 0

func.func @rows_0(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi64>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.gather %g[%k] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_1(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi64>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(fill) wrap_negative
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.gather %g[%k] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_2(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi64>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.gather %g[%k] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_3(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi64>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.gather %g[%k] gather_dims([0]) wrap_negative
      : (tensor<?x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_4(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi64>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(fill) fill_value(2.000000e+00 : f32)
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.gather %g[%k] gather_dims([0]) : (tensor<?x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @rows_5(%x: tensor<?x?xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi64>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) unique
      : (tensor<?x?xf32>, tensor<?x1xi32>) -> tensor<?x?xf32>
  %r = gs.gather %g[%k] gather_dims([0]) unique
      : (tensor<?x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @clipped_0(%x: tensor<?x$(k)xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi64>) -> tensor<?x$(k)xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(fill) wrap_negative
      : (tensor<?x$(k)xf32>, tensor<?x1xi32>) -> tensor<?x$(k)xf32>
  %r = gs.gather %g[%k] gather_dims([0]) mode(clip)
      : (tensor<?x$(k)xf32>, tensor<?x1xi64>) -> tensor<?x$(k)xf32>
  return %r : tensor<?x$(k)xf32>
}

func.func @clipped_1(%x: tensor<?x$(k)xf32>, %i: tensor<?x1xi32>, %k: tensor<?x1xi64>) -> tensor<?x$(k)xf32> {
  %g = gs.gather %x[%i] gather_dims([0])
      : (tensor<?x$(k)xf32>, tensor<?x1xi32>) -> tensor<?x$(k)xf32>
  %r = gs.gather %g[%k] gather_dims([0]) mode(clip) wrap_negative
      : (tensor<?x$(k)xf32>, tensor<?x1xi64>) -> tensor<?x$(k)xf32>
  return %r : tensor<?x$(k)xf32>
}

func.func @clipped_into_some(%x: tensor<?x?xf32>, %i: tensor<$(c)x1xi32>, %k: tensor<?x1xi64>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<?x?xf32>, tensor<$(c)x1xi32>) -> tensor<$(c)x?xf32>
  %r = gs.gather %g[%k] gather_dims([0]) mode(clip)
      : (tensor<$(c)x?xf32>, tensor<?x1xi64>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @two_index_dims(%x: tensor<?x?xf32>, %i: tensor<?x?x1xi32>, %k: tensor<?x2xindex>) -> tensor<?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0]) mode(fill)
      : (tensor<?x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  %r = gs.gather %g[%k] gather_dims([0, 1])
      : (tensor<?x?x?xf32>, tensor<?x2xindex>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @batches(%x: tensor<?x?xf32>, %i: tensor<?x?x1xi32>, %k: tensor<?x?x1xi64>) -> tensor<?x?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([0])
      : (tensor<?x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  %r = gs.gather %g[%k] gather_dims([1]) batch_dims(1)
      : (tensor<?x?x?xf32>, tensor<?x?x1xi64>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @both_batched(%x: tensor<?x?x?xf32>, %i: tensor<?x?x1xi32>, %k: tensor<?x?x1xi64>) -> tensor<?x?x?xf32> {
  %g = gs.gather %x[%i] gather_dims([1]) batch_dims(1)
      : (tensor<?x?x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  %r = gs.gather %g[%k] gather_dims([1]) batch_dims(1)
      : (tensor<?x?x?xf32>, tensor<?x?x1xi64>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}
