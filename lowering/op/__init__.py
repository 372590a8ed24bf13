"""One `gs.generic`, analyzed for its lowering: operands, coordinates, body, sizes."""
