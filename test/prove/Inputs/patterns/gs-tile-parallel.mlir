// first: gs-generalize
// pass: gs-tile{sizes=4,8 loops=forall}
// status: proved
// note: tiles of 4 by 8

func.func @gather_0(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 2])
      : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_5(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 2]) mode(fill) wrap_negative fill_value(-0.000000e+00 : f32)
      : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_batches(%x: tensor<?x?x?xf32>, %i: tensor<?x?x1xui8>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([1]) mode(fill) batch_dims(1)
      : (tensor<?x?x?xf32>, tensor<?x?x1xui8>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_elements_1(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = gs.gather_elements %x[%i] dim(1) mode(clip)
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
