"""One `gs.generic` on memrefs, taken apart: operands, coordinates, body, sizes."""
