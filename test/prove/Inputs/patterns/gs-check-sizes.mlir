// pass: gs-check-sizes
// status: proved
// any: r = 13, 15; q = 23, 24; o = 31, 29; p = 33, 34
// where: r > 0; q > 0
// also: o + 3 * (r - 1) + 1; p + 4 * (q - 1) + 1; p + 4 * (q - 1); 3 * (r - 1); 4 * (q - 1)

func.func @gather_0(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 2])
      : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_1(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 2]) mode(clip)
      : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_2(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 2]) mode(fill)
      : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_3(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 2]) mode(error)
      : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_4(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 2]) mode(clip) wrap_negative
      : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_5(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 2]) mode(fill) wrap_negative fill_value(-0.000000e+00 : f32)
      : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_6(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 2]) mode(error) wrap_negative
      : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_7(%x: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([0, 2]) unique sorted
      : (tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_kept(%x: tensor<?x?x?xf32>, %i: tensor<?x1xi1>) -> tensor<?x?x1x?xf32> {
  %r = gs.gather %x[%i] gather_dims([1]) mode(fill)
      : (tensor<?x?x?xf32>, tensor<?x1xi1>) -> tensor<?x?x1x?xf32>
  return %r : tensor<?x?x1x?xf32>
}

func.func @gather_batches(%x: tensor<?x?x?xf32>, %i: tensor<?x?x1xui8>) -> tensor<?x?x?xf32> {
  %r = gs.gather %x[%i] gather_dims([1]) mode(fill) batch_dims(1)
      : (tensor<?x?x?xf32>, tensor<?x?x1xui8>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_one(%x: tensor<?xf32>, %i: tensor<1xindex>) -> tensor<f32> {
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip)
      : (tensor<?xf32>, tensor<1xindex>) -> tensor<f32>
  return %r : tensor<f32>
}

func.func @scatter_0(%u: tensor<?x?x?xf32>, %d: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0, 2])
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @scatter_1(%u: tensor<?x?x?xf32>, %d: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0, 2]) mode(clip) combine(add)
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @scatter_2(%u: tensor<?x?x?xf32>, %d: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0, 2]) mode(drop) combine(max)
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @scatter_3(%u: tensor<?x?x?xf32>, %d: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0, 2]) mode(error) combine(add)
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @scatter_4(%u: tensor<?x?x?xf32>, %d: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0, 2]) mode(clip) wrap_negative
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

func.func @scatter_6(%u: tensor<?x?x?xf32>, %d: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0, 2]) unique combine(add)
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @scatter_7(%u: tensor<?x?x?xf32>, %d: tensor<?x?x?xf32>, %i: tensor<?x?x2xi32>) -> tensor<?x?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([0, 2]) unique sorted mode(drop)
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x2xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @scatter_batches(%u: tensor<?x?x?xf32>, %d: tensor<?x?x?xf32>, %i: tensor<?x?x1xi32>) -> tensor<?x?x?xf32> {
  %r = gs.scatter %u into %d[%i] scatter_dims([1]) mode(drop) batch_dims(1) combine(add)
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x1xi32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

func.func @gather_elements_0(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = gs.gather_elements %x[%i] dim(1) : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @gather_elements_1(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = gs.gather_elements %x[%i] dim(1) mode(clip)
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @gather_elements_2(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = gs.gather_elements %x[%i] dim(1) mode(fill)
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @gather_elements_3(%x: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = gs.gather_elements %x[%i] dim(1) mode(error) wrap_negative
      : (tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @scatter_elements_0(%u: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = gs.scatter_elements %u into %d[%i] dim(0) combine(add)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @scatter_elements_1(%u: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = gs.scatter_elements %u into %d[%i] dim(0) mode(clip)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @scatter_elements_2(%u: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = gs.scatter_elements %u into %d[%i] dim(0) mode(drop) wrap_negative combine(min)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @scatter_elements_3(%u: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = gs.scatter_elements %u into %d[%i] dim(0) mode(error)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @scatter_elements_4(%u: tensor<?x?xf32>, %d: tensor<?x?xf32>, %i: tensor<?x?xi32>) -> tensor<?x?xf32> {
  %r = gs.scatter_elements %u into %d[%i] dim(0) unique combine(add)
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @strided_slice(%x: tensor<?x?xf32>) -> tensor<$(r)x$(q)xf32> {
  %r = "gs.strided_slice"(%x) {offsets = array<i64: $o, $p>, sizes = array<i64: $(3 * (r - 1) + 1), $(4 * (q - 1) + 1)>, strides = array<i64: 3, -4>} : (tensor<?x?xf32>) -> tensor<$(r)x$(q)xf32>
  return %r : tensor<$(r)x$(q)xf32>
}
