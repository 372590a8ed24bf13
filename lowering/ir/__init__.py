"""Building and walking IR: ops, index arithmetic, affine maps, combiners."""
