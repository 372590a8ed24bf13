// Warping a photograph: each pixel of the result says from which row and column it comes.
// Outside of the photograph its border goes on.
func.func @warp(%photo: tensor<?x?x3xui8>, %from: tensor<?x?x2xi32>) -> tensor<?x?x3xui8> {
  %image = gs.gather %photo[%from] gather_dims([0, 1]) mode(clip)
      : (tensor<?x?x3xui8>, tensor<?x?x2xi32>) -> tensor<?x?x3xui8>
  return %image : tensor<?x?x3xui8>
}
