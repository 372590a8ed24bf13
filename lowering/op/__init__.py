"""One `gs.generic`, taken apart for its lowering: operands, coordinates, body, sizes."""
