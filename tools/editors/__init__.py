"""Colors for MLIR with `gs` ops: a grammar for editors, and a lexer for Pygments."""
