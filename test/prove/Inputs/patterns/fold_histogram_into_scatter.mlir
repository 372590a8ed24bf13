// pattern: fold_histogram_into_scatter
// status: tested only: what a bin holds is a fold over the updates of one coordinate, which is not stated to the solver

func.func @rfc_max(%u: tensor<?x6xf32>, %dest: tensor<4x?x6xf32>, %i: tensor<?x2xindex>) -> tensor<4x?x6xf32> {
  %g = gs.gather %dest[%i] gather_dims([0, 1])
      : (tensor<4x?x6xf32>, tensor<?x2xindex>) -> tensor<?x6xf32>
  %n = arith.maximumf %u, %g : tensor<?x6xf32>
  %c, %ui = gs.histogram %n at %i combine(max)
      : (tensor<?x6xf32>, tensor<?x2xindex>) -> (tensor<?x6xf32>, tensor<?x2xindex>)
  %r = gs.scatter %c into %dest[%ui] scatter_dims([0, 1]) unique
      : (tensor<?x6xf32>, tensor<4x?x6xf32>, tensor<?x2xindex>) -> tensor<4x?x6xf32>
  return %r : tensor<4x?x6xf32>
}
