// Decoding a palette image: for each pixel, a byte, its row of the palette. A byte past the end of
// the palette is an error of the file, and becomes an IndexError.
func.func @decode(%palette: tensor<?x3xui8>, %pixels: tensor<?x?x1xui8>) -> tensor<?x?x3xui8> {
  %image = gs.gather %palette[%pixels] gather_dims([0]) mode(error)
      : (tensor<?x3xui8>, tensor<?x?x1xui8>) -> tensor<?x?x3xui8>
  return %image : tensor<?x?x3xui8>
}
