func.func @set(%updates: tensor<?x64xf32>,
    %dest: tensor<?x64xf32> {bufferization.writable = true}, %places: tensor<?x1xi32>)
    -> tensor<?x64xf32> {
  %r = gs.scatter %updates into %dest[%places] scatter_dims([0]) unique
      : (tensor<?x64xf32>, tensor<?x64xf32>, tensor<?x1xi32>) -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}
