// pattern: gather_of_constants
// status: proved
// limits: all is constant

func.func @coordinates() -> tensor<2x1xi32> {
  %c = arith.constant dense<[[1], [7], [5]]> : tensor<3x1xi32>
  %k = arith.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %r = gs.gather %c[%k] gather_dims([0]) : (tensor<3x1xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
  return %r : tensor<2x1xi32>
}

func.func @wrapped_and_clipped() -> tensor<3xi32> {
  %x = arith.constant dense<[10, 20, 30]> : tensor<3xi32>
  %i = arith.constant dense<[[-1], [-9], [7]]> : tensor<3x1xi32>
  %r = gs.gather %x[%i] gather_dims([0]) mode(clip) wrap_negative
      : (tensor<3xi32>, tensor<3x1xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

func.func @elements_of_floats() -> tensor<1x2xf32> {
  %z = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %m = arith.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %r = gs.gather_elements %z[%m] dim(0) mode(fill)
      : (tensor<2x2xf32>, tensor<1x2xi32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}
