// first: gs-generalize
// pass: gs-tile{sizes=4}
// status: proved
// note: tiles of 4

func.func @gather_1(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 2]) mode(clip)
      : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_elements_0(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = gs.gather_elements %x[%i] dim(1) : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @scatter_2(%u: tensor<?x?x?xf32>, %d: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0, 2]) mode(drop) combine(max)
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @scatter_5(%u: tensor<?x?x?xf32>, %d: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0, 2]) mode(drop) wrap_negative
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  ^bb0(%old: f32, %new: f32):
    %both = arith.subf %old, %new : f32
    gs.yield %both : f32
  }
  return %r : tensor<?x?x?xf32>
}

func.func @scatter_7(%u: tensor<?x?x?xf32>, %d: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0, 2]) unique sorted mode(drop)
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @scatter_elements_4(%u: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = gs.scatter_elements %u into %d[%i] dim(0) unique combine(add)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
