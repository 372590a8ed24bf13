// As warp_clip.mlir, but outside of the photograph all is dark.
func.func @warp(%photo: tensor<?x?x3xui8>, %from: tensor<?x?x2xi32>) -> tensor<?x?x3xui8> {
  %image = gs.gather %photo[%from] gather_dims([0, 1]) mode(fill) fill_value(32 : ui8)
      : (tensor<?x?x3xui8>, tensor<?x?x2xi32>) -> tensor<?x?x3xui8>
  return %image : tensor<?x?x3xui8>
}
